import { afterEach, beforeEach, expect, it } from 'vitest';
import { getMember, updateMember } from '../../src/api/resources/members.js';
import { deleteTeam } from '../../src/api/resources/teams.js';
import { seedId } from '../sandbox/client.js';
import { type JobWorld, openJobWorld } from './job-world.js';

/** How a job works on its items. */

let world: JobWorld;
beforeEach(async () => {
  world = await openJobWorld();
});
afterEach(() => world.close());

const inOrg = { organizationId: seedId('org acme') };
const member = (name: string) => ({ ...inOrg, userId: seedId(`user ${name}`) });
const role = (name: string, value: string) => ({ path: member(name), body: { role: value } });

it('records the state before each change', async () => {
  const { job } = await world.run(updateMember, [role('bruno', 'read'), role('goran', 'read')]);
  expect(job.items.map(({ state, sent, before }) => ({ state, sent, before }))).toEqual([
    { state: 'ok', sent: true, before: { role: 'create' } },
    { state: 'ok', sent: true, before: { role: null } },
  ]);
});

it('changes one resource in the order of the input at any concurrency', async () => {
  const roles = ['read', 'comment', 'edit', 'review', 'read', 'comment'];
  const { job } = await world.run(
    updateMember,
    roles.map((value) => role('bruno', value)),
  );
  expect(job.items.map(({ before }) => before?.role)).toEqual(['create', ...roles.slice(0, -1)]);
  expect((await world.client.call(getMember, { path: member('bruno') })).role).toBe('comment');
});

it('continues without a state that it may not read; undo then says so', async () => {
  world.control.faults.add({ match: 'GET *', status: 403, times: 1 });
  const { job, results } = await world.run(updateMember, [role('bruno', 'read')]);
  expect(results).toMatchObject([{ status: 'ok' }]);
  const { items } = await world.undo(job);
  expect(items).toMatchObject([{ undo: 'none', why: 'the previous state is unknown' }]);
});

it('records a missing resource as null, and lets the platform refuse the change', async () => {
  const { job, results } = await world.run(deleteTeam, [{ path: { ...inOrg, teamId: 'nobody' } }]);
  expect(results).toMatchObject([{ status: 'failed', failure: { kind: 'not-found' } }]);
  expect(job.items).toMatchObject([{ state: 'failed', before: null, error: { status: 404 } }]);
});

it('skips what has not started when the run is aborted, and records nothing of it', async () => {
  world.io.abort(new Error('SIGINT'));
  const { results } = await world.run(updateMember, [role('bruno', 'read'), role('goran', 'read')]);
  expect(results.map(({ status }) => status)).toEqual(['skipped', 'skipped']);
  expect((await world.folder.find('2')).items.map(({ state }) => state)).toEqual(['planned', 'planned']);
});
