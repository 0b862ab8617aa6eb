import { Space } from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import { rank } from '../access.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';
import { apiUrl, appUrl } from './fields.js';
import { layoutOf } from './layout.js';

export interface SpaceRow
  extends Row<{
    text: 'id org_id title emoji revision_id';
    maybeText: 'parent_id icon git_sync';
    integer: 'created_at';
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

export const spaceLayout = layoutOf(Space, {
  computed: ['visitorAuth', 'urls', 'permissions'],
  columns: {
    ...{ organization: 'org_id', parent: 'parent_id' },
    ...{ revision: 'revision_id', comments: 'comments_open' },
  },
  counted: ['comments', 'changeRequests', 'changeRequestsOpen', 'changeRequestsDraft'],
});

/**
 * A space as a member of the given level sees it (spec B, "Space").
 * @param published where it is on a site, if the reader may know it
 */
export function toSpace(row: SpaceRow, level: Role, published?: string): Space {
  return spaceLayout.item(row, {
    visitorAuth: row.visibility === 'visitor-auth' ? { backend: 'custom' } : undefined,
    urls: {
      location: apiUrl(`/spaces/${row.id}`),
      app: appUrl(`/o/${row.org_id}/s/${row.id}`),
      ...defined({ public: publicUrl(row) }),
      ...(row.icon !== null && { icon: row.icon }),
      ...defined({ published }),
    },
    permissions: permissions(level),
  });
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
