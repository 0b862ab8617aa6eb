import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError } from '../base/errors.js';

const byId = new Map(operations.map((op) => [op.id, op]));

/** An operation by its id. @throws DocsError configuration `unknown_operation` */
export function operationOf(id: string): AnyOperation {
  const found = byId.get(id);
  if (found !== undefined) return found;
  const message = `Unknown operation ${id} in the journal: another version of docs wrote it.`;
  const failure = { outcome: 'not-sent', hint: 'docs jobs list' } as const;
  throw new DocsError('configuration', 'unknown_operation', message, failure);
}

/** Whether there is an operation with this id. */
export function isOperation(id: string): boolean {
  return byId.has(id);
}
