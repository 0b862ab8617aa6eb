import type { PlanLine } from '../jobs/journal.js';
import type { PlannedRequest, Reads } from '../jobs/request.js';
import type { Step } from '../jobs/step.js';
import type { LockChange, Plan, PlanHead, PlanOperation } from './plan.js';

/** What a plan is made from: by commands from the steps of their job, by the organization as code from its planner. */
export interface Draft extends Partial<Pick<PlanOperation, 'kind' | 'key' | 'action' | 'fields' | 'risk'>> {
  /** Absent for findings and for what is withheld. Ids that earlier drafts make are `{ $from: <index>, path }`. */
  request?: PlannedRequest;
  finding?: PlanOperation['finding'];
  /** Indexes of the drafts that must succeed first. */
  after?: readonly number[];
  /** Its line of the journal, where there is one already: of an undo, of an offboarding. */
  line?: PlanLine;
  lock?: LockChange;
}

export type PlanFacts = Omit<PlanHead, 'plan' | 'id' | 'hash' | 'madeAt' | 'counts'> & { nowMs: number };

/** The steps of a job as drafts. */
export function draftsOf(_steps: readonly Step[]): Draft[] {
  throw new Error('not built yet');
}

/**
 * Reads what each change rests on, foresees its undo, and makes the plan. Sends nothing but reads.
 * @throws DocsError where the platform is out of reach
 */
export async function makePlan(_reads: Reads, _facts: PlanFacts, _drafts: readonly Draft[]): Promise<Plan> {
  throw new Error('not built yet');
}
