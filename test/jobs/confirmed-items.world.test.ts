import { beforeEach, expect, test } from 'vitest';
import type { Client, LooseInput } from '../../src/api/client.js';
import type { AnyOperation, Input } from '../../src/api/operation.js';
import { getMember, linkMemberSso } from '../../src/api/resources/members.js';
import { DocsError } from '../../src/base/errors.js';
import { planLinks } from '../../src/commands/sso/link-plan.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { openJobWorld } from './job-world.js';

/** Items that count as done only once a read shows what they were to bring about. */

const world = eachTest(openJobWorld);
let sent: string[];
let answers: (op: AnyOperation, userId: string) => 'pass' | 'ignore' | 'unreadable';
beforeEach(() => {
  sent = [];
  answers = () => 'pass';
});

const organizationId = seedId('org acme');
const people = ['ada', 'bruno', 'chiara', 'deniz', 'emil'].map((name) => seedId(`user ${name}`));
const [ada = '', bruno = '', chiara = ''] = people;

/** A platform that says that it did what it did not do, or that is out of reach after it. */
function client(): Client {
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
  const steps = planLinks({ organizationId, members, canary, batch, continues });
  const { job, results } = await world.perform(steps, { client: client() });
  return {
    results: results.map(({ status, failure }) => [status, failure?.code ?? ''].join(' ').trim()),
    states: job.items.map(({ state }) => state),
  };
}

test('batches follow each other, the canary before all', async () => {
  expect((await link({ canary: chiara })).results).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect(sent[0]).toBe(chiara);
  expect(new Set(sent.slice(1, 3))).toEqual(new Set([ada, bruno]));
});

test('an answer that no read confirms fails, and holds the next batches back', async () => {
  answers = (_, userId) => (userId === bruno ? 'ignore' : 'pass');
  const { results, states } = await link();
  expect(results).toEqual(['ok', 'failed not_in_effect', ...Array(3).fill('skipped held_back')]);
  expect(states).toEqual(['ok', 'failed', 'planned', 'planned', 'planned']);
  expect(sent).toHaveLength(2);
});

test('where later batches go on, only those that wait for the canary are held back', async () => {
  answers = (_, userId) => (userId === bruno ? 'ignore' : 'pass');
  expect((await link({ continues: true })).results).toEqual(['ok', 'failed not_in_effect', 'ok', 'ok', 'ok']);
  answers = (_, userId) => (userId === bruno ? 'ignore' : 'pass');
  const { results } = await link({ continues: true, canary: bruno });
  expect(results).toEqual(['failed not_in_effect', ...Array(4).fill('skipped held_back')]);
});

test('where the read fails the outcome is unknown, and the journal says so', async () => {
  answers = (op, userId) => (op === getMember && userId === ada ? 'unreadable' : 'pass');
  const { results, states } = await link();
  expect(results.slice(0, 3)).toEqual(['unknown outcome_unknown', 'ok', 'skipped held_back']);
  expect(states.slice(0, 2)).toEqual(['unknown', 'ok']);
});
