import { Space } from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { rank } from '../access.js';
import { apiUrl, appUrl } from './fields.js';
import type { SpaceRow } from './in-path.js';
import { layoutOf } from './layout.js';

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
    urls: urlsOf(row, published),
    permissions: permissions(level),
  });
}

function urlsOf(row: SpaceRow, published: string | undefined): NonNullable<Space['urls']> {
  const urls: NonNullable<Space['urls']> = {
    location: apiUrl(`/spaces/${row.id}`),
    app: appUrl(`/o/${row.org_id}/s/${row.id}`),
  };
  const open = publicUrl(row);
  if (open !== undefined) urls.public = open;
  if (row.icon !== null) urls.icon = row.icon;
  if (published !== undefined) urls.published = published;
  return urls;
}

/** Where anyone can read a space that is public, whether or not it is on a site. */
export function publicUrl({ id, visibility }: Pick<SpaceRow, 'id' | 'visibility'>): string | undefined {
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  return isOpen ? `https://public.sandbox.example/${id}/` : undefined;
}

function permissions(level: Role): NonNullable<Space['permissions']> {
  const own = rank(level);
  const at = (role: Role) => own >= rank(role);
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
