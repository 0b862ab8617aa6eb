import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { listOf } from '../../src/api/call-loose.js';
import { type Client, createClient, type LooseInput } from '../../src/api/client.js';
import { type AnyOperation, pathParameters } from '../../src/api/operation.js';
import { createTransport } from '../../src/api/transport.js';
import { createJob } from '../../src/jobs/create-job.js';
import { JobFolder } from '../../src/jobs/job-folder.js';
import { type Job, plannedRecord } from '../../src/jobs/journal.js';
import { JobRun } from '../../src/jobs/run-job.js';
import { appraise } from '../../src/jobs/standing.js';
import type { ItemResult, Step } from '../../src/jobs/step.js';
import { planUndo, undoneItems } from '../../src/jobs/undo.js';
import { undoSteps } from '../../src/jobs/undo-steps.js';
import type { Undoing } from '../../src/jobs/undoing.js';
import { openControl, type SandboxControl } from '../../src/sandbox/control.js';
import { type FakeIo, fakeIo } from '../fake-io.js';
import { openSandbox, type TestSandbox } from '../sandbox/client.js';
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

export async function openJobWorld(): Promise<JobWorld> {
  const sandbox = await openSandbox();
  const control = await openControl(sandbox.file, sandbox.outside.io);
  const home = mkdtempSync(join(tmpdir(), 'docs-jobs-'));
  const io = fakeIo({ env: { HOME: home } });
  const credential = { token: sandbox.token, origin: sandbox.url };
  const client = createClient(createTransport({ baseUrl: sandbox.url, credential, io, userAgent: 'test' }));
  const folder = new JobFolder(io);
  const perform = async (steps: readonly Step[], undoes?: string, concurrency = 8): Promise<Ran> => {
    const facts = { command: 'test', origin: sandbox.url, profile: 'default', version: '0.0.0' };
    const open = await createJob(io, folder, { ...facts, ...(undoes && { undoes }) }, steps, true, noTrail);
    const run = new JobRun({ io, client, journal: open.journal, steps, concurrency, failFast: false });
    const results: ItemResult[] = [];
    for await (const result of run.results()) results.push(result);
    await open.close();
    const entry = folder.entries().find(({ job }) => job === open.job);
    const job = entry === undefined ? undefined : folder.read(entry);
    return { job: job ?? nothingSent, results };
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
        undefined,
        options?.concurrency,
      ),
    async undo(job) {
      const undone = undoneItems(job.header.job, folder.undoing());
      const items = await appraise(client, planUndo(job, undone, io.now()));
      return { ...(await perform(undoSteps(job, items).steps, job.header.job)), items };
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

/** Runs a change and its undo; expects both to succeed, and the state before. */
export async function expectUndone(
  world: JobWorld,
  op: AnyOperation,
  inputs: readonly LooseInput[],
): Promise<void> {
  const before = world.state();
  const { job, results } = await world.run(op, inputs);
  const told = (all: readonly ItemResult[]) => all.map(({ status, failure }) => failure?.message ?? status);
  expect(told(results)).toEqual(results.map(() => 'ok'));
  expect(world.state()).not.toEqual(before);
  const undone = await world.undo(job);
  expect(undone.items.map(({ undo }) => undo)).toEqual(undone.items.map(() => 'exact'));
  expect(told(undone.results)).toEqual(undone.results.map(() => 'ok'));
  expect(world.state()).toEqual(before);
}

/** The ids of a list. */
export async function idsOf(
  world: JobWorld,
  op: AnyOperation,
  path: Record<string, string>,
): Promise<string[]> {
  const found: string[] = [];
  for await (const item of listOf(world.client, op, { path })) found.push((item as { id: string }).id);
  return found;
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

export function step(op: AnyOperation, { path = {}, query = {}, body }: LooseInput, item = 0): Step {
  const id = path[pathParameters(op.path).at(-1) ?? ''] ?? '';
  const input = { path, query, ...(op.body !== undefined && { body: body ?? {} }) };
  return { op, record: plannedRecord({ item, is: 'planned', id, op: op.id, input }) };
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
