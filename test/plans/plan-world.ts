import type { LooseInput } from '../../src/api/client.js';
import { type AnyOperation, pathParameters } from '../../src/api/operation.js';
import { createJob } from '../../src/jobs/create-job.js';
import type { Job } from '../../src/jobs/journal.js';
import { type PlannedRequest, readsOf } from '../../src/jobs/request.js';
import { JobRun } from '../../src/jobs/run-job.js';
import type { ItemResult } from '../../src/jobs/step.js';
import { type Draft, makePlan, type PlanFacts } from '../../src/plans/make.js';
import type { LockEntry, Plan } from '../../src/plans/plan.js';
import { stepsOf } from '../../src/plans/steps.js';
import type { JobWorld } from '../jobs/job-world.js';
import { noTrail } from '../jobs/no-trail.js';
import { seedId } from '../sandbox/client.js';

/** Plans in a sandbox, without commands. */

export const inOrg = { organizationId: seedId('org acme') };
export const user = (name: string) => seedId(`user ${name}`);

export function request(
  op: AnyOperation,
  path: Readonly<Record<string, unknown>>,
  body?: unknown,
): PlannedRequest {
  const input = { path, query: {}, ...(op.body !== undefined && { body: body ?? {} }) } as LooseInput;
  return { op, input, id: String(path[pathParameters(op.path).at(-1) ?? ''] ?? '') };
}

export function factsOf({ io, sandbox }: JobWorld): PlanFacts {
  return {
    nowMs: io.now(),
    version: '0.0.0',
    origin: sandbox.url,
    profile: 'default',
    organization: inOrg.organizationId,
    command: 'test',
    line: ['docs', 'test'],
    by: 'unknown',
    risks: [],
  };
}

export function planOf(world: JobWorld, drafts: readonly Draft[]): Promise<Plan> {
  return makePlan(readsOf(world.client), factsOf(world), drafts);
}

export interface Applied {
  job: Job;
  results: ItemResult[];
  /** `ok`, or the code of the failure. */
  told: string[];
}

/** Applies a plan as a job; its steps are made from its operations alone. */
export async function applied(
  world: JobWorld,
  plan: Plan,
  entries: Readonly<Record<string, LockEntry>> = {},
): Promise<Applied> {
  const { io, client, folder } = world;
  const steps = stepsOf(plan, entries);
  const { origin, profile, version, undoes } = plan;
  const facts = { command: plan.command, origin, profile, version, plan: plan.id, ...(undoes && { undoes }) };
  const open = await createJob(io, folder, facts, steps, true, noTrail);
  const results: ItemResult[] = [];
  try {
    const run = new JobRun({ io, client, journal: open.journal, steps, concurrency: 8, failFast: false });
    for await (const result of run.results()) results.push(result);
  } finally {
    await open.close();
  }
  const told = results.map(({ status, failure }) => failure?.code ?? status);
  return { job: folder.find(open.job), results, told };
}
