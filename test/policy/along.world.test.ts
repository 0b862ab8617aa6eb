import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import { type Reads, readsOf } from '../../src/jobs/reads.js';
import { goesAlong } from '../../src/policy/effects.js';
import { at, Surroundings } from '../../src/policy/surroundings.js';
import { type JobWorld, openJobWorld } from '../jobs/job-world.js';
import { request } from '../plans/plan-world.js';
import { seedId } from '../sandbox/client.js';

/** What is counted to go along with a change is what the platform has changed after it, elsewhere than in the thing itself. */

let world: JobWorld;
let reads: Reads;
beforeEach(async () => {
  world = await openJobWorld();
  reads = readsOf(world.client);
});
afterEach(() => world.close());

const organizationId = seedId('org acme');
const operation = (id: string) => operations.find((op) => op.id === id) as AnyOperation;

/** Where everything lies that could go along: by kind and id, what holds it. */
async function state(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const put = (key: string, holder: unknown) => found.set(key, [found.get(key) ?? [], holder].flat().join());
  const all = async (list: string, path: object, query = {}) =>
    (await reads.all(operation(list), { path: { organizationId, ...path }, query })) ?? [];
  for (const site of await all('sites.list', {})) {
    const siteId = String(site.id);
    for (const list of ['sections.list', 'section-groups.list', 'site-spaces.list'])
      for (const item of await all(list, { siteId }))
        put(`${list} ${item.id}`, at(item, list === 'sections.list' ? 'sectionGroup' : 'section'));
  }
  for (const { id, parent } of await all('collections.list', {}, { nested: true })) {
    put(`collections.list ${id}`, parent);
    for (const space of await all('collections.spaces', { collectionId: String(id) }))
      put(`collections.spaces ${space.id}`, id);
  }
  for (const { id } of await all('teams.list', {}))
    for (const member of await all('team-members.list', { teamId: String(id) }))
      put(`team-members.list ${at(member, 'organization.id')}`, id);
  return found;
}

const labs = { organization: seedId('org labs') };
const siteId = seedId('site docs');
const cases: [string, Record<string, string>, object?][] = [
  ['collections.delete', { collectionId: seedId('collection product') }],
  ['collections.transfer', { collectionId: seedId('collection product') }, labs],
  ['sites.delete', { siteId }],
  ['sections.delete', { siteId, siteSectionId: seedId('section docs Guides') }],
  ['section-groups.delete', { siteId, siteSectionGroupId: seedId('section group docs Developers') }],
  ['spaces.delete', { spaceId: seedId('space guide') }],
  ['spaces.transfer', { spaceId: seedId('space guide') }, labs],
  ['teams.delete', { teamId: seedId('team writers') }],
];

it('is tried for every operation with which something goes along', () => {
  expect(cases.map(([id]) => id).sort()).toEqual(Object.keys(goesAlong).sort());
});

it.each(cases)('%s', async (id, path, body) => {
  const op = operation(id);
  const inOrg = op.path.includes('{organizationId}') ? { organizationId } : {};
  const change = request(op, { ...inOrg, ...path }, body);
  const along = await new Surroundings([], async () => reads).along(change);
  const counted = along.map(({ inside, item }) => `${inside.list} ${at(item, inside.kind.id)}`);
  const before = await state();
  await world.client.call(op, change.input);
  const after = await state();
  const own = Object.values(path);
  const changed = [...before].filter(([key, holder]) => after.get(key) !== holder).map(([key]) => key);
  const elsewhere = changed.filter((key) => !own.includes(key.split(' ')[1] ?? ''));
  expect(counted.length).toBeGreaterThan(0);
  expect([...new Set(counted)].sort()).toEqual(elsewhere.sort());
});
