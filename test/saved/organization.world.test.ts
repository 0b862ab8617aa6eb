import { afterAll, beforeEach, expect, test } from 'vitest';
import { savedWorld, variables } from './world.js';

/** A saved folder of the organization with its lock, after which somebody renamed a team by hand. */

const world = await savedWorld();
afterAll(() => world.close());
beforeEach(() => {
  world.lay('organization/pulled');
  Object.assign(world.env, variables);
});

test('the lock tells a change by hand from one in the files', async () => {
  world.write('org/teams.yaml', world.read('org/teams.yaml').replace('title: Writers', 'title: Authors'));
  const plan = await world.ok(['plan']);
  expect(plan).toContain('Plan for Acme Docs: 1 to change, 1 to revert (drift)');
  expect(plan).toContain('~ writers  title: Writers → Authors');
  expect(plan).toContain('≠ support  title: Help desk → Support  (changed by hand)');
});

test('only what was changed by hand is drift, a value of the environment among what is as it was', async () => {
  const { code, stdout } = await world.run(['drift']);
  expect(code).toBe(17);
  expect(stdout).toContain('Plan for Acme Docs: 1 to revert (drift)');
  expect(stdout).toContain('Compared 39 items and 144 fields with the last pull or apply');
  world.env.SSO_URL = 'https://elsewhere.example/sso';
  expect(await world.ok(['plan'])).toContain('~ acme-staff  sso_url: !env SSO_URL');
});

test('a pull keeps what the files say, takes what was changed by hand, and finds each item again', async () => {
  await world.ok(['pull']);
  expect(world.read('org/teams.yaml')).toContain('title: Help desk');
  expect(world.read('org/saml.yaml')).toContain('sso_url: !env SSO_URL');
  expect(await world.ok(['plan'])).toContain('nothing to do');
  expect(world.forwarder.done).toEqual([]);
});

test('apply reverts it', async () => {
  await world.ok(['apply', '--yes']);
  expect(world.forwarder.done).toEqual(['PATCH /v1/orgs/jtBm07Y5RKnqZVIW3UZg/teams/58r3X1FgDS0A1SsD1Tls']);
});
