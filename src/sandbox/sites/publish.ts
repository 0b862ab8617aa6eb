import { DocsError, usageError } from '../../base/errors.js';
import { orgById } from '../records/org.js';
import { publishedUrl, type SiteRow, siteColumns } from '../records/site.js';
import type { Database } from '../store/database.js';
import { fold } from '../text.js';

export interface Publication {
  id: string;
  title: string;
  /** Whether this call published it. */
  changed: boolean;
  /** Where its readers find it, with the key of a share link. */
  url: string;
}

/**
 * Publishes a site, which no operation of the platform does: people do it in its app. Call within a write.
 * @param named id, title or basename, in any organization of the sandbox
 * @throws DocsError for an unknown or ambiguous name, and for a site without spaces
 */
export function publishSite(db: Database, named: string): Publication {
  const before = siteNamed(db, named);
  if (before.site_spaces === 0) {
    const what = `Site ${JSON.stringify(before.title)} has no spaces, so it was not published`;
    throw new DocsError('conflict', 'site_empty', `${what}; add one with "docs site-spaces create".`);
  }
  db.run('UPDATE sites SET published = 1 WHERE id = ?', before.id);
  const site = siteNamed(db, before.id);
  const org = orgById(db, site.org_id);
  const url = org && publishedUrl(site, org, site.share_key);
  if (url === undefined) throw new Error(`Site ${site.id} is not published after it was.`);
  return { id: site.id, title: site.title, changed: before.published === 0, url };
}

/** The sites of all organizations of the sandbox, in the order they were created. */
export function listedSites(db: Database): { id: string; title: string; isPublished: boolean }[] {
  const sql = 'SELECT id, title, published FROM sites ORDER BY created_at, id';
  const found = db.all<{ id: string; title: string; published: number }>(sql);
  return found.map(({ id, title, published }) => ({ id, title, isPublished: published === 1 }));
}

function siteNamed(db: Database, named: string): SiteRow {
  const sql = `SELECT ${siteColumns} FROM sites t`;
  const byId = db.get<SiteRow>(`${sql} WHERE t.id = ?`, named);
  if (byId !== undefined) return byId;
  const found = db.all<SiteRow>(`${sql} WHERE t.folded = ? OR t.basename = ?`, fold(named), named);
  const [site, ...more] = found;
  const shown = JSON.stringify(named);
  if (site === undefined) {
    const all = db.all<{ title: string }>('SELECT title FROM sites ORDER BY created_at, id LIMIT 6');
    const titles = all.slice(0, 5).map(({ title }) => title);
    const known = [...titles, ...(all.length > 5 ? ['…'] : [])].join(', ') || 'none';
    throw new DocsError('not-found', 'unknown_site', `Site ${shown} not found; the sandbox has: ${known}.`);
  }
  if (more.length === 0) return site;
  const ids = found.map(({ id }) => id).join(', ');
  throw usageError('ambiguous_site', `${shown} names ${found.length} sites: ${ids}. Pass an id.`);
}
