import type { AnyOperation } from '../../api/operation.js';
import { kinds } from '../../organization/kinds/index.js';

/** What the commands of the organization as code send, from the declarations of the kinds. */

/** The operations that read what files can name. */
export const reads: readonly AnyOperation[] = unique(kinds.flatMap((kind) => kind.reads));

/** The operations that make the platform what files say. */
export const changes: readonly AnyOperation[] = unique(
  kinds.flatMap(({ create, update, remove, order, fields }) => [
    create?.op,
    update,
    remove,
    order?.op,
    order?.enter?.op,
    order?.leave?.op,
    ...fields.map(({ setBy }) => setBy?.op),
  ]),
);

function unique(operations: readonly (AnyOperation | undefined)[]): AnyOperation[] {
  return [...new Set(operations)].filter((op) => op !== undefined);
}
