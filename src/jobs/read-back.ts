import { DocsError } from '../errors.js';
import type { Restores } from './journal.js';
import { operationOf } from './operation-of.js';
import type { Reads } from './request.js';
import { difference, matches } from './state.js';
import type { Outcome } from './step.js';
import { ruleOf } from './undo-rules.js';

/** What a read after an undo shows. */
export type Restored = Pick<Outcome, 'restored' | 'notRestored'>;

/** Compares what an undo left with the state before the change. An undo of unknown effect is read, too. */
export async function readBack(reads: Reads, { op, input, state, undo, why }: Restores): Promise<Restored> {
  let found: Awaited<ReturnType<NonNullable<ReturnType<typeof ruleOf>['read']>>> | undefined;
  try {
    found = await ruleOf(operationOf(op)).read?.(reads, input);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return {
      restored: 'unknown',
      notRestored: `it could not be read again: ${cause.message.replace(/\.$/, '')}`,
    };
  }
  if (found === undefined) return { restored: 'unknown', notRestored: 'no read shows it' };
  const lost = matches(found, state) ? [] : [difference(found, state)];
  if (lost.length === 0 && undo === 'exact') return { restored: 'whole' };
  return { restored: 'part', notRestored: [...(why === undefined ? [] : [why]), ...lost].join('; ') };
}

/** An undo that was to be exact, and is not, has failed. */
export function checked(id: string, outcome: Outcome, restored: Restored, { undo }: Restores): Outcome {
  if (outcome.status !== 'ok' || restored.restored !== 'part' || undo !== 'exact')
    return { ...outcome, ...restored };
  const message = `${id} is not as it was before: ${restored.notRestored}.`;
  const hint = { outcome: 'done', retryable: false } as const;
  const failure = new DocsError('partial', 'not_restored', message, hint);
  return { ...outcome, ...restored, status: 'failed', failure };
}
