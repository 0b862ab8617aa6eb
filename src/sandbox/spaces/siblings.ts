import * as positions from '../positions.js';
import { notFound } from '../refusal.js';
import type { Database } from '../store/database.js';

/** A space or a collection; children of one parent share one order. */
export interface Sibling {
  kind: 'space' | 'collection';
  id: string;
}

/** A neighbour as a request names it. */
export type Neighbour = { type: 'space'; space: string } | { type: 'collection'; collection: string };

/** Target of a move: a parent (null for the top level) and at most one neighbour. */
export interface Place {
  orgId: string;
  parentId: string | null;
  before?: Neighbour | undefined;
  after?: Neighbour | undefined;
}

type Child = Sibling & positions.Placed;

/** The children of a parent in order; deleted spaces keep their place. */
export function childrenOf(db: Database, orgId: string, parentId: string | null): Child[] {
  return db.all<Child>(
    `SELECT 'space' AS kind, id, position FROM spaces WHERE org_id = ?1 AND parent_id IS ?2
     UNION ALL
     SELECT 'collection', id, position FROM collections WHERE org_id = ?1 AND parent_id IS ?2
     ORDER BY position, id`,
    orgId,
    parentId,
  );
}

/** The position after the last child of a parent. */
export function lastPosition(db: Database, orgId: string, parentId: string | null): string {
  return positions.lastPosition(childrenOf(db, orgId, parentId));
}

/**
 * Moves a space or collection; its siblings keep their positions. Without a neighbour it goes to the end.
 * @throws 404 for a neighbour under another parent
 */
export function moveTo(db: Database, moved: Sibling, { orgId, parentId, before, after }: Place): void {
  const siblings = childrenOf(db, orgId, parentId).filter((child) => !same(child, moved));
  const index = before ? placeOf(siblings, before) : after && placeOf(siblings, after) + 1;
  const at = index ?? siblings.length;
  const position = positions.positionBetween(siblings[at - 1]?.position, siblings[at]?.position);
  const sql = `UPDATE ${moved.kind}s SET parent_id = ?, org_id = ?, position = ? WHERE id = ?`;
  db.run(sql, parentId, orgId, position, moved.id);
}

/** The space or collection that a neighbour names. */
export function siblingOf(neighbour: Neighbour): Sibling {
  return neighbour.type === 'space'
    ? { kind: 'space', id: neighbour.space }
    : { kind: 'collection', id: neighbour.collection };
}

/** @throws 404 if it is not among the siblings */
export function placeOf(siblings: readonly Sibling[], neighbour: Neighbour): number {
  const wanted = siblingOf(neighbour);
  const index = siblings.findIndex((sibling) => same(sibling, wanted));
  if (index < 0) throw notFound(`neighbouring ${wanted.kind}`, wanted.id);
  return index;
}

export function same(a: Sibling, b: Sibling): boolean {
  return a.kind === b.kind && a.id === b.id;
}
