import { describe, expect, it } from 'vitest';
import type { CallOptions, Client } from '../../src/api/client.js';
import type { AnyOperation, Input } from '../../src/api/operation.js';
import {
  listChangeRequests,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../src/api/resources/change-requests.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
} from '../../src/api/resources/collections.js';
import { listSpaceFields, setSpaceFields } from '../../src/api/resources/custom-fields.js';
import { deleteMember, getMember, listTeamMembers, updateMember } from '../../src/api/resources/members.js';
import {
  createSection,
  createSectionGroup,
  listSectionGroups,
  listSections,
  moveSection,
  moveSectionGroup,
  removeSectionFromGroup,
} from '../../src/api/resources/sections.js';
import { deleteSpace, getSpace, moveSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../src/api/resources/teams.js';
import { readsOf } from '../../src/jobs/reads.js';
import { readBack } from '../../src/jobs/run-job.js';
import { planUndo, readStandings } from '../../src/jobs/undo.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { all, idsOf, openJobWorld, step, told } from './job-world.js';

/** What undo puts back in several requests, and what a read afterwards shows. */

const world = eachTest(openJobWorld);

const inOrg = { organizationId: seedId('org acme') };

const product = { collectionId: seedId('collection product') };

const docs = { ...inOrg, siteId: seedId('site docs') };

const welcome = { spaceId: seedId('space welcome') };

const user = (name: string) => seedId(`user ${name}`);

const ids = (op: AnyOperation, path: Record<string, string>) => idsOf(world, op, path);

async function collectionCalled(title: string) {
  for await (const one of world.client.call(listCollections, { path: inOrg }))
    if (one.title === title) return one;
  throw new Error(`no collection ${title}`);
}

describe('a deleted collection', () => {
  it('comes back with its settings, spaces and collections, in their order', async () => {
    const inner = [];
    for (const title of ['First', 'Second']) {
      const body = { title, parent: product.collectionId };
      inner.push((await world.client.call(createCollection, { path: inOrg, body })).id);
    }
    const spaces = await ids(listCollectionSpaces, product);
    const order = await ids(listCollections, inOrg);
    const { description } = await world.client.call(getCollection, { path: product });
    const { job } = await world.run(deleteCollection, [{ path: product }]);
    const undone = await world.undo(job);
    expect(told(undone)).toEqual(undone.results.map(() => 'ok'));
    const { id, ...again } = await collectionCalled('Product');
    expect(again).toMatchObject({ description, defaultLevel: 'inherit' });
    expect(await ids(listCollectionSpaces, { collectionId: id })).toEqual(spaces);
    expect(await ids(listCollections, inOrg)).toEqual(
      order.map((one) => (one === product.collectionId ? id : one)),
    );
    const last = undone.results.at(-1);
    expect(last?.restored).toBe('part');
    // The platform makes such spaces private when their collection is deleted, and cannot set it back.
    expect(last?.notRestored).toMatch(
      new RegExp(
        `^${product.collectionId}: the collection is recreated .*; visibility ${seedId('space api')} is private, not in-collection`,
      ),
    );
    expect(inner).toHaveLength(2);
  });

  it('leaves alone a space that somebody moved elsewhere since', async () => {
    const { job } = await world.run(deleteCollection, [{ path: product }]);
    const elsewhere = seedId('collection internal');
    await world.client.call(moveSpace, {
      path: { spaceId: seedId('space guide') },
      body: { parent: elsewhere },
    });
    const undone = await world.undo(job);
    expect(told(undone)).toContain(
      `${seedId('space guide')} has changed since: parent is ${elsewhere}, and was not set`,
    );
    const { id } = await collectionCalled('Product');
    expect(await ids(listCollectionSpaces, { collectionId: id })).toEqual([seedId('space api')]);
    expect(undone.results.at(-1)?.notRestored).toContain('spaces is');
  });

  it('comes back inside another one that was deleted after it', async () => {
    const internal = { collectionId: seedId('collection internal') };
    await world.client.call(moveCollection, { path: product, body: { parent: internal.collectionId } });
    const spaces = await ids(listCollectionSpaces, internal);
    const { job } = await world.run(deleteCollection, [{ path: product }, { path: internal }]);
    const undone = await world.undo(job);
    expect(undone.results.map(({ status }) => status)).not.toContain('skipped');
    const outer = await collectionCalled('Internal');
    expect((await collectionCalled('Product')).parent).toBe(outer.id);
    expect((await ids(listCollectionSpaces, { collectionId: outer.id })).sort()).toEqual(spaces.sort());
  });

  it('can be deleted and recreated again by undoing the undo', async () => {
    const spaces = await ids(listCollectionSpaces, product);
    const { job } = await world.run(deleteCollection, [{ path: product }]);
    const first = await world.undo(job);
    const second = await world.undo(first.job);
    expect(told(second)).toEqual(second.results.map(() => 'ok'));
    await expect(collectionCalled('Product')).rejects.toThrow('no collection Product');
    const third = await world.undo(second.job);
    expect(told(third)).toEqual(third.results.map(() => 'ok'));
    const { id } = await collectionCalled('Product');
    expect(await ids(listCollectionSpaces, { collectionId: id })).toEqual(spaces);
  });
});

it('the owner of a deleted team is an owner again', async () => {
  const { job } = await world.run(deleteTeam, [{ path: { ...inOrg, teamId: seedId('team writers') } }]);
  const undone = await world.undo(job);
  expect(told(undone)).toEqual(['ok', 'ok']);
  const roles: Record<string, string> = {};
  for await (const { id, title } of world.client.call(listTeams, { path: inOrg })) {
    if (title !== 'Writers') continue;
    const members = world.client.call(listTeamMembers, { path: { ...inOrg, teamId: id } });
    for await (const { organization, team } of members) roles[organization.id] = team.role;
  }
  expect(roles).toEqual({ [user('chiara')]: 'owner', [user('deniz')]: 'member' });
});

describe('a merged change request', () => {
  async function updatedThenMerged() {
    const [changeRequestId = ''] = await ids(listChangeRequests, welcome);
    const path = { ...welcome, changeRequestId };
    const ran = await world.run(updateChangeRequest, [{ path, body: { subject: 'Other' } }]);
    await world.client.call(mergeChangeRequest, { path });
    return ran;
  }

  it('is not offered for the undo of an update, and nothing is sent', async () => {
    const { job } = await updatedThenMerged();
    const undone = await world.undo(job);
    expect(undone.items.map(({ undo, why }) => [undo, why])).toEqual([
      ['none', 'the change request is merged, which ends it'],
    ]);
    expect(undone.results).toEqual([]);
  });
});

describe('sections', () => {
  const title = (name: string) => ({ title: name });

  /** Home, Developers (Guides, API), Support (Help). @returns the id of Help */
  async function twoGroups(): Promise<string> {
    const add = (spaceId: string, name: string) =>
      world.client.call(createSection, { path: docs, body: { spaceId, ...title(name) } });
    const help = await add(seedId('space handbook'), 'Help');
    await world.client.call(createSectionGroup, {
      path: docs,
      body: { ...title('Support'), sections: [help.id] },
    });
    return help.id;
  }

  it('a section between two groups comes back between them', async () => {
    const handbook = await twoGroups();
    const [home = ''] = await ids(listSections, docs);
    const [, group = ''] = await ids(listSectionGroups, docs);
    // Only sections can be named, and both neighbours of this one are groups.
    const path = { ...docs, siteSectionGroupId: group };
    await world.client.call(removeSectionFromGroup, { path: { ...path, siteSectionId: handbook } });
    const beside = { type: 'site-section' as const, id: handbook };
    await world.client.call(moveSectionGroup, { path, body: { position: { after: beside } } });
    const moved = await world.run(moveSection, [
      {
        path: { ...docs, siteSectionId: handbook },
        body: { position: { before: { type: 'site-section', siteSection: home } } },
      },
    ]);
    const undone = await world.undo(moved.job);
    expect(undone.items.map(({ undo }) => undo)).toEqual(['exact']);
    expect(undone.results.at(-1)).toMatchObject({ status: 'ok', restored: 'whole' });
  });

  it('a section that moved while a group had no sections is not claimed to stand as before', async () => {
    const help = await twoGroups();
    const [home = ''] = await ids(listSections, docs);
    const [, group = ''] = await ids(listSectionGroups, docs);
    const position = { before: { type: 'site-section' as const, siteSection: home } };
    const { job } = await world.perform([
      step(removeSectionFromGroup, { path: { ...docs, siteSectionGroupId: group, siteSectionId: help } }, 0),
      step(moveSection, { path: { ...docs, siteSectionId: help }, body: { position } }, 1),
    ]);
    const undone = await world.undo(job);
    const why = 'the group had no sections then, and the API does not show the position of such a group';
    expect(says(undone)).toEqual([
      ['best-effort', why],
      ['exact', undefined],
    ]);
    expect(told(undone)).toEqual(undone.results.map(() => 'ok'));
    expect(undone.results.flatMap(({ notRestored = [] }) => notRestored)).toEqual([`${help}: ${why}`]);
  });
});

it('an undo that stopped halfway is resumed, not begun again', async () => {
  const spaces = await ids(listCollectionSpaces, product);
  const { job } = await world.run(deleteCollection, [{ path: product }]);
  world.control.faults.add({ match: `POST /v1/spaces/${spaces[1]}/move`, status: 403 });
  const undone = await world.undo(job);
  expect(undone.results.map(({ status }) => status)).toContain('failed');
  expect(undone.results.at(-1)?.notRestored).toContain('spaces is');
  world.control.faults.clear();
  expect((await world.undo(job)).items).toEqual([]);
  const { results } = await world.resume(undone.job);
  expect(results.map(({ id, status }) => [id, status])).toEqual([[spaces[1], 'ok']]);
  expect(results[0]?.notRestored).not.toContain('spaces is');
  const { id } = await collectionCalled('Product');
  expect(await ids(listCollectionSpaces, { collectionId: id })).toEqual(spaces);
});

describe('the read afterwards', () => {
  it('an undo that the platform accepts and ignores has failed', async () => {
    const path = { ...inOrg, userId: user('bruno') };
    const { job } = await world.run(updateMember, [{ path, body: { role: 'read' } }]);
    const { call } = world.client;
    const ignoring = ((op: AnyOperation, input: Input<AnyOperation>, options?: CallOptions) =>
      op.id === updateMember.id
        ? Promise.resolve({ object: 'member', id: path.userId })
        : call(op, input, options)) as Client['call'];
    world.client.call = ignoring;
    const undone = await world.undo(job);
    expect(told(undone)).toEqual([`${path.userId} is not as it was before: role is read, not create`]);
    expect(undone.results[0]).toMatchObject({ restored: 'part', failure: { code: 'not_restored' } });
    expect(undone.job.items[0]).toMatchObject({ state: 'failed', restored: 'part' });
    world.client.call = call;
    expect((await world.undo(job)).results).toMatchObject([{ status: 'ok', restored: 'whole' }]);
  });

  it('is not claimed where it was refused', async () => {
    const { client } = world;
    const path = { ...inOrg, userId: 'nobody' };
    const restores = { id: 'x', op: updateMember.id, input: { path }, state: { role: 'read' } };
    const exact = { ...restores, undo: 'exact' as const };
    expect(await readBack(readsOf(client), exact, allRules)).toEqual({
      restored: 'part',
      notRestored: 'it no longer exists',
    });
    world.control.faults.add({ match: 'GET /v1/orgs/*', status: 403 });
    expect(await readBack(readsOf(client), exact, allRules)).toMatchObject({
      restored: 'unknown',
      notRestored: expect.stringMatching(/^it cannot be read again: .*[^.]$/),
    });
  });
});

const bruno = { ...inOrg, userId: seedId('user bruno') };

const space = (name: string) => ({ spaceId: seedId(`space ${name}`) });

/** What undo says of each item. */
const says = ({ items }: { items: { undo: string; why?: string }[] }) =>
  items.map(({ undo, why }) => [undo, why]);

describe('an organization that the token no longer sees', () => {
  // The owner of the token leaves, and another administrator stays.
  const leave = async () => {
    await world.run(updateMember, [{ path: bruno, body: { role: 'admin' } }]);
    await world.run(deleteMember, [{ path: { ...inOrg, userId: seedId('user ada') } }]);
  };
  const notFound = `organization "${inOrg.organizationId}" not found`;

  it('does not count as the end of what is in it', async () => {
    const { job } = await world.run(updateTeam, [
      { path: { ...inOrg, teamId: seedId('team writers') }, body: { title: 'Renamed' } },
    ]);
    await leave();
    expect(told(await world.undo(job))).toEqual([notFound]);
    await expect(readStandings(world.client, planUndo(job, new Set(), 0))).rejects.toThrow(notFound);
  });

  it('does not count as the undo of a creation', async () => {
    const { job } = await world.run(createTeam, [{ path: inOrg, body: { title: 'New' } }]);
    await leave();
    expect(told(await world.undo(job))).toEqual([notFound]);
  });
});

describe('undo restores in part', () => {
  it('a moved space: its collection, and its place among the spaces there', async () => {
    const { parent = '' } = await world.client.call(getSpace, { path: space('guide') });
    const order = async () =>
      (await all(world.client.call(listCollectionSpaces, { path: { collectionId: parent } }))).map(
        ({ id }) => id,
      );
    const before = await order();
    expect(before.length).toBeGreaterThan(1);
    const { job } = await world.run(moveSpace, [{ path: space('guide'), body: { parent: null } }]);
    expect(await order()).not.toEqual(before);
    const undone = await world.undo(job);
    expect(says(undone)).toEqual([['best-effort', expect.stringContaining('order at the top level')]]);
    expect(await order()).toEqual(before);
  });

  it('values of custom fields: those that were set before', async () => {
    const { job } = await world.run(setSpaceFields, [
      {
        path: space('guide'),
        body: { values: { audience: { value: 'staff' }, 'review-by': { value: '2026-03-01' } } },
      },
    ]);
    const undone = await world.undo(job);
    expect(says(undone)).toEqual([
      ['best-effort', 'review-by had no value before, and the platform cannot clear it'],
    ]);
    const entries = await world.client.call(listSpaceFields, { path: space('guide') });
    const values = Object.fromEntries(entries.map(({ customField, value }) => [customField.name, value]));
    expect(values).toMatchObject({ audience: 'customers', 'review-by': '2026-03-01' });
  });
});

describe('undo cannot restore', () => {
  it('a space that was deleted over 7 days ago', async () => {
    const { job } = await world.run(deleteSpace, [{ path: space('welcome') }]);
    await world.io.advance(7 * 86_400_000 + 1);
    expect(says(await world.undo(job))).toEqual([
      ['none', expect.stringMatching(/^it could only be restored until 2025-/)],
    ]);
  });
});

describe('undo leaves alone', () => {
  it('what has changed since, and says how', async () => {
    const { job } = await world.run(updateMember, [
      { path: bruno, body: { role: 'read' } },
      { path: { ...inOrg, userId: seedId('user deniz') }, body: { role: 'read' } },
    ]);
    await world.client.call(updateMember, { path: bruno, body: { role: 'review' } });
    expect(told(await world.undo(job))).toEqual([
      'ok',
      `${bruno.userId} has changed since: role is review, not read`,
    ]);
    expect((await world.client.call(getMember, { path: bruno })).role).toBe('review');
  });

  it('what the job created, where somebody changed it since', async () => {
    const { job } = await world.run(createTeam, [{ path: inOrg, body: { title: 'New' } }]);
    const teams = await all(world.client.call(listTeams, { path: inOrg, query: { title: 'New' } }));
    const teamId = teams[0]?.id ?? '';
    await world.client.call(updateTeam, { path: { ...inOrg, teamId }, body: { title: 'New and used' } });
    expect(told(await world.undo(job))).toEqual([
      `${teamId} has changed since: title is New and used, not New`,
    ]);
    expect((await world.client.call(getTeam, { path: { ...inOrg, teamId } })).title).toBe('New and used');
  });

  it('what is as before already, and sends nothing for it', async () => {
    const { role } = await world.client.call(getMember, { path: bruno });
    const { job } = await world.run(updateMember, [{ path: bruno, body: { role: 'read' } }]);
    await world.client.call(updateMember, { path: bruno, body: { role } });
    const undone = await world.undo(job);
    expect(told(undone)).toEqual(['ok']);
    expect(undone.job.items[0]?.sent).toBe(false);
  });

  it('what it has undone before, even where no read shows it', async () => {
    const { job } = await world.run(deleteTeam, [{ path: { ...inOrg, teamId: seedId('team writers') } }]);
    expect((await world.undo(job)).items).toHaveLength(1);
    expect((await world.undo(job)).items).toEqual([]);
    const teams = await all(world.client.call(listTeams, { path: inOrg, query: { title: 'Writers' } }));
    expect(teams).toHaveLength(1);
  });
});

it('undo can be undone itself, and the job then again', async () => {
  const title = async () => (await world.client.call(getSpace, { path: space('welcome') })).title;
  const { job } = await world.run(updateSpace, [{ path: space('welcome'), body: { title: 'Hello' } }]);
  const first = await world.undo(job);
  expect(await title()).toBe('Welcome');
  await world.undo(first.job);
  expect(await title()).toBe('Hello');
  await world.undo(job);
  expect(await title()).toBe('Welcome');
});
