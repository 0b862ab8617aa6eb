import type { AdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import type { Site } from '../../api/resources/sites.js';
import { toAdaptiveSchema } from '../records/adaptive-schema.js';
import { siteById, sites } from '../records/site.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import { fold } from '../text/fold.js';
import { asAdmin } from './as-admin.js';
import { bit, msOf, msOrNull, tell, upsert } from './rows.js';

/**
 * Puts a site without its structure (site-structure.ts). Its count of spaces is right once these are there and it is
 * put again. Call within a write.
 */
export function putSite(db: Database, orgId: string, site: Site): void {
  const { id, title, icon } = site;
  upsert(db, 'sites', ['id'], {
    id,
    org_id: orgId,
    type: site.type,
    title,
    folded: fold(title),
    hostname: site.hostname ?? null,
    basename: site.basename ?? null,
    proxy: site.proxy?.origin ?? null,
    visibility: site.visibility,
    share_key: shareKeyOf(site),
    published: bit(site.published),
    adaptive_content: bit(site.adaptiveContent?.enabled),
    created_at: msOf(site.createdAt),
    icon: icon === undefined ? null : JSON.stringify(icon),
  });
  const own = () => sites.get(asAdmin(db, orgId), id);
  tell(db, { table: 'sites', key: { id } }, site, own);
}

/** Puts the adaptive schema of a site. Call within a write. */
export function putAdaptiveSchema(db: Database, siteId: string, schema: AdaptiveSchema): void {
  const sql = 'UPDATE sites SET adaptive_schema = ?, adaptive_schema_updated_at = ? WHERE id = ?';
  db.run(sql, JSON.stringify(schema.jsonSchema), msOrNull(schema.updatedAt), siteId);
  const org = db.get<{ org_id: string }>('SELECT org_id FROM sites WHERE id = ?', siteId);
  const own = () => toAdaptiveSchema(siteById(db, org?.org_id ?? '', siteId));
  tell(db, { table: 'sites', key: { id: siteId }, column: 'adaptive_schema_told' }, schema, own);
}

/** The key ends the address of a site with a share link. Of others it is not told, so it is a new one here. */
function shareKeyOf({ id, visibility, urls }: Site): string {
  const published = urls?.published;
  const key = visibility === 'share-link' ? published?.split('/').findLast((part) => part !== '') : undefined;
  return key ?? idFrom(`share key ${id}`);
}
