import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import { type Call, handle } from '../handle.js';
import { type SiteRow, siteById, sites, toAdaptiveSchema } from '../records/site.js';
import { sectionIn, siteSpaceIn } from '../records/site-structure.js';
import { refusal } from '../refusal.js';
import {
  addSiteSpace,
  currentStructure,
  setDefaultSection,
  setDefaultSiteSpace,
  visibleSpace,
} from '../sites/site-changes.js';
import { requireVisitorSchema } from '../sites/visitors.js';
import { newSpace } from '../spaces/new-space.js';
import type { Database } from '../store/database.js';
import { update } from '../store/sql.js';
import { fold } from '../text.js';
import { requireBasename } from '../values.js';

const withSpace = 'EXISTS (SELECT 1 FROM live_site_spaces x WHERE x.site_id = t.id AND x.space_id = ?)';

export const handlers = [
  handle(listSites, (call) => {
    const { space, title, published } = call.query;
    return sites.list(
      call,
      space === undefined ? undefined : [withSpace, space],
      title === undefined ? undefined : ['instr(t.folded, ?) > 0', fold(title)],
      published === undefined ? undefined : ['t.published = ?', Number(published)],
    );
  }),

  handle(createSite, (call) => {
    const { id } = sites.create(call, newSite(call));
    const onSite = { ...call, path: { siteId: id } };
    const { spaces, title = untitled } = call.body;
    if (typeof spaces === 'string') {
      addSiteSpace(onSite, null, newSpace(call, { title, sample: spaces === 'sample' }));
    } else {
      for (const spaceId of spaces ?? []) addSiteSpace(onSite, null, visibleSpace(onSite, spaceId));
    }
    return sites.get(call, id);
  }),

  handle(getSite, (call) => sites.get(call, call.path.siteId)),

  handle(updateSite, (call) => {
    const { db, org, path, body } = call;
    const site = siteById(db, org.id, path.siteId);
    requireBasename('basename', body.basename);
    refuseTaken(db, site, body);
    sites.update(call, site.id, {
      title: body.title,
      folded: body.title && fold(body.title),
      visibility: body.visibility,
      basename: body.basename,
      proxy: body.proxy,
      adaptive_content: body.adaptiveContent && Number(body.adaptiveContent.enabled),
    });
    setDefaults(call);
    return sites.get(call, site.id);
  }),

  /** Keeps its spaces. A trigger removes it as the default site of the organization. */
  handle(deleteSite, (call) => sites.remove(call, call.path.siteId)),

  handle(getAdaptiveSchema, ({ db, org, path }) => toAdaptiveSchema(siteById(db, org.id, path.siteId))),

  handle(setAdaptiveSchema, ({ db, org, path, body, clock }) => {
    const { id } = siteById(db, org.id, path.siteId);
    requireVisitorSchema(body.jsonSchema);
    const schema = JSON.stringify(body.jsonSchema);
    update(db, 'sites', id, { adaptive_schema: schema, adaptive_schema_updated_at: clock.now() });
    return toAdaptiveSchema(siteById(db, org.id, id));
  }),
];

const untitled = 'Untitled site';

/** Not published: creating a site must not make it readable, and no operation of the platform does. */
function newSite({ body, clock, newId }: Call<typeof createSite>) {
  const title = body.title ?? untitled;
  return {
    type: body.type ?? 'basic',
    title,
    folded: fold(title),
    visibility: body.visibility ?? 'public',
    share_key: newId(),
    created_at: clock.now(),
  };
}

/** Basenames are unique within an organization, proxy addresses among all sites. */
function refuseTaken(db: Database, site: SiteRow, body: Call<typeof updateSite>['body']): void {
  const { basename, proxy } = body;
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

/** Sets the section first, as the default site space must be in it. */
function setDefaults(call: Call<typeof updateSite>): void {
  const { body } = call;
  if (body.defaultSiteSection !== undefined) {
    const structure = currentStructure(call);
    const { id } = sectionIn(structure, body.defaultSiteSection);
    if (!structure.siteSpaces.some(({ section_id }) => section_id === id)) {
      throw refusal(409, `Section ${id} is empty; readers of the site would find nothing.`);
    }
    setDefaultSection(call, id);
  }
  if (body.defaultSiteSpace === undefined) return;
  const structure = currentStructure(call);
  const row = siteSpaceIn(structure, body.defaultSiteSpace);
  if (row.section_id !== (structure.defaultSection ?? null)) {
    throw refusal(409, `Site space ${row.site_space_id} is not in the default section of the site.`);
  }
  setDefaultSiteSpace(call, row);
}
