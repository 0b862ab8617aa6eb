import type { Collection } from '../../api/resources/collections.js';
import { collectionById, toCollection } from '../records/collection.js';
import { lastPosition } from '../spaces/siblings.js';
import type { Database } from '../store/database.js';
import { tell, upsert } from './rows.js';

/**
 * Puts a collection; a new one goes behind its siblings (`putOrder` in order.ts). Put its parent first. Call within
 * a write.
 */
export function putCollection(db: Database, collection: Collection): void {
  const { id, organization, parent = null } = collection;
  const known = db.get<{ parent_id: string | null }>('SELECT parent_id FROM collections WHERE id = ?', id);
  const isThere = parent === null || db.get('SELECT 1 FROM collections WHERE id = ?', parent) !== undefined;
  const parentId = isThere ? parent : null;
  const stays = known !== undefined && known.parent_id === parentId;
  upsert(db, 'collections', ['id'], {
    id,
    org_id: organization,
    parent_id: parentId,
    title: collection.title,
    description: collection.description ?? null,
    default_level: isThere ? collection.defaultLevel : null,
    position: stays ? undefined : lastPosition(db, organization, parentId),
    // Not told, and not shown. Required by an insertion only.
    created_at: 0,
  });
  tell(db, { table: 'collections', key: { id } }, collection, () =>
    toCollection(collectionById(db, id), 'admin'),
  );
}
