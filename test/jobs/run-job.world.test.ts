import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { getMember, updateMember } from '../../src/api/resources/members.js';
import { deleteTeam } from '../../src/api/resources/teams.js';
import type { Step } from '../../src/jobs/step.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { openJobWorld, step } from './job-world.js';

/** How a job works on its items. */

const world = eachTest(openJobWorld);
afterEach(() => {
  vi.restoreAllMocks();
});

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

it.each([1, 3])(
  'has its plan and each start on the disk before it sends a request: %i of them',
  async (count) => {
    const file = await open(fileURLToPath(import.meta.url));
    const handles = Object.getPrototypeOf(file) as typeof file;
    await file.close();
    const sync = handles.datasync;
    let onDisk = '';
    vi.spyOn(handles, 'datasync').mockImplementation(async function (this: typeof file) {
      await sync.call(this);
      onDisk = readFileSync(world.folder.entries()[0]?.path ?? '', 'utf8');
    });
    const lines = () => onDisk.split('\n').slice(0, -1);
    const names = ['bruno', 'goran', 'deniz'].slice(0, count);
    const seen: string[][] = [];
    const steps = names.map((name, item) => ({
      ...step(updateMember, role(name, 'read'), item),
      send: async () => void seen.push(lines()),
    }));
    const { results } = await world.perform(steps, { concurrency: 1 });
    expect(results.map(({ status }) => status)).toEqual(names.map(() => 'ok'));
    expect(seen).toHaveLength(count);
    for (const [item, there] of seen.entries()) {
      expect(there.filter((line) => line.includes('"is":"planned"'))).toHaveLength(count);
      expect(JSON.parse(there.at(-1) ?? '{}')).toMatchObject({ item, is: 'started' });
    }
  },
);

it('looks up what an earlier process sent without an answer, and does not send again what took effect', async () => {
  await world.client.call(updateMember, { path: member('bruno'), body: { role: 'read' } });
  const sent: string[] = [];
  const steps = ['bruno', 'goran'].map((name, item): Step => {
    const own = step(updateMember, role(name, 'read'), item);
    const before = { role: name === 'bruno' ? 'create' : null };
    const record = { ...own.record, state: 'started' as const, sent: true, before };
    return { ...own, record, send: async () => void sent.push(name) };
  });
  const { results } = await world.perform(steps, { concurrency: 1 });
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(sent).toEqual(['goran']);
});
