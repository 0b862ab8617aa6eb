import { expect, it } from 'vitest';
import { listCollections } from '../../../src/api/resources/collections.js';
import { listSites } from '../../../src/api/resources/sites.js';
import { impactWorldOfFile } from './world.js';

/** How much is read in an organization of sixty spaces and four hundred members. */

const world = await impactWorldOfFile('acme');

const total = () => [...world.sent.values()].reduce((sum, count) => sum + count, 0);

it('the links of each other space once, and of the rest only what is asked for', async () => {
  const { admin, organizationId } = world.sandbox;
  const path = { organizationId };
  const [sites, collections] = [
    await admin.all(listSites, { path }),
    await admin.all(listCollections, { path }),
  ];
  const id = world.sandbox.defaults.space ?? '';
  const things = [{ object: 'space' as const, id }];
  await world.impact({ action: 'delete', things }, ['links', 'urls', 'dependents']);
  expect(world.sent.get('/v1/spaces/*/links')).toBe(59);
  // The lists that spaces are in, with three administrators; the rest is about the space itself.
  const lists = sites.length + collections.length + 3 + 3;
  expect(total() - 59 - lists).toBeLessThanOrEqual(20);

  await world.impact({ action: 'delete', things }, ['urls']);
  expect(total()).toBeLessThanOrEqual(10);
  expect(world.sent.get('/v1/orgs/*/members')).toBeUndefined();

  const collection = collections[0]?.id ?? '';
  await world.impact({ action: 'delete', things: [{ object: 'collection', id: collection }] }, [
    'dependents',
  ]);
  expect(total()).toBe(3);
});
