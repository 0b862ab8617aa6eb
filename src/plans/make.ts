import { nodeCrypto } from '../base/hash.js';
import { changeId } from '../jobs/change.js';
import type { Reads } from '../jobs/reads.js';
import { countActions } from './counts.js';
import { hashOfPlan } from './hash.js';
import type { ChangeDraft, Draft, FindingDraft, Plan, PlanHead, PlanOperation } from './plan.js';
import { planVersion } from './schema.js';

export type PlanFacts = Omit<PlanHead, 'plan' | 'id' | 'hash' | 'madeAt' | 'counts'> & { nowMs: number };

/**
 * Reads what each change rests on, foresees its undo, and makes the plan. Sends nothing but reads.
 * @param reads may remember what they read
 * @throws DocsError where the platform is out of reach
 */
export async function makePlan(reads: Reads, facts: PlanFacts, drafts: readonly Draft[]): Promise<Plan> {
  const { nowMs, ...head } = facts;
  const changes = drafts.filter((draft) => draft.change !== undefined);
  const operations = [
    ...(changes.length === 0 ? [] : await changesOf(reads, changes, drafts.length === 1)),
    ...drafts
      .filter((draft) => draft.finding !== undefined)
      .map((one, at) => findingOf(one, changes.length + at)),
  ];
  const plan: Omit<Plan, 'hash'> = {
    plan: planVersion,
    id: `p-${nodeCrypto().randomBytes(8).toString('hex')}`,
    madeAt: new Date(nowMs).toISOString(),
    ...head,
    counts: countActions(operations),
    operations,
  };
  return { ...plan, hash: hashOfPlan(plan) };
}

/** What makes operations knows the undo of each, and is loaded if there are any. */
async function changesOf(
  reads: Reads,
  changes: readonly ChangeDraft[],
  isAlone: boolean,
): Promise<PlanOperation[]> {
  const { plannedChanges } = await import('./planned-changes.js');
  return plannedChanges(reads, changes, isAlone);
}

function findingOf({ kind, key, action, fields = {}, finding }: FindingDraft, at: number): PlanOperation {
  return { id: changeId(at), finding, kind, key, action, fields, undo: 'none' };
}
