import fs from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client, LooseInput } from '../../src/api/client.js';
import type { AnyOperation, Input } from '../../src/api/operation.js';
import {
  getChangeRequestContent,
  importChangeRequestContent,
  listChangeRequests,
  mergeChangeRequest,
} from '../../src/api/resources/change-requests.js';
import {
  deleteMember,
  deleteTeamMember,
  getMember,
  linkMemberSso,
  setTeamMember,
  updateMember,
} from '../../src/api/resources/members.js';
import { pingOrg } from '../../src/api/resources/orgs.js';
import { deleteSpace, moveSpace, restoreSpace } from '../../src/api/resources/spaces.js';
import { deleteTeam } from '../../src/api/resources/teams.js';
import { DocsError } from '../../src/base/errors.js';
import { planLinks } from '../../src/commands/sso/link-plan.js';
import type { JobItem } from '../../src/jobs/journal.js';
import { settle } from '../../src/jobs/look.js';
import { type Resource, readsOf } from '../../src/jobs/reads.js';
import type { State } from '../../src/jobs/state.js';
import { ruleOf } from '../../src/jobs/undo-rules.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { idsOf, openJobWorld, step } from './job-world.js';

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
    const sync = fs.fdatasync;
    let onDisk = '';
    vi.spyOn(fs, 'fdatasync').mockImplementation((file, done) =>
      sync(file, (error) => {
        onDisk = fs.readFileSync(world.folder.entries()[0]?.path ?? '', 'utf8');
        done(error);
      }),
    );
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

it('waits itself for the disk before it sends a single change, so that no thread starts', async () => {
  const threaded = vi.spyOn(fs, 'fdatasync');
  const done: string[] = [];
  const sync = fs.fdatasyncSync;
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation((file) => {
    sync(file);
    done.push(
      fs
        .readFileSync(world.folder.entries()[0]?.path ?? '', 'utf8')
        .trimEnd()
        .split('\n')
        .at(-1) ?? '',
    );
  });
  const send = async () => void done.push('sent');
  await world.perform([{ ...step(updateMember, role('bruno', 'read'), 0), send }], { single: true });
  expect(done).toEqual([
    expect.stringContaining('"is":"started"'),
    'sent',
    expect.stringContaining('"is":"ok"'),
  ]);
  expect(threaded).not.toHaveBeenCalled();
});

it('starts deletions a round before their turn, and records that those were skipped whose turn does not come', async () => {
  const eventsOf = (item: number) =>
    fs
      .readFileSync(world.folder.entries()[0]?.path ?? '', 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith(`{"item":${item},`) ? JSON.parse(line).is : []));
  const before: string[][] = [];
  const steps = ['bruno', 'goran', 'deniz'].map((name, item) => ({
    ...step(deleteMember, { path: member(name) }, item),
    send: async () => {
      before.push(eventsOf(item));
      if (item === 0) before.push(eventsOf(1));
      else world.io.abort(new Error('SIGINT'));
    },
  }));
  const { job, results } = await world.perform(steps, { concurrency: 1 });
  expect(before).toEqual(Array(3).fill(['planned', 'started']));
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'skipped']);
  expect(eventsOf(2)).toEqual(['planned', 'started', 'skipped']);
  expect(job.items.at(-1)).toMatchObject({ state: 'planned', sent: false });
});

it('looks up what an earlier process sent without an answer, and does not send again what took effect', async () => {
  await world.client.call(updateMember, { path: member('bruno'), body: { role: 'read' } });
  const sent: string[] = [];
  const steps = ['bruno', 'goran'].map((name, item): JobItem => {
    const own = step(updateMember, role(name, 'read'), item);
    const before = { role: name === 'bruno' ? 'create' : null };
    return { ...own, state: 'started', sent: true, before, send: async () => void sent.push(name) };
  });
  const { results } = await world.perform(steps, { concurrency: 1 });
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(sent).toEqual(['goran']);
});

const bruno = { ...inOrg, userId: seedId('user bruno') };

const welcome = { spaceId: seedId('space welcome') };

/** Looks the request up before and after it is done. */
async function lookUp(op: AnyOperation, input: LooseInput): Promise<[string, string]> {
  const rule = ruleOf(op);
  const reads = readsOf(world.client);
  const before: State | undefined = rule.before ? await rule.read?.(reads, input) : undefined;
  const { is: first } = await settle(rule, reads, input, before);
  const { results } = await world.run(op, [input]);
  expect(results[0]?.status).toBe('ok');
  const { is: then } = await settle(rule, reads, input, before);
  return [first, then];
}

