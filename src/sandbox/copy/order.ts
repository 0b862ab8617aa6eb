import { positionAt } from '../positions.js';
import { childrenOf } from '../spaces/siblings.js';
import type { Database } from '../store/database.js';

/**
 * Puts spaces and collections of one parent into an order; children that it does not name follow, as they were.
 * Lists have spaces or collections, never both, so the order is given for each on its own; collections precede
 * spaces. Call within a write.
 * @param collectionId null for the top level
 */
export function putOrder(db: Database, collectionId: string | null, ids: readonly string[]): void {
  const orgId = orgOf(db, collectionId ?? ids[0]);
  if (orgId === undefined) return;
  const place = new Map(ids.map((id, index) => [id, index]));
  const children = childrenOf(db, orgId, collectionId).map((child, index) => ({ ...child, index }));
  const rankOf = (child: (typeof children)[number]) => place.get(child.id) ?? ids.length + child.index;
  const kindOf = ({ kind }: { kind: string }) => (kind === 'collection' ? 0 : 1);
  children.sort((a, b) => kindOf(a) - kindOf(b) || rankOf(a) - rankOf(b));
  for (const [index, { kind, id, position }] of children.entries()) {
    const wanted = positionAt(index);
    if (position !== wanted) db.run(`UPDATE ${kind}s SET position = ? WHERE id = ?`, wanted, id);
  }
}

/** The organization of a collection or space. */
function orgOf(db: Database, id: string | undefined): string | undefined {
  const sql =
    'SELECT org_id FROM collections WHERE id = ?1 UNION ALL SELECT org_id FROM spaces WHERE id = ?1';
  return id === undefined ? undefined : db.get<{ org_id: string }>(sql, id)?.org_id;
}
