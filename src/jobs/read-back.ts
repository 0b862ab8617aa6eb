import { defined } from '../defined.js';
import { DocsError } from '../errors.js';
import type { PlanLine, Restores } from './journal.js';
import { operationOf } from './operation-of.js';
import type { Reads } from './request.js';
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