it.each<[string, AnyOperation, LooseInput]>([
  ['a role', updateMember, { path: bruno, body: { role: 'read' } }],
  ['a deletion', deleteTeam, { path: { ...inOrg, teamId: seedId('team writers') } }],
  ['a deleted space', deleteSpace, { path: welcome }],
  [
    'a membership',
    deleteTeamMember,
    { path: { ...inOrg, teamId: seedId('team writers'), userId: seedId('user deniz') } },
  ],
  ['SSO', linkMemberSso, { path: bruno }],
  [
    'a move to the top level',
    moveSpace,
    { path: { spaceId: seedId('space guide') }, body: { parent: null } },
  ],
])('%s: not done, then done', async (_, op, input) => {
  expect(await lookUp(op, input)).toEqual(['not-done', 'done']);
});

it('a restored space: not done, then done', async () => {
  await world.client.call(deleteSpace, { path: welcome });
  expect(await lookUp(restoreSpace, { path: welcome })).toEqual(['not-done', 'done']);
});

it('a merge: not done, then done', async () => {
  const [changeRequestId = ''] = await idsOf(world, listChangeRequests, welcome);
  const path = { ...welcome, changeRequestId };
  expect(await lookUp(mergeChangeRequest, { path })).toEqual(['not-done', 'done']);
});

it('a ping: may be sent at any time', async () => {
  expect(await lookUp(pingOrg, { path: inOrg })).toEqual(['not-done', 'not-done']);
});

it('a role that somebody else has changed meanwhile: unknown', async () => {
  const rule = ruleOf(updateMember);
  const reads = readsOf(world.client);
  await world.client.call(updateMember, { path: bruno, body: { role: 'comment' } });
  const input = { path: bruno, body: { role: 'read' } };
  expect(await settle(rule, reads, input, { role: 'edit' })).toEqual({
    is: 'unknown',
    why: 'the current state is neither the one before nor the requested one',
  });
});

it.each<[string, string, string, string[]]>([
  ['not-done', 'draft', 'first', []],
  ['done', 'draft', 'second', ['first']],
  ['unknown', 'open', 'second', ['first']],
  ['unknown', 'draft', 'third', ['second']],
  ['unknown', 'draft', 'second', ['first', 'main']],
])(
  'an import into a change request: %s where it is %s at %s after %j',
  async (is, status, revision, parents) => {
    const one = async (op: AnyOperation): Promise<Resource> =>
      op === getChangeRequestContent ? { id: revision, parents } : { status, revision };
    const input = { path: { ...welcome, changeRequestId: 'x' } };
    const rule = ruleOf(importChangeRequestContent);
    expect(await settle(rule, { one, all: async () => null }, input, { revision: 'first' })).toMatchObject({
      is,
    });
  },
);

let sent: string[] = [];

let answers: (op: AnyOperation, userId: string) => 'pass' | 'ignore' | 'unreadable';

beforeEach(() => {
  sent = [];
  answers = () => 'pass';
});

const people = ['ada', 'bruno', 'chiara', 'deniz', 'emil'].map((name) => seedId(`user ${name}`));

const [ada = '', second = '', chiara = ''] = people;

/** A platform that says that it did what it did not do, or that is out of reach after it. */
function unreliable(): Client {
  const call = (async (op: AnyOperation, input: LooseInput, options) => {
    const userId = input.path?.userId ?? '';
    const way = answers(op, userId);
    if (op === linkMemberSso) sent.push(userId);
    if (op === linkMemberSso && way === 'ignore') return { id: userId, sso: true };
    if (op === getMember && way === 'unreadable' && sent.includes(userId))
      throw new DocsError('network', 'unreachable', 'Out of reach.', { retryable: true });
    return world.client.call(op, input as Input<AnyOperation>, options);
  }) as Client['call'];
  return { ...world.client, call, platformNowMs: undefined };
}

async function link(options: { batch?: number; canary?: string; continues?: boolean } = {}) {
  const { batch = 2, canary, continues = false } = options;
  const members = people.filter((id) => id !== canary);
  const steps = planLinks({ ...inOrg, members, canary, batch, continues });
  const { job, results } = await world.perform(steps, { client: unreliable() });
  return {
    results: results.map(({ status, failure }) => [status, failure?.code ?? ''].join(' ').trim()),
    states: job.items.map(({ state }) => state),
  };
}

