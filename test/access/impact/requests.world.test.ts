import { expect, it } from 'vitest';
import { seedId } from '../../sandbox/client.js';
import { impactWorldOfFile } from './world.js';

/** How much is read for what is asked; for an organization of sixty spaces in requests.long.test.ts. */

const world = await impactWorldOfFile();

const total = () => [...world.sent.values()].reduce((sum, count) => sum + count, 0);
const deletion = { action: 'delete', things: [{ object: 'space', id: seedId('space guide') }] } as const;

it('reads the links of each other space once', async () => {
  await world.impact(deletion, ['links']);
  expect(world.sent.get('/v1/spaces/*/links')).toBe(4);
  expect(world.sent.get('/v1/spaces/*/content/pages')).toBeUndefined();
});

it('reads of a space its sites and its pages for the addresses, and nothing else', async () => {
  await world.impact(deletion, ['urls']);
  expect(Object.fromEntries(world.sent)).toEqual({
    '/v1/spaces/*': 1,
    '/v1/orgs/*/sites': 1,
    '/v1/orgs/*/sites/*/site-spaces': 1,
    '/v1/orgs/*/sites/*/sections': 1,
    '/v1/spaces/*/content/pages': 1,
  });
});

it('asks about people only where their access can change', async () => {
  await world.impact(deletion, ['dependents']);
  expect([...world.sent.keys()].filter((path) => path.includes('members'))).toEqual([]);
  const things = [{ object: 'collection', id: seedId('collection internal') }] as const;
  await world.impact({ action: 'delete', things }, ['dependents']);
  expect(total()).toBe(3);
});
