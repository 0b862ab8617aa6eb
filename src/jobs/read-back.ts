import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import type { PlanLine, Restores } from './journal.js';
import { operationOf } from './operation-of.js';
import type { Reads } from './request.js';
import type { Rule } from './rule.js';
import { difference, matches, type State } from './state.js';
import type { Outcome } from './step.js';
import { ruleOf } from './undo-rules.js';

/** What a read after an undo shows. */
export interface Restored {
  restored: NonNullable<Outcome['restored']>;
  notRestored?: string;
}

/** Compares what an undo left with the state before the change, as far as it can be read. */
export async function readBack(reads: Reads, restores: Restores): Promise<Restored> {
  const { op, input, state, undo, why } = restores;
  let found: State | undefined;
  try {
    found = state === undefined ? undefined : await ruleOf(operationOf(op)).read?.(reads, input);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return {
      restored: 'unknown',
      notRestored: `it cannot be read again: ${cause.message.replace(/\.$/, '')}`,
    };
  }
  if (state === undefined || found === undefined)
    return { restored: 'unknown', notRestored: 'no read shows it' };
  const lost = matches(found, state) ? [] : [difference(found, state)];
  if (lost.length === 0 && undo === 'exact') return { restored: 'whole' };
  return { restored: 'part', notRestored: [...(why === undefined ? [] : [why]), ...lost].join('; ') };
}

/**
 * Why a change whose answer is a success does not count as done: a read does not show the state it asks for, or
 * fails, so that its effect is unknown.
 * @returns undefined where the state is there
 */
export async function unconfirmed(
  reads: Reads,
  rule: Rule,
  { id, input }: PlanLine,
): Promise<DocsError | undefined> {
  try {
    const wanted = rule.wanted?.(input, undefined);
    const found = wanted && (await rule.read?.(reads, input));
    if (wanted === undefined || found === undefined || matches(found, wanted)) return undefined;
    const message = `The platform answered that ${id} was changed, but a read does not show it: ${difference(found, wanted)}.`;
    return new DocsError('partial', 'not_in_effect', message, { outcome: 'done', retryable: true });
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const message = `${id} was changed, but cannot be read again: ${cause.message}`;
    return new DocsError('unknown-outcome', 'outcome_unknown', message, { outcome: 'unknown', cause });
  }
}

/** The outcome with what the read shows. An undo that was to be exact, and is not, has failed. */
export function checked(outcome: Outcome, { restored, notRestored }: Restored, at: PlanLine): Outcome {
  const { id = at.id, undo } = at.restores ?? {};
  // The last request of several may be about something else.
  const told = notRestored !== undefined && id !== at.id ? `${id}: ${notRestored}` : notRestored;
  const read = defined({ restored, notRestored: told });
  if (outcome.status !== 'ok' || restored !== 'part' || undo !== 'exact') return { ...outcome, ...read };
  const message = `${id} is not as it was before: ${notRestored}.`;
  const failure = new DocsError('partial', 'not_restored', message, { outcome: 'done', retryable: false });
  return { ...outcome, ...read, status: 'failed', failure };
}
