import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/sandbox/sources/public-address.js';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '223.255.255.255',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each(['2606:4700::1111', '2a00:1450:4001::200e', '2620:fe::fe'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ['0.0.0.0', 'this host'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'carrier'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['169.254.169.254', 'metadata of clouds'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'protocol'],
  ['192.0.2.1', 'documentation'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmark'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'this host'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'mapped loopback'],
  ['::ffff:8.8.8.8', 'mapped'],
  ['::127.0.0.1', 'compatible'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['3fff::1', 'documentation'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['2606:4700::1111%eth0', 'with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['', 'nothing'],
  ['localhost', 'a name'],
  ['[2606:4700::1111]', 'in brackets'],
  ['127.1', 'short'],
  ['0x7f000001', 'a number'],
])('%s is not: %s', (address) => expect(isPublicAddress(address)).toBe(false));