it('batches follow each other, the canary before all', async () => {
  expect((await link({ canary: chiara })).results).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect(sent[0]).toBe(chiara);
  expect(new Set(sent.slice(1, 3))).toEqual(new Set([ada, second]));
});

it('an answer that no read confirms fails, and holds the next batches back', async () => {
  answers = (_, userId) => (userId === second ? 'ignore' : 'pass');
  const { results, states } = await link();
  expect(results).toEqual(['ok', 'failed not_in_effect', ...Array(3).fill('skipped held_back')]);
  expect(states).toEqual(['ok', 'failed', 'planned', 'planned', 'planned']);
  expect(sent).toHaveLength(2);
});

it('where later batches go on, only those that wait for the canary are held back', async () => {
  answers = (_, userId) => (userId === second ? 'ignore' : 'pass');
  expect((await link({ continues: true })).results).toEqual(['ok', 'failed not_in_effect', 'ok', 'ok', 'ok']);
  answers = (_, userId) => (userId === second ? 'ignore' : 'pass');
  const { results } = await link({ continues: true, canary: second });
  expect(results).toEqual(['failed not_in_effect', ...Array(4).fill('skipped held_back')]);
});

it('where the read fails the outcome is unknown, and the journal says so', async () => {
  answers = (op, userId) => (op === getMember && userId === ada ? 'unreadable' : 'pass');
  const { results, states } = await link();
  expect(results.slice(0, 3)).toEqual(['unknown outcome_unknown', 'ok', 'skipped held_back']);
  expect(states.slice(0, 2)).toEqual(['unknown', 'ok']);
});

beforeEach(() => {
  sent = [];
});

const [leaver, emil, support] = [seedId('user bruno'), seedId('user emil'), seedId('team support')];

/** A step that waits for others. */
function waiting(item: number, op: AnyOperation, input: LooseInput, after?: number[]): JobItem {
  const own = step(op, input, item);
  return { ...own, change: { ...own.change, id: input.path?.userId ?? '', after } };
}

const handOver = () =>
  waiting(0, setTeamMember, {
    path: { ...inOrg, teamId: support, userId: emil },
    body: { role: 'owner' },
  });

const leaveTeam = () =>
  waiting(1, deleteTeamMember, { path: { ...inOrg, teamId: support, userId: leaver } }, [0]);

const leave = () => waiting(2, deleteMember, { path: { ...inOrg, userId: leaver } }, [0, 1]);

const perform = (...steps: JobItem[]) => world.perform(steps, { client: noting() });

/** The client of the world; records the changes it sends. */
function noting(): Client {
  const call = ((op: AnyOperation, input: LooseInput, options) => {
    if (op.method !== 'GET') sent.push(`${op.id} ${input.path?.userId}`);
    return world.client.call(op, input as Input<AnyOperation>, options);
  }) as Client['call'];
  return { ...world.client, call, platformNowMs: undefined };
}

it('dependent items are sent in order at any concurrency', async () => {
  const { results } = await perform(handOver(), leaveTeam(), leave());
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(sent).toEqual([
    `team-members.set ${emil}`,
    `team-members.delete ${leaver}`,
    `members.delete ${leaver}`,
  ]);
});

it('nothing is sent for items that depend on a refused one', async () => {
  world.control.faults.add({ match: 'PUT /v1/orgs/*', status: 403 });
  const { results } = await perform(handOver(), leaveTeam(), leave());
  expect(results.map(({ status, failure }) => [status, failure?.code])).toEqual([
    ['failed', 'forbidden'],
    ['skipped', 'held_back'],
    ['skipped', 'held_back'],
  ]);
  expect(sent).toEqual([`team-members.set ${emil}`]);
});

it('an item that depends on one of an earlier run is sent', async () => {
  expect((await perform(handOver())).results).toMatchObject([{ status: 'ok' }]);
  expect((await perform(leaveTeam())).results).toMatchObject([{ status: 'ok' }]);
});

it('the journal keeps the request ids', async () => {
  const { job } = await perform(handOver(), leaveTeam());
  expect(job.items.map(({ requestId }) => requestId)).toEqual(Array(2).fill(expect.stringMatching(/^req_/)));
});
