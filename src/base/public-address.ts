import { BlockList, isIP } from 'node:net';

/**
 * Ranges of IPv4 that are not the public internet: this host, private networks, carrier-grade NAT, loopback,
 * link-local (with the metadata services of clouds), protocol assignments, documentation, benchmarks,
 * multicast, reserved (RFC 6890 and the IANA registry it began).
 */
const closed4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];

/**
 * Ranges inside 2000::/3, the public range of IPv6, that are not public: protocol assignments with Teredo,
 * documentation, and 6to4, which carries IPv4 addresses inside.
 */
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/**
 * Whether an IPv4 or IPv6 address, without brackets, belongs to the public internet; false for anything else.
 * Addresses with a zone, or that wrap an IPv4 one (mapped, NAT64), do not belong to it.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !blockList('ipv4', closed4).check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const open = blockList('ipv6', ['2000::/3']).check(address, 'ipv6');
  return open && !blockList('ipv6', closed6).check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
