import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { type ResourceName, resources } from './resources.js';

/** The operations of resources as they are declared; what only needs their ids reads the registry. */

const byId = new Map(operations.map((op) => [op.id, op]));

/** Operations by their ids. */
export function operationsOf(ids: readonly string[]): AnyOperation[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The operation that does this to a resource; of several the narrowest, undefined where none does. */
export function operationOf(name: ResourceName, verb: string): AnyOperation | undefined {
  return operationsOf(resources[name].operations[verb] ?? [])[0];
}
