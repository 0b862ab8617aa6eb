import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import type { Database } from '../database.js';
import { fold } from '../fold.js';
import { type Call, handle } from '../handle.js';
import { newSpace } from '../new-space.js';
import { managedUrl, type SiteRow, siteById, siteColumns, toSite } from '../records/site.js';
import { sectionIn, siteSpaceIn } from '../records/site-structure.js';
import { notFound, refusal } from '../refusal.js';
import {
  addSiteSpace,
  currentStructure,
  setDefaultSection,
  setDefaultSiteSpace,
  visibleSpace,
} from '../site-changes.js';
import { assignments, insert } from '../sql.js';

const withSpace = 'EXISTS (SELECT 1 FROM live_site_spaces x WHERE x.site_id = t.id AND x.space_id = ?)';

export const handlers = [
  handle(listSites, ({ org, query, caller, page }) => {
    const { space, title, published } = query;
    return page({
      select: siteColumns,
      from: 'sites t',
      where: [
        ['t.org_id = ?', org.id],
        space === undefined ? undefined : [withSpace, space],
        title === undefined ? undefined : ['instr(t.folded, ?) > 0', fold(title)],
        published === undefined ? undefined : ['t.published = ?', Number(published)],
      ],
      by: ['t.created_at', 't.id'],
      item: (row: SiteRow) => toSite(row, managedUrl(row, org, caller.role)),
    });
  }),

  handle(createSite, (call) => {
    const { db, body, newId } = call;
    const id = newId();
    insertSite(call, id);
    const { spaces } = body;
    if (typeof spaces === 'string') {
      const title = body.title ?? untitled;
      addSiteSpace(call, id, null, newSpace(call, { title, sample: spaces === 'sample' }));
    } else {
      for (const spaceId of spaces ?? []) addSiteSpace(call, id, null, visibleSpace(call, spaceId));
    }
    return answer(call, siteById(db, call.org.id, id));
  }),

  handle(getSite, (call) => answer(call, siteById(call.db, call.org.id, call.path.siteId))),

  handle(updateSite, (call) => {
    const { db, org, path, body } = call;
    const site = siteById(db, org.id, path.siteId);
    refuseTaken(db, site, body);
    const [sql, ...values] = assignments({
      title: body.title,
      folded: body.title && fold(body.title),
      visibility: body.visibility,
      basename: body.basename,
      proxy: body.proxy,
      adaptive_content: body.adaptiveContent && Number(body.adaptiveContent.enabled),
    });
    if (values.length > 0) db.run(`UPDATE sites SET ${sql} WHERE id = ?`, ...values, site.id);
    setDefaults(call);
    return answer(call, siteById(db, org.id, site.id));
  }),

  /** The spaces stay; an organization that opens with the site opens without one (a trigger). */
  handle(deleteSite, ({ db, org, path }) => {
    const removed = db.run('DELETE FROM sites WHERE id = ? AND org_id = ?', path.siteId, org.id);
    if (removed === 0) throw notFound('site', path.siteId);
  }),
];

const untitled = 'Untitled site';

/**
 * A new site is not published: nothing may become readable by a mere creation, and no operation of the
 * platform publishes one. Its visibility is public unless given.
 */
function insertSite({ db, org, body, clock, newId }: Call<typeof createSite>, id: string): void {
  const title = body.title ?? untitled;
  insert(db, 'sites', {
    id,
    org_id: org.id,
    type: body.type ?? 'basic',
    title,
    folded: fold(title),
    visibility: body.visibility ?? 'public',
    share_key: newId(),
    created_at: clock.now(),
  });
}

/** The basename tells the sites of an organization apart, the proxy's address those of all. */
function refuseTaken(
  db: Database,
  site: SiteRow,
  { basename, proxy }: Call<typeof updateSite>['body'],
): void {
  if (basename !== undefined) {
    const sql = 'SELECT 1 FROM sites WHERE basename = ? AND org_id = ? AND id <> ?';
    if (db.get(sql, basename, site.org_id, site.id) !== undefined) throw taken('basename', basename);
  }
  if (typeof proxy === 'string') {
    const sql = 'SELECT 1 FROM sites WHERE proxy = ? AND id <> ?';
    if (db.get(sql, proxy, site.id) !== undefined) throw taken('proxy', proxy);
  }
}

function taken(what: string, value: string) {
  return refusal(409, `Another site has the ${what} ${JSON.stringify(value)}.`);
}

/** The section first: the default site space is then one of the new default section. */
function setDefaults(call: Call<typeof updateSite>): void {
  const { db, path, body } = call;
  if (body.defaultSiteSection !== undefined) {
    const structure = currentStructure(call, path.siteId);
    const { id } = sectionIn(structure, body.defaultSiteSection);
    if (!structure.siteSpaces.some(({ section_id }) => section_id === id)) {
      throw refusal(409, `The section ${id} is empty: readers of the site would find nothing.`);
    }
    setDefaultSection(db, path.siteId, id);
  }
  if (body.defaultSiteSpace === undefined) return;
  const structure = currentStructure(call, path.siteId);
  const { site_space_id: id, section_id: sectionId } = siteSpaceIn(structure, body.defaultSiteSpace);
  if (sectionId !== (structure.defaultSection ?? null)) {
    throw refusal(409, `The site space ${id} is not in the default section of the site.`);
  }
  setDefaultSiteSpace(db, path.siteId, sectionId, id);
}

function answer({ org, caller }: Pick<Call<typeof getSite>, 'org' | 'caller'>, row: SiteRow) {
  return toSite(row, managedUrl(row, org, caller.role));
}
