import type { AdaptiveSchema, VisitorSchema } from '../../api/resources/adaptive-schemas.js';
import type { Site } from '../../api/resources/sites.js';
import { rank } from '../access.js';
import { orgTable } from '../org-table.js';
import { found, refusal } from '../refusal.js';
import { iso } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { apiUrl, appUrl, fields } from './fields.js';
import type { OrgRow } from './org.js';
import { withTold } from './told.js';

export interface SiteRow {
  id: string;
  org_id: string;
  type: string;
  title: string;
  hostname: string | null;
  basename: string | null;
  proxy: string | null;
  visibility: Site['visibility'];
  share_key: string;
  published: number;
  adaptive_content: number;
  adaptive_schema: string | null;
  adaptive_schema_updated_at: number | null;
  created_at: number;
  /** JSON. */
  icon: string | null;
  site_spaces: number;
  told: string | null;
  adaptive_schema_told: string | null;
}

/** Columns of a site from `sites t`. */
export const siteColumns = `t.*,
  (SELECT count(*) FROM live_site_spaces x WHERE x.site_id = t.id) AS site_spaces`;

/** A site of the organization. @throws 404 */
export function siteById(db: Database, orgId: string, id: string): SiteRow {
  const sql = `SELECT ${siteColumns} FROM sites t WHERE t.id = ? AND t.org_id = ?`;
  return found(db.get<SiteRow>(sql, id, orgId), 'site', id);
}

export const sites = orgTable({
  table: 'sites',
  what: 'site',
  columns: () => [siteColumns],
  item: (row: SiteRow, { org, caller }) => {
    const managesSites = rank(caller.role) >= rank('create');
    return toSite(row, publishedUrl(row, org, managesSites ? row.share_key : undefined));
  },
});

/** A site (spec C, "Site"). @param published its published URL, if the reader may know it */
export function toSite(row: SiteRow, published: string | undefined): Site {
  const own: Site = {
    object: 'site',
    ...fields(row, 'id', 'type', 'title', 'hostname', 'basename'),
    ...(row.icon !== null && { icon: JSON.parse(row.icon) as NonNullable<Site['icon']> }),
    ...(row.proxy !== null && { proxy: { origin: row.proxy, target: targetOf(row) } }),
    visibility: row.visibility,
    published: row.published === 1,
    siteSpaces: row.site_spaces,
    createdAt: iso(row.created_at),
    adaptiveContent: { enabled: row.adaptive_content === 1 },
    ...ofType(row.type),
    urls: {
      location: apiUrl(`/orgs/${row.org_id}/sites/${row.id}`),
      app: appUrl(`/o/${row.org_id}/sites/${row.id}`),
      ...(published !== undefined && { published }),
    },
  };
  return withTold(own, row.told);
}

/** What comes with the type: advertisements on sponsored sites, sections and customization on paid ones. */
function ofType(type: string): Pick<Site, 'ads' | 'features'> {
  if (type === 'sponsored') return { ads: { status: 'pending', submittable: true } };
  return isPaid(type) ? { features: [{ id: 'sites-sections', plan: 'basic', frozen: false }] } : {};
}

export function isPaid(type: string): boolean {
  return type === 'premium' || type === 'ultimate';
}

/**
 * URL of a published site, ending in a slash; undefined unless published, or if the link is secret and
 * `shareKey` is not its key (spec C, `shareKey`). A proxy takes precedence over the site's hostname, and
 * that over the organization's address.
 */
export function publishedUrl(row: SiteRow, org: OrgRow, shareKey: string | undefined): string | undefined {
  if (row.published === 0) return undefined;
  const base = addressOf(row, org);
  if (row.visibility !== 'share-link') return base;
  return shareKey === row.share_key ? `${base}${row.share_key}/` : undefined;
}

function addressOf(row: SiteRow, org: OrgRow): string {
  if (row.proxy !== null) return `https://${row.proxy}/`;
  if (row.hostname !== null) return `https://${row.hostname}/`;
  const place = [org.hostname ?? org.id, row.basename ?? row.id].map(encodeURIComponent).join('/');
  return `https://sites.sandbox.example/${place}/`;
}

/** Where requests to the address of a proxy go; visitors see the address itself, the origin. */
function targetOf(row: SiteRow): string {
  return `https://proxy.sandbox.example/sites/${row.id}`;
}

/** The adaptive schema of a site (spec C, "Adaptive schema"). @throws 404 if it has none */
export function toAdaptiveSchema(site: SiteRow): AdaptiveSchema {
  const { adaptive_schema: text, adaptive_schema_updated_at: updated } = site;
  if (text === null) throw refusal(404, `Site ${site.id} has no adaptive schema.`);
  const own: AdaptiveSchema = {
    object: 'site-adaptive-schema',
    jsonSchema: JSON.parse(text) as VisitorSchema,
    ...(updated !== null && { updatedAt: iso(updated) }),
  };
  return withTold(own, site.adaptive_schema_told);
}
