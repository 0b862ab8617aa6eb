import { describe, expect, it } from 'vitest';
import { listCollectionSpaces } from '../../src/api/resources/collections.js';
import { listSpaceFields, setSpaceFields } from '../../src/api/resources/custom-fields.js';
import { deleteMember, getMember, updateMember } from '../../src/api/resources/members.js';
import { deleteSpace, getSpace, moveSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../src/api/resources/teams.js';
import { planUndo, readStandings } from '../../src/jobs/undo.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { all, openJobWorld, told } from './job-world.js';

/** What undo restores in part, what it cannot undo, and what it leaves alone. */

const world = eachTest(openJobWorld);

const organizationId = seedId('org acme');
const inOrg = { organizationId };
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
  const notFound = `Organization "${organizationId}" not found.`;

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
      `${bruno.userId} has changed since: role is review, not read.`,
    ]);
    expect((await world.client.call(getMember, { path: bruno })).role).toBe('review');
  });

  it('what the job created, where somebody changed it since', async () => {
    const { job } = await world.run(createTeam, [{ path: inOrg, body: { title: 'New' } }]);
    const teams = await all(world.client.call(listTeams, { path: inOrg, query: { title: 'New' } }));
    const teamId = teams[0]?.id ?? '';
    await world.client.call(updateTeam, { path: { ...inOrg, teamId }, body: { title: 'New and used' } });
    expect(told(await world.undo(job))).toEqual([
      `${teamId} has changed since: title is New and used, not New.`,
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
