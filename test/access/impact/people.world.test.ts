import { afterAll, describe, expect, it } from 'vitest';
import type { Impact, ImpactQuestion } from '../../../src/access/impact/shapes.js';
import { deleteCollection, moveCollection } from '../../../src/api/resources/collections.js';
import { deleteMember, listMemberSpaces, listMembers } from '../../../src/api/resources/members.js';
import { deleteSpace, moveSpace } from '../../../src/api/resources/spaces.js';
import { deleteTeam } from '../../../src/api/resources/teams.js';
import { seedId } from '../../sandbox/client.js';
import { controlOf } from '../../sandbox/control-of.js';
import { impactWorldOfFile } from './world.js';

/** Whose role changes is told before, and holds against the roles that the platform tells afterwards. */

const world = await impactWorldOfFile();
const control = await controlOf(world.sandbox);
afterAll(() => control.close());

/** The role of every member in every space, by `<member> <space>`. */
async function roles(): Promise<Map<string, string>> {
  const { admin, organizationId } = world.sandbox;
  const all = new Map<string, string>();
  for (const { id } of await admin.all(listMembers, { path: { organizationId } })) {
    const path = { organizationId, userId: id };
    for (const { permission, space } of await admin.all(listMemberSpaces, { path }))
      all.set(`${id} ${space.id}`, permission);
  }
  return all;
}

/** Makes the change: what was certain happened, and what happened was told. */
async function holds(question: ImpactQuestion, change: () => Promise<unknown>): Promise<Impact> {
  const before = await roles();
  const impact = await world.impact(question, ['people', 'dependents']);
  expect(impact.unknown).toEqual([]);
  await change();
  const after = await roles();
  const told = new Map(impact.people.map((one) => [`${one.person.id} ${one.space.id}`, one]));
  for (const [key, { certain, to }] of told) if (certain) expect(after.get(key) ?? null, key).toBe(to);
  for (const key of new Set([...before.keys(), ...after.keys()]))
    if (before.get(key) !== after.get(key))
      expect(told.get(key), key).toMatchObject({ from: before.get(key) ?? null });
  await control.reset();
  return impact;
}

describe('who loses access', () => {
  const { admin, organizationId } = world.sandbox;

  it('with a deleted space: everybody who has a role in it', async () => {
    const id = seedId('space board');
    const question: ImpactQuestion = { action: 'delete', things: [{ object: 'space', id }] };
    const impact = await holds(question, () => admin.ok(deleteSpace, { path: { spaceId: id } }));
    expect(impact.people.length).toBeGreaterThan(0);
    expect(impact.people.every(({ to, certain }) => to === null && certain)).toBe(true);
  });

  it('with a moved space: those who had their role from the collection', async () => {
    const id = seedId('space handbook');
    const to = { parent: null };
    const question: ImpactQuestion = { action: 'move', things: [{ object: 'space', id }], to };
    await holds(question, () => admin.ok(moveSpace, { path: { spaceId: id }, body: to }));
  });

  it('with a moved collection: what inherits through it', async () => {
    const id = seedId('collection internal');
    const to = { parent: seedId('collection product') };
    const question: ImpactQuestion = { action: 'move', things: [{ object: 'collection', id }], to };
    await holds(question, () => admin.ok(moveCollection, { path: { collectionId: id }, body: to }));
  });

  it('with a deleted collection: its contents move up', async () => {
    const id = seedId('collection product');
    const question: ImpactQuestion = { action: 'delete', things: [{ object: 'collection', id }] };
    const impact = await holds(question, () => admin.ok(deleteCollection, { path: { collectionId: id } }));
    const moved = impact.dependents.filter(({ kind }) => kind === 'moved');
    expect(moved.map(({ title }) => title).sort()).toEqual(['API Reference', 'Product Guide']);
    expect(moved.every(({ what }) => what.includes('to the top level'))).toBe(true);
  });

  it('with a deleted team: nothing is certain, since no operation shows its grants', async () => {
    const id = seedId('team writers');
    const question: ImpactQuestion = { action: 'delete', things: [{ object: 'team', id }] };
    const impact = await holds(question, () =>
      admin.ok(deleteTeam, { path: { organizationId, teamId: id } }),
    );
    expect(impact.people.some(({ certain }) => certain)).toBe(false);
    expect(impact.dependents.map(({ kind }) => kind)).toContain('grant');
    // Another member of the team has no access to Board Notes, so the team has no grant there.
    const chiara = impact.people.filter(({ person }) => person.email === 'chiara@acme.example');
    expect(chiara.map(({ space }) => space.title)).not.toContain('Board Notes');
  });

  it('with a removed member: all of their spaces', async () => {
    const userId = seedId('user chiara');
    const question: ImpactQuestion = { action: 'delete', things: [{ object: 'member', id: userId }] };
    const impact = await holds(question, () => admin.ok(deleteMember, { path: { organizationId, userId } }));
    expect(impact.people.length).toBeGreaterThan(0);
  });

  it('the last administrators: nobody would be left', async () => {
    const admins = (await admin.all(listMembers, { path: { organizationId } })).filter(
      ({ role }) => role === 'admin',
    );
    const things = admins.map(({ id }) => ({ object: 'member' as const, id }));
    const impact = await world.impact({ action: 'delete', things }, ['dependents']);
    expect(impact.dependents.filter(({ kind }) => kind === 'sign-in')).toHaveLength(1);
  });
});
