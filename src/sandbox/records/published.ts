import type { Site } from '../../api/resources/sites.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';
import type { OrgRow } from './in-path.js';

/** Where sites and spaces are published. */

/** What the address of a site follows from. */
export interface AddressedSite
  extends Row<{
    text: 'id share_key';
    maybeText: 'hostname basename proxy';
    integer: 'published';
  }> {
  visibility: Site['visibility'];
}

/** Published URL of a space that is not deleted: on the oldest published site whose URL the reader may know. */
export function publishedUrlOfSpace(
  { db, org, shareKey }: { db: Database; org: OrgRow; shareKey?: string | undefined },
  spaceId: string,
): string | undefined {
  const sql = `SELECT t.id, t.published, t.visibility, t.share_key, t.proxy, t.hostname, t.basename,
      n.path AS section_path, ss.path
    FROM site_spaces ss JOIN sites t ON t.id = ss.site_id LEFT JOIN sections n ON n.id = ss.section_id
    WHERE ss.space_id = ? AND t.published ORDER BY t.created_at, t.id`;
  const read = () => {
    const rows = db.all<AddressedSite & { section_path: string | null; path: string }>(sql, spaceId);
    const urls = rows.map((row) => urlOf(publishedUrl(row, org, shareKey), row.section_path, row.path));
    return urls.find((url) => url !== undefined);
  };
  return shareKey === undefined ? db.remember(`site of ${spaceId}`, read, urlTables) : read();
}

/** What the URL of a space follows from; one that leaves its organization leaves its sites. */
const urlTables = ['site_spaces', 'sites', 'sections', 'organizations'];

/** Published URLs contain the whole path, so that a bookmark still works after the default changes. */
export function urlOf(base: string | undefined, ...paths: (string | null | undefined)[]) {
  if (base === undefined) return undefined;
  const given = paths.filter((path) => typeof path === 'string');
  return base + given.map((path) => `${path.split('/').map(encodeURIComponent).join('/')}/`).join('');
}

/**
 * URL of a published site, ending in a slash; undefined unless published, or if the link is secret and
 * `shareKey` is not its key (spec C, `shareKey`). A proxy takes precedence over the site's hostname, and
 * that over the organization's address.
 */
export function publishedUrl(
  row: AddressedSite,
  org: OrgRow,
  shareKey: string | undefined,
): string | undefined {
  if (row.published === 0) return undefined;
  const base = addressOf(row, org);
  if (row.visibility !== 'share-link') return base;
  return shareKey === row.share_key ? `${base}${row.share_key}/` : undefined;
}

function addressOf(row: AddressedSite, org: OrgRow): string {
  if (row.proxy !== null) return `https://${row.proxy}/`;
  if (row.hostname !== null) return `https://${row.hostname}/`;
  const place = [org.hostname ?? org.id, row.basename ?? row.id].map(encodeURIComponent).join('/');
  return `https://sites.sandbox.example/${place}/`;
}
