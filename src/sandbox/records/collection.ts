import type { Collection } from '../../api/resources/collections.js';
import type { Role } from '../../api/shapes.js';
import { rank } from '../access.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { apiUrl, appUrl, fields } from './fields.js';
import { withTold } from './told.js';

export interface CollectionRow {
  id: string;
  org_id: string;
  parent_id: string | null;
  title: string;
  description: string | null;
  default_level: Collection['defaultLevel'];
  /** Among the collections and spaces of its parent (positions.ts). */
  position: string;
  told: string | null;
}

/** @throws 404 */
export function collectionById(db: Database, id: string): CollectionRow {
  return found(db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id), 'collection', id);
}

/** A collection as a member of the given level sees it (spec B, "Collection"). */
export function toCollection(row: CollectionRow, level: Role): Collection {
  const own: Collection = {
    object: 'collection',
    ...fields(row, 'id', 'title', 'description'),
    organization: row.org_id,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    defaultLevel: row.default_level,
    urls: { location: apiUrl(`/collections/${row.id}`), app: appUrl(`/o/${row.org_id}/c/${row.id}`) },
    permissions: {
      view: true,
      admin: level === 'admin',
      viewInviteLinks: level === 'admin',
      create: rank(level) >= rank('create'),
    },
  };
  return withTold(own, row.told);
}
