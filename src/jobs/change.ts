import type { LooseInput } from '../api/client.js';
import { type AnyOperation, pathParameters } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { operationsOf } from '../model/operations.js';

/** An operation by its id. @throws DocsError configuration `unknown_operation` */
export function operationOf(id: string): AnyOperation {
  const [found] = operationsOf([id]);
  if (found !== undefined) return found;
  const message = `Unknown operation ${id} in the journal: another version of docs wrote it.`;
  const failure = { outcome: 'not-sent', hint: 'docs jobs list' } as const;
  throw new DocsError('configuration', 'unknown_operation', message, failure);
}

/** Whether there is an operation with this id. */
export function isOperation(id: string): boolean {
  return operationsOf([id]).length > 0;
}

/** A request held as data. */
export interface Change {
  op: AnyOperation;
  /** Checked against the declaration of the operation. */
  input: LooseInput;
  /** The id that names the item: the last path parameter; '' where the path has none. */
  id: string;
  /** Flags of its command that its guard looks at. */
  flags?: readonly string[] | undefined;
}

/** A request with those of the given path parameters that its operation has. */
export function requestFor(
  op: AnyOperation,
  path: Readonly<Record<string, string>> = {},
  body?: unknown,
): Change {
  const names = pathParameters(op.path);
  const own = Object.fromEntries(names.map((name) => [name, path[name] ?? '']));
  const input = { path: own, query: {}, ...(op.body !== undefined && { body: body ?? {} }) };
  return { op, input, id: own[names.at(-1) ?? ''] ?? '' };
}
