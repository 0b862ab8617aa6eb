import type { AnyOperation } from '../api/operation.js';
import { operationsOf } from '../model/operations.js';
import { unknownOperation } from './change.js';

/** The operations that journals and plans name by id, of all resources. A run loads only those that it sends. */

/** An operation by its id. @throws DocsError configuration `unknown_operation` */
export function operationOf(id: string): AnyOperation {
  const [found] = operationsOf([id]);
  if (found === undefined) throw unknownOperation(id);
  return found;
}

/**
 * The operation that a journal names. Of one of another version of docs only the id is known: whoever asks for more gets
 * the error of `operationOf`.
 */
export function operationIn(id: string): AnyOperation {
  if (isOperation(id)) return operationOf(id);
  return new Proxy({ id } as AnyOperation, { get: (_, key) => (key === 'id' ? id : operationOf(id)) });
}

/** Whether there is an operation with this id. */
export function isOperation(id: string): boolean {
  return operationsOf([id]).length > 0;
}
