import type { Space } from '../../api/resources/spaces.js';
import { orgById } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/site-structure.js';
import { spaceById, toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import { lastPosition } from '../spaces/siblings.js';
import type { Database } from '../store/database.js';
import { msOf, msOrNull, tell, upsert } from './rows.js';

/**
 * Puts a space without its content; a new one goes behind its siblings (`putOrder` in order.ts). Its counts of
 * comments and change requests, and its published URL, are right once these are there and it is put again. Put its
 * collection first; if that is not there, the space is at the top, and shows the collection nevertheless. Call
 * within a write.
 */
export function putSpace(db: Database, space: Space): void {
  const { id, organization, parent = null } = space;
  const known = db.get<{ parent_id: string | null }>('SELECT parent_id FROM spaces WHERE id = ?', id);
  const parentIsThere =
    parent === null || db.get('SELECT 1 FROM collections WHERE id = ?', parent) !== undefined;
  const parentId = parentIsThere ? parent : null;
  const stays = known !== undefined && known.parent_id === parentId;
  upsert(db, 'spaces', ['id'], {
    id,
    org_id: organization,
    parent_id: parentId,
    title: space.title,
    emoji: space.emoji ?? '',
    icon: space.urls?.icon ?? null,
    visibility: space.visibility,
    edit_mode: space.editMode ?? 'live',
    // Nothing to inherit from, which must not mean everything: grants give what people have.
    default_level: parentIsThere ? space.defaultLevel : null,
    revision_id: space.revision,
    position: stays ? undefined : lastPosition(db, organization, parentId),
    created_at: msOf(space.createdAt),
    updated_at: msOf(space.updatedAt),
    deleted_at: msOrNull(space.deletedAt),
    git_sync: space.gitSync === undefined ? null : JSON.stringify(space.gitSync),
  });
  tell(db, { table: 'spaces', key: { id } }, space, () => ownSpace(db, space));
}

/** Lists that a backup takes spaces from do not all have the published URL; one that lacks it says nothing. */
function ownSpace(db: Database, { id, organization, urls }: Space): Space {
  const org = found(orgById(db, organization), 'organization', organization);
  const published =
    urls?.published === undefined ? undefined : publishedUrlOfSpace({ db, org, shareKey: undefined }, id);
  return toSpace(found(spaceById(db, id), 'space', id), 'admin', published);
}
