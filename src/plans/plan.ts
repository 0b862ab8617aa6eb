import type { Static } from '../api/type.js';
import type { Change, LockChange, LockEntry } from '../jobs/change.js';
import type { FromEnvironment } from '../jobs/environment.js';
import type { Action, PlanLineRest, PlanSchema } from './schema.js';

/**
 * A plan: what will be sent, made once, shown, applied once (PLANS.md, 1). In memory it is as in its file, whose schema
 * says what each key means, but for bodies that stand beside the file.
 */
export type Plan = Static<typeof PlanSchema>;
export type PlanHead = Omit<Plan, 'operations'>;
export type PlanOperation = Plan['operations'][number];
export type PlanRequest = NonNullable<PlanOperation['request']>;
/** What an operation rests on: it is stale if a read shows anything else. */
export type PlanReads = NonNullable<PlanOperation['reads']>;
/** What `docs impact` counts, over all deletions, moves, transfers and renames of a plan. */
export type PlanImpact = NonNullable<Plan['impact']>;
/** Something that a plan leaves as it is, although a reader of the files may expect a change. */
export type PlanNote = NonNullable<Plan['notes']>[number];
export type Maker = Exclude<Plan['by'], 'unknown'>;

export type { Action, FromEnvironment, LockChange, LockEntry, PlanLineRest };

/**
 * An operation as its maker has it, before anything is read for it. The first of a plan is `o1`, the next `o2`; those
 * that send nothing come last.
 */
export type Draft = ChangeDraft | FindingDraft;

/** What is not said here is told by the request and by what it changes. */
export interface ChangeDraft
  extends Partial<Pick<PlanOperation, 'kind' | 'key' | 'action' | 'fields' | 'risk'>> {
  change: Change;
  finding?: undefined;
}

/** What no request does, or what is withheld. */
export interface FindingDraft extends Pick<PlanOperation, 'kind' | 'key' | 'action'> {
  fields?: PlanOperation['fields'];
  finding: NonNullable<PlanOperation['finding']>;
  change?: undefined;
  risk?: undefined;
}
