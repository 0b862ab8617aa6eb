import type { AnyOperation } from '../../api/operation.js';
import { ruleOf } from '../../jobs/undo-rules.js';

/** What undo leaves of a deletion, by its rule: a sentence; undefined where undo is exact. */
export function undoLimit(op: AnyOperation): string | undefined {
  const { undo, why } = ruleOf(op).forecast({}, undefined);
  if (undo === 'exact') return undefined;
  const limit = undo === 'none' ? 'It cannot be undone' : 'Undo is best effort';
  return why === undefined ? `${limit}.` : `${limit}: ${why}.`;
}
