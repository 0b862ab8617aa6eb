import type { Collection } from '../../api/resources/collections.js';
import type { Space } from '../../api/resources/spaces.js';
import { positionAt } from '../positions.js';
import { collectionById, toCollection } from '../records/collection.js';
import { orgById } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/site-structure.js';
import { spaceById, toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import { childrenOf, lastPosition } from '../spaces/siblings.js';
import type { Database } from '../store/database.js';
import { msOf, msOrNull, tell, upsert } from './rows.js';

/**
 * Puts a collection; a new one goes behind its siblings (`putOrder`). Put its parent first. Call within a write.
 */
export function putCollection(db: Database, collection: Collection): void {
  const { id } = collection;
  upsert(db, 'collections', ['id'], {
    ...placeOf(db, 'collections', collection),
    title: collection.title,
    description: collection.description ?? null,
    // Not told, and not shown. Required by an insertion only.
    created_at: 0,
  });
  tell(db, { table: 'collections', key: { id } }, collection, () =>
    toCollection(collectionById(db, id), 'admin'),
  );
}

/**
 * Puts a space without its content; a new one goes behind its siblings (`putOrder`). Its counts of
 * comments and change requests, and its published URL, are right once these are there and it is put again. Put its
 * collection first; if that is not there, the space is at the top, and shows the collection nevertheless. Call
 * within a write.
 */
export function putSpace(db: Database, space: Space): void {
  const { id } = space;
  upsert(db, 'spaces', ['id'], {
    ...placeOf(db, 'spaces', space),
    title: space.title,
    emoji: space.emoji ?? '',
    icon: space.urls?.icon ?? null,
    visibility: space.visibility,
    edit_mode: space.editMode ?? 'live',
    revision_id: space.revision,
    created_at: msOf(space.createdAt),
    updated_at: msOf(space.updatedAt),
    deleted_at: msOrNull(space.deletedAt),
    git_sync: space.gitSync === undefined ? null : JSON.stringify(space.gitSync),
  });
  tell(db, { table: 'spaces', key: { id } }, space, () => ownSpace(db, space));
}

/** The columns that follow from the parent. One that is there already keeps its position among its siblings. */
function placeOf(db: Database, table: 'collections' | 'spaces', resource: Collection | Space) {
  const { id, organization, parent = null, defaultLevel } = resource;
  const isThere = parent === null || db.get('SELECT 1 FROM collections WHERE id = ?', parent) !== undefined;
  const parentId = isThere ? parent : null;
  const known = db.get<{ parent_id: string | null }>(`SELECT parent_id FROM ${table} WHERE id = ?`, id);
  return {
    id,
    org_id: organization,
    parent_id: parentId,
    // Nothing to inherit from, which must not mean everything: grants give what people have.
    default_level: isThere ? defaultLevel : null,
    position: known?.parent_id === parentId ? undefined : lastPosition(db, organization, parentId),
  };
}

/** Lists that a backup takes spaces from do not all have the published URL; one that lacks it says nothing. */
function ownSpace(db: Database, { id, organization, urls }: Space): Space {
  const org = found(orgById(db, organization), 'organization', organization);
  const published =
    urls?.published === undefined ? undefined : publishedUrlOfSpace({ db, org, shareKey: undefined }, id);
  return toSpace(found(spaceById(db, id), 'space', id), 'admin', published);
}

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
