import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Client, createClient, type LooseInput, listOf } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { pathParameters } from '../../src/api/operation-facts.js';
import { createTransport } from '../../src/api/transport.js';
import { defined } from '../../src/base/values.js';
import { createJob, type JobFacts, type OpenJob, reopenJob } from '../../src/jobs/create-job.js';
import { JobFolder } from '../../src/jobs/job-folder.js';
import { type ItemResult, type Job, type JobItem, jobItem } from '../../src/jobs/journal.js';
import { type Made, madeBy } from '../../src/jobs/made.js';
import { rulesOfSteps } from '../../src/jobs/rule-book.js';
import { JobRun } from '../../src/jobs/run-job.js';
import { appraise, planUndo, type Undoing, undoneItems, undoSteps, withReads } from '../../src/jobs/undo.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import type { SandboxControl } from '../../src/sandbox/control.js';
import { type FakeIo, fakeIo } from '../fake-io.js';
import { openSandbox, type TestSandbox } from '../sandbox/client.js';
import { controlOf } from '../sandbox/control-of.js';
import { noTrail } from './no-trail.js';

/** A sandbox, its client and a folder of journals: jobs without commands. */
export interface JobWorld {
  sandbox: TestSandbox;
  control: SandboxControl;
  client: Client;
  folder: JobFolder;
  io: FakeIo;
  /** Runs one operation for several inputs as a job. */
  run(op: AnyOperation, inputs: readonly LooseInput[], options?: { concurrency?: number }): Promise<Ran>;
  /** Runs steps as a job. */
  perform(steps: readonly JobItem[], options?: Performing): Promise<Ran>;
  /** Works on what is left of a job. */
  resume(job: Job): Promise<Ran>;
  /** Takes a job back: all of it, or what is left of it. */
  undo(job: Job): Promise<Ran & { items: Undoing[] }>;
  /** The state of the sandbox, without the times of the last change. */
  state(): unknown;
  close(): Promise<void>;
}

export interface Ran {
  job: Job;
  results: ItemResult[];
}

interface Performing {
  /** That of the world by default. */
  client?: Client;
  concurrency?: number;
  single?: boolean;
  facts?: Partial<JobFacts>;
}

export async function openJobWorld(): Promise<JobWorld> {
  const sandbox = await openSandbox();
  const control = await controlOf(sandbox);
  const home = mkdtempSync(join(tmpdir(), 'docs-jobs-'));
  const io = fakeIo({ env: { HOME: home } });
  const credential = { token: sandbox.token, origin: sandbox.url };
  const client = createClient(createTransport({ baseUrl: sandbox.url, credential, io, userAgent: 'test' }));
  const folder = new JobFolder(io);
  const finish = async (open: OpenJob, steps: readonly JobItem[], options: Performing, made?: Made) => {
    const parts = { io, client: options.client ?? client, concurrency: options.concurrency ?? 8 };
    const results: ItemResult[] = [];
    try {
      const run = new JobRun({
        ...parts,
        rules: await rulesOfSteps(steps),
        journal: open.journal,
        steps,
        failFast: false,
        ...defined({ made, single: options.single }),
      });
      for await (const group of run.results()) results.push(...group);
    } finally {
      await open.close();
    }
    const entry = folder.entries().find(({ job }) => job === open.job);
    const job = entry === undefined ? undefined : folder.read(entry);
    return { job: job ?? nothingSent, results };
  };
  const perform: JobWorld['perform'] = async (steps, options = {}) => {
    const facts = { command: 'test', origin: sandbox.url, profile: 'default', version: '0.0.0' };
    const own = { ...facts, ...options.facts };
    return finish(await createJob(io, folder, own, steps, true, noTrail), steps, options);
  };
  return {
    sandbox,
    control,
    client,
    folder,
    io,
    run: (op, inputs, options) =>
      perform(
        inputs.map((input, at) => step(op, input, at)),
        options,
      ),
    perform,
    async resume(job) {
      const open = await reopenJob(io, folder, job, { trail: noTrail });
      const left = job.items.filter(({ state }) => state !== 'ok');
      const steps = withReads(left, job.items);
      return finish(open, steps, {}, madeBy(job.items, allRules));
    },
    async undo(job) {
      const undone = undoneItems(job.header.job, folder.undoing());
      const items = await appraise(client, planUndo(job, undone, io.now()));
      const { steps } = undoSteps(job, items);
      return { ...(await perform(steps, { facts: { undoes: job.header.job } })), items };
    },
    state: () => withoutTimes(JSON.parse(control.export())),
    async close() {
      await client.close();
      control.close();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What became of the items: `ok`, or what went wrong. */
export const told = ({ results }: Pick<Ran, 'results'>): string[] =>
  results.map(({ status, failure }) => failure?.message ?? status);

/** Runs a change and its undo; expects both to succeed, and the state before. */
export async function expectUndone(
  world: JobWorld,
  op: AnyOperation,
  inputs: readonly LooseInput[],
): Promise<void> {
  const before = world.state();
  const ran = await world.run(op, inputs);
  expect(told(ran)).toEqual(inputs.map(() => 'ok'));
  expect(world.state()).not.toEqual(before);
  const undone = await world.undo(ran.job);
  expect(undone.items.map(({ undo }) => undo)).toEqual(undone.items.map(() => 'exact'));
  expect(told(undone)).toEqual(undone.results.map(() => 'ok'));
  expect(world.state()).toEqual(before);
}

export async function all<Item>(listing: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of listing) items.push(item);
  return items;
}

/** The ids of a list. */
export async function idsOf(
  { client }: JobWorld,
  op: AnyOperation,
  path: Record<string, string>,
): Promise<string[]> {
  return (await all(listOf(client, op, { path }))).map((item) => (item as { id: string }).id);
}

/** A job of one item that was not sent leaves no journal. */
const nothingSent: Job = {
  header: {
    journal: 1,
    job: '',
    at: '',
    command: '',
    origin: '',
    profile: '',
    version: '',
    input: '',
    total: 0,
  },
  path: '',
  items: [],
  wholeBytes: 0,
};

export function step(op: AnyOperation, { path = {}, query = {}, body }: LooseInput, item = 0): JobItem {
  const id = path[pathParameters(op.path).at(-1) ?? ''] ?? '';
  const input = { path, query, ...(op.body !== undefined && { body: body ?? {} }) };
  return jobItem({ op, input, id }, item);
}

/** Without the times of changes, which undo does not restore. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((row) => !isCounter(row)).map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !/(^|_)(updated|edited)_at$/.test(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutTimes(part)]));
}

/** Whether a row counts the ids issued so far. */
function isCounter(row: unknown): boolean {
  return (row as { key?: unknown } | null)?.key === 'ids';
}
