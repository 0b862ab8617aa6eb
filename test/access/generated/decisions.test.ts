import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChangeRequest, mergeChangeRequest } from '../../../src/api/resources/change-requests.js';
import { createComment } from '../../../src/api/resources/comments.js';
import { duplicateSpace, getSpace, updateSpace } from '../../../src/api/resources/spaces.js';
import { type Role, roles } from '../../../src/api/shapes.js';
import { decidedRoles, pair } from './decisions.js';
import { accessOrganization } from './organization.js';
import { platformOfFile } from './platform.js';
import { mostPeople, personId, spaceId, tablesOf } from './state.js';

/** The probes tell what a person can really do, and the organizations have access of every kind. */

const platform = await platformOfFile();
const seed = 20261122;

/** Does what each role is for, and gives the statuses from the lowest role to the highest. */
async function deeds(user: string, space: string, admin: string): Promise<number[]> {
  const path = { spaceId: space };
  const { id } = await platform.client(admin).call(createChangeRequest, { path, body: { subject: 'Ours' } });
  return [
    await platform.status(user, getSpace, { path }),
    await platform.status(user, createComment, { path, body: { body: { markdown: 'Hello' } } }),
    await platform.status(user, createChangeRequest, { path, body: { subject: 'Mine' } }),
    await platform.status(user, mergeChangeRequest, { path: { ...path, changeRequestId: id } }),
    await platform.status(user, duplicateSpace, { path }),
    await platform.status(user, updateSpace, { path, body: { emoji: '📘' } }),
  ];
}

test('what a probe finds allowed can be done, and no more, in 5 organizations', async () => {
  await fc.assert(
    fc.asyncProperty(accessOrganization, async (org) => {
      platform.load(tablesOf(org));
      const decided = await decidedRoles(platform, org);
      for (const [space, { deleted }] of org.spaces.entries()) {
        for (const person of deleted ? [] : org.people.keys()) {
          const done = await deeds(personId(person), spaceId(space), personId(0));
          const count = done.filter((status) => status < 300).length;
          expect(done.slice(count).every((status) => status === (count === 0 ? 404 : 403))).toBe(true);
          const role = roles.toReversed()[count - 1] ?? null;
          expect(role).toBe(decided.get(pair(personId(person), spaceId(space))));
        }
      }
    }),
    { numRuns: 5, seed },
  );
});

test('a deleted space is nowhere', async () => {
  const [org] = fc.sample(
    accessOrganization.filter(({ spaces }) => spaces.some(({ deleted }) => deleted)),
    { numRuns: 1, seed },
  );
  if (org === undefined) throw new Error('No organization was drawn.');
  platform.load(tablesOf(org));
  const deleted = org.spaces.findIndex((space) => space.deleted);
  expect(await platform.status(personId(0), getSpace, { path: { spaceId: spaceId(deleted) } })).toBe(404);
});

test('the same seed gives the same organizations, with access of every kind', async () => {
  const drawn = fc.sample(accessOrganization, { numRuns: 100, seed });
  expect(fc.sample(accessOrganization, { numRuns: 100, seed })).toEqual(drawn);
  expect(Math.max(...drawn.map(({ people }) => people.length))).toBe(mostPeople);
  const found = new Map<Role | null, number>();
  for (const org of drawn.slice(0, 20)) {
    platform.load(tablesOf(org));
    for (const role of (await decidedRoles(platform, org)).values())
      found.set(role, (found.get(role) ?? 0) + 1);
  }
  for (const role of [...roles, null]) expect(found.get(role) ?? 0, String(role)).toBeGreaterThan(4);
  const spaces = drawn.flatMap((org) => org.spaces);
  expect(spaces.some(({ visibility, level }) => visibility === 'private' && level === 'inherit')).toBe(true);
  const tables = new Set(drawn.flatMap((org) => Object.keys(tablesOf(org))));
  for (const table of ['team_members', 'space_users', 'space_teams', 'sites', 'site_spaces'])
    expect(tables).toContain(table);
});
