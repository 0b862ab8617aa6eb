import type { Space } from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import { rank } from '../access.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';
import { apiUrl, appUrl, fields, withTold } from './fields.js';

export interface SpaceRow
  extends Row<{
    text: 'id org_id title emoji revision_id';
    maybeText: 'parent_id icon git_sync told';
    integer: 'created_at updated_at comments_open change_requests change_requests_open change_requests_draft';
    maybeInteger: 'deleted_at';
  }> {
  visibility: Space['visibility'];
  edit_mode: 'live' | 'locked';
  default_level: Space['defaultLevel'];
}

/** One space, deleted or not, or undefined. */
export function spaceById(db: Database, id: string): SpaceRow | undefined {
  return db.get<SpaceRow>('SELECT * FROM spaces WHERE id = ?', id);
}

/**
 * A space as a member of the given level sees it (spec B, "Space").
 * @param published where it is on a site, if the reader may know it
 */
export function toSpace(row: SpaceRow, level: Role, published?: string): Space {
  const own: Space = {
    object: 'space',
    ...fields(
      row,
      'id',
      'title',
      'emoji',
      'visibility',
      'created_at',
      'updated_at',
      'deleted_at',
      'edit_mode',
    ),
    organization: row.org_id,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    ...(row.git_sync !== null && { gitSync: JSON.parse(row.git_sync) as NonNullable<Space['gitSync']> }),
    ...(row.visibility === 'visitor-auth' && { visitorAuth: { backend: 'custom' } }),
    revision: row.revision_id,
    defaultLevel: row.default_level,
    comments: row.comments_open,
    ...fields(row, 'change_requests', 'change_requests_open', 'change_requests_draft'),
    urls: {
      location: apiUrl(`/spaces/${row.id}`),
      app: appUrl(`/o/${row.org_id}/s/${row.id}`),
      ...defined({ public: publicUrl(row) }),
      ...(row.icon !== null && { icon: row.icon }),
      ...defined({ published }),
    },
    permissions: permissions(level),
  };
  return withTold(own, row.told);
}

/** Where anyone can read a space that is public, whether or not it is on a site. */
export function publicUrl({ id, visibility }: Pick<SpaceRow, 'id' | 'visibility'>): string | undefined {
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  return isOpen ? `https://public.sandbox.example/${id}/` : undefined;
}

function permissions(level: Role): NonNullable<Space['permissions']> {
  const at = (role: Role) => rank(level) >= rank(role);
  return {
    view: true,
    access: true,
    admin: at('admin'),
    viewInviteLinks: at('admin'),
    edit: at('edit'),
    triggerGitSync: at('edit'),
    comment: at('comment'),
    merge: at('review'),
    review: at('review'),
  };
}
