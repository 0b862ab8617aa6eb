import type { Io } from '../base/io.js';
import { environmentIssues, referencesIn } from '../jobs/environment.js';
import { counted } from '../output/text.js';
import { refuseApplied } from './applied.js';
import type { Plan } from './plan.js';
import { type Reason, refusal } from './reasons.js';

/** How old a plan may be unless told otherwise, in milliseconds. */
export const defaultMaxAgeMs = 86_400_000;

/** A plan of a clock that runs ahead by this much is one of the future, in milliseconds. */
export const clockDoubtMs = 5 * 60_000;

/** Where a plan is about to be applied. */
export interface CheckFacts {
  /** As in the header of a journal. */
  origin: string;
  profile: string;
  organization?: string | undefined;
  maxAgeMs?: number | undefined;
  /** What is wrong with its file: of `loadPlan`. */
  reasons?: readonly Reason[];
  /** How it is named in commands: its path. */
  path?: string;
}

/**
 * Refuses a plan that must not be applied here and now, with all reasons at once; nothing was sent.
 * @throws DocsError usage: `plan_applied`, `plan_edited`, `plan_misdescribed`, `plan_foreign`, `plan_version`, `plan_expired`,
 *   `env_unset`, `env_changed`, whichever comes first; `details.reasons` lists all
 */
export function checkPlan(io: Io, plan: Plan, facts: CheckFacts): void {
  const given = facts.reasons ?? [];
  const own = [...refuseApplied(io, String(plan.id)), ...given];
  // Of another version, nothing else of it is understood.
  const isRead = !given.some(({ code }) => code === 'plan_version');
  const all = isRead
    ? [...own, ...foreign(plan, facts), ...expired(io, plan, facts), ...variables(io, plan)]
    : own;
  if (all.length > 0) throw refusal(all);
}

interface ItselfFacts extends Pick<CheckFacts, 'reasons' | 'maxAgeMs'> {
  /** Whether a job of it can be resumed: the plan is applied already, and its age no longer matters. */
  begun?: boolean;
}

/**
 * Refuses a plan that nobody could apply anywhere, as far as this machine can tell: for approving it.
 * @throws DocsError usage: `plan_applied`, `plan_edited`, `plan_misdescribed`, `plan_version`, `plan_expired`
 */
export function checkPlanItself(io: Io, plan: Plan, facts: ItselfFacts): void {
  const given = facts.reasons ?? [];
  const isBegun = facts.begun === true;
  const own = isBegun ? given : [...refuseApplied(io, String(plan.id)), ...given];
  const isRead = !isBegun && !given.some(({ code }) => code === 'plan_version');
  const all = isRead ? [...own, ...expired(io, plan, facts)] : own;
  if (all.length > 0) throw refusal(all);
}

/** Why a plan was made for somewhere else: one reason for all that differs; empty where it was made for here. */
export function foreign(plan: Plan, facts: CheckFacts): Reason[] {
  const pairs = [
    ['organization', plan.organization, facts.organization],
    ['platform', plan.origin, facts.origin],
    ['profile', plan.profile, facts.profile],
  ] as const;
  const differing = pairs.filter(
    ([what, its, own]) => its !== own && !(what === 'organization' && its === undefined),
  );
  if (differing.length === 0) return [];
  const told = differing.map(([what, its, own]) => `${what} ${its}, not ${own ?? 'none'}`).join('; ');
  return [{ code: 'plan_foreign', message: `The plan was made for ${told}.`, hint: 'docs config list' }];
}

function expired(io: Io, plan: Plan, { maxAgeMs = defaultMaxAgeMs }: Pick<CheckFacts, 'maxAgeMs'>): Reason[] {
  const ageMs = io.now() - Date.parse(plan.madeAt);
  const hint = 'docs apply --help';
  if (ageMs < -clockDoubtMs || Number.isNaN(ageMs)) {
    const message = `The plan was made at ${plan.madeAt}, which is in the future by the clock of this machine.`;
    return [{ code: 'plan_expired', message, hint: 'date' }];
  }
  if (ageMs <= maxAgeMs) return [];
  const message = `The plan was made ${ageText(ageMs)} ago; --max-age allows ${ageText(maxAgeMs)}.`;
  return [{ code: 'plan_expired', message, hint }];
}

/** A span of time in words: `90 seconds`, `3 hours`. */
export function ageText(ms: number): string {
  if (ms < 120_000) return counted(Math.round(ms / 1000), 'second');
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function variables(io: Io, { operations }: Plan): Reason[] {
  const { unset, changed } = environmentIssues(
    io.env,
    operations.flatMap(({ request }) => referencesIn(request?.body)),
  );
  const reason = (code: 'env_unset' | 'env_changed', names: readonly string[], how: string): Reason[] => {
    const [first] = names;
    if (first === undefined) return [];
    const message = `Environment ${names.length === 1 ? 'variable' : 'variables'} ${names.join(', ')} ${how}.`;
    return [{ code, message, hint: code === 'env_unset' ? `printenv ${first}` : 'docs plan' }];
  };
  return [
    ...reason('env_unset', unset, `${unset.length === 1 ? 'is' : 'are'} not set`),
    ...reason('env_changed', changed, 'changed after the plan was made'),
  ];
}
