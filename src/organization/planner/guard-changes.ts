import type { KindName } from '../model.js';
import type { Drafting } from './drafting.js';
import type { Operation } from './operation.js';

export function changesOf({ operations }: Drafting, kind: KindName): Operation[] {
  return operations.filter((operation) => operation.kind === kind);
}

/** What a change makes of a field; undefined where it leaves it alone. */
export function after({ fields, action }: Operation, field: string): unknown {
  return action === 'delete' ? undefined : fields[field]?.after;
}
