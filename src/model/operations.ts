import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import { operations } from '../api/resources/index.js';
import { aboutOperation, type ResourceName, resources } from './resources.js';

/** The operations of resources as they are declared; what only needs their ids reads the registry. */

const byId = new Map(operations.map((op) => [op.id, op]));

/** Operations by their ids. */
export function operationsOf(ids: readonly string[]): AnyOperation[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Of operations by their ids the first whose path parameters are all known: in a change request that of its content. */
export function knownAmong(ids: readonly string[], path: object): AnyOperation | undefined {
  return operationsOf(ids).find((op) => pathParameters(op.path).every((name) => name in path));
}

/** The operation that does this to a resource; of several the narrowest, undefined where none does. */
export function operationOf(name: ResourceName, verb: string): AnyOperation | undefined {
  return operationsOf(resources[name].operations[verb] ?? [])[0];
}

/**
 * The operation that reads in a change request what another reads in its space: `comments.list` becomes
 * `change-request-comments.list`. Both take the same query and give the same answer.
 * @param path with the change request, if it is one
 */
export function operationIn<Op extends AnyOperation>(op: Op, path: { changeRequestId?: string }): Op {
  if (path.changeRequestId === undefined) return op;
  const { resource, verb } = aboutOperation(op.id) ?? {};
  const found = operationsOf(resource?.operations[verb ?? ''] ?? []);
  const narrow = found.find((one) => pathParameters(one.path).includes('changeRequestId'));
  if (narrow === undefined) throw new Error(`No request does ${op.id} in a change request.`);
  return narrow as Op;
}
