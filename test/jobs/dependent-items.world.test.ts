import { beforeEach, expect, test } from 'vitest';
import type { Client, LooseInput } from '../../src/api/client.js';
import type { AnyOperation, Input } from '../../src/api/operation.js';
import { deleteMember, deleteTeamMember, setTeamMember } from '../../src/api/resources/members.js';
import { plannedRecord } from '../../src/jobs/journal.js';
import type { Step } from '../../src/jobs/step.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { openJobWorld } from './job-world.js';

/** Items that depend on others are sent after them, and skipped where one of them was not done. */

const world = eachTest(openJobWorld);
let sent: string[] = [];
beforeEach(() => {
  sent = [];
});

const org = seedId('org acme');
const [bruno, emil, support] = [seedId('user bruno'), seedId('user emil'), seedId('team support')];

function step(item: number, op: AnyOperation, input: LooseInput, after?: number[]): Step {
  const id = input.path?.userId ?? '';
  const plan = { item, is: 'planned' as const, id, op: op.id, input, ...(after !== undefined && { after }) };
  return { op, record: plannedRecord(plan) };
}

const handOver = () =>
  step(0, setTeamMember, {
    path: { organizationId: org, teamId: support, userId: emil },
    body: { role: 'owner' },
  });
const leaveTeam = () =>
  step(1, deleteTeamMember, { path: { organizationId: org, teamId: support, userId: bruno } }, [0]);
const leave = () => step(2, deleteMember, { path: { organizationId: org, userId: bruno } }, [0, 1]);

const run = (...steps: Step[]) => world.perform(steps, { client: noting() });

/** The client of the world; records the changes it sends. */
function noting(): Client {
  const call = ((op: AnyOperation, input: LooseInput, options) => {
    if (op.method !== 'GET') sent.push(`${op.id} ${input.path?.userId}`);
    return world.client.call(op, input as Input<AnyOperation>, options);
  }) as Client['call'];
  return { ...world.client, call, platformNowMs: undefined };
}

test('dependent items are sent in order at any concurrency', async () => {
  const { results } = await run(handOver(), leaveTeam(), leave());
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(sent).toEqual([
    `team-members.set ${emil}`,
    `team-members.delete ${bruno}`,
    `members.delete ${bruno}`,
  ]);
});

test('nothing is sent for items that depend on a refused one', async () => {
  world.control.faults.add({ match: 'PUT /v1/orgs/*', status: 403 });
  const { results } = await run(handOver(), leaveTeam(), leave());
  expect(results.map(({ status, failure }) => [status, failure?.code])).toEqual([
    ['failed', 'forbidden'],
    ['skipped', 'held_back'],
    ['skipped', 'held_back'],
  ]);
  expect(sent).toEqual([`team-members.set ${emil}`]);
});

test('an item that depends on one of an earlier run is sent', async () => {
  expect((await run(handOver())).results).toMatchObject([{ status: 'ok' }]);
  expect((await run(leaveTeam())).results).toMatchObject([{ status: 'ok' }]);
});

test('the journal keeps the request ids', async () => {
  const { job } = await run(handOver(), leaveTeam());
  expect(job.items.map(({ requestId }) => requestId)).toEqual(Array(2).fill(expect.stringMatching(/^req_/)));
});
