import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import type { ItemRecord } from './journal.js';
import type { Rule } from './rule.js';
import type { Outcome, Step } from './step.js';

/** Why an item of a job is not done. */

/** Whether an earlier process sent the request and no answer came. */
export function wasSent({ state }: ItemRecord): boolean {
  return state === 'started' || state === 'unknown';
}

/** skipped: the run ended, or the journal failed, before anything was sent. */
export function statusOf({ kind, failure: { outcome } }: DocsError): 'failed' | 'unknown' | 'skipped' {
  const ending = kind === 'interrupted' || kind === 'terminated' || kind === 'local-io';
  if (ending && outcome !== 'unknown' && outcome !== 'done') return 'skipped';
  return outcome === 'unknown' ? 'unknown' : 'failed';
}

/** @throws what is not a DocsError: a bug */
export function failed({ record }: Step, cause: unknown): Outcome {
  if (!(cause instanceof DocsError)) throw cause;
  const status = statusOf(cause);
  // Where an earlier process sent the request, a failed lookup leaves its outcome unknown.
  return { status: status === 'failed' && wasSent(record) ? 'unknown' : status, failure: cause };
}

/** Why an answer with a success status is a failure; undefined where it is none. */
export function refusedIn(rule: Rule, answer: unknown): DocsError | undefined {
  const refusal = rule.refusedBy?.(answer);
  return refusal === undefined
    ? undefined
    : new DocsError('conflict', 'conflicts', refusal, { outcome: 'refused' });
}

export function heldBack(id: string): Outcome {
  // An id that the other item would have made is still a placeholder.
  const what = id.includes('{') ? 'It' : id;
  const message = `${what} was not sent: an item that must come first was not done.`;
  const failure = new DocsError('partial', 'held_back', message, { outcome: 'not-sent' });
  return { status: 'skipped', failure };
}

/** A failed read before a change, as the failure of the change. */
export function notSent({ kind, code, message, failure }: DocsError): DocsError {
  return new DocsError(kind, code, message, { ...failure, outcome: 'not-sent' });
}

export function changed(id: string, how: string): DocsError {
  const message = `${id} has changed since: ${how}.`;
  return new DocsError('conflict', 'changed_since', message, { outcome: 'not-sent' });
}

export function unknownOutcome(
  { plan: { item, id, op } }: ItemRecord,
  why: string,
  { candidates, hint }: { candidates: readonly string[]; hint: string | undefined },
): DocsError {
  const what = id === '' || candidates.length > 0 ? `item ${item} (${op})` : id;
  const message = `The outcome of ${what} is unknown: ${why}.`;
  const details = { item, ...(candidates.length > 0 && { candidates }) };
  return new DocsError('unknown-outcome', 'outcome_unknown', message, {
    outcome: 'unknown',
    details,
    ...defined({ hint }),
  });
}
