import type { Client, LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { pathParameters } from '../../src/api/operation-facts.js';
import { defined } from '../../src/base/values.js';
import type { Change } from '../../src/jobs/change.js';
import { readsOf } from '../../src/jobs/reads.js';
import { makePlan, type PlanFacts } from '../../src/plans/make.js';
import { itemsOf } from '../../src/plans/operation.js';
import type { Draft, LockEntry, Plan } from '../../src/plans/plan.js';
import type { JobWorld, Ran } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';

/** Plans in a sandbox, without commands. */

export const inOrg = { organizationId: seedId('org acme') };
export const user = (name: string) => seedId(`user ${name}`);
export const member = (name: string) => ({ ...inOrg, userId: user(name) });
export const team = (name: string) => ({ ...inOrg, teamId: seedId(`team ${name}`) });

export function request(op: AnyOperation, path: Readonly<Record<string, unknown>>, body?: unknown): Change {
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

export interface Applied extends Ran {
  /** `ok`, or the code of the failure. */
  told: string[];
}

/** Applies a plan as a job; its steps are made from its operations alone. */
export async function applied(
  world: JobWorld,
  plan: Plan,
  entries: Readonly<Record<string, LockEntry>> = {},
  client?: Client,
): Promise<Applied> {
  const { command, origin, profile, version, undoes } = plan;
  const facts = { command, origin, profile, version, plan: plan.id, ...defined({ undoes }) };
  const ran = await world.perform(itemsOf(plan, entries), { facts, ...defined({ client }) });
  return { ...ran, told: ran.results.map(({ status, failure }) => failure?.code ?? status) };
}

/** The failures of a job, in words. */
export const failures = ({ results }: Applied): string[] =>
  results.filter(({ status }) => status !== 'ok').map(({ id, failure }) => `${id}: ${failure?.message}`);
