import {
  getAdaptiveSchema,
  setAdaptiveSchema,
  type VisitorSchema,
} from '../../api/resources/adaptive-schemas.js';
import { getPublishedSite, type PublishedSite } from '../../api/resources/published-sites.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import { nodeCrypto } from '../../base/hash.js';
import { type Call, handle } from '../handle.js';
import { filter, titleFilter } from '../paging.js';
import { apiUrl } from '../records/fields.js';
import type { OrgRow } from '../records/in-path.js';
import {
  adaptiveLayout,
  defaultSiteSpaceOf,
  type SiteRow,
  type Structure,
  sectionIn,
  siteById,
  siteSpaceIn,
  sites,
  toAdaptiveSchema,
  toSection,
  toSite,
  toSiteSpace,
  untitledSite,
} from '../records/site.js';
import { refusal } from '../refusal.js';
import type { Caller } from '../scope.js';
import type { Database } from '../store/database.js';
import { update } from '../store/rows.js';
import { requireBasename } from '../values.js';
import { newSpace } from './placed-spaces.js';
import {
  addSiteSpace,
  currentStructure,
  setDefaultSection,
  setDefaultSiteSpace,
  visibleSpace,
} from './site-changes.js';

const lifetimeMs = 3_600_000;

/**
 * The JWT with which a member reads the sites and spaces of an organization that are open to authenticated
 * visitors (spec A, "Authentication", 2); undefined if it has none. No site of the sandbox checks it.
 */
export function visitorClaims(
  db: Database,
  org: OrgRow,
  { userId, email }: Caller,
  nowMs: number,
): string | undefined {
  const sql = `SELECT 1 FROM sites WHERE org_id = ?1 AND published AND visibility = 'visitor-auth'
    UNION SELECT 1 FROM spaces WHERE org_id = ?1 AND deleted_at IS NULL AND visibility = 'visitor-auth'`;
  if (db.get(sql, org.id) === undefined) return undefined;
  const seconds = Math.floor(nowMs / 1000);
  const claims = { iss: apiUrl(`/orgs/${org.id}`), sub: userId, email };
  const times = { iat: seconds, exp: seconds + lifetimeMs / 1000 };
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, ...times },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${nodeCrypto().createHmac('sha256', org.id).update(text).digest('base64url')}`;
}

const text = { must: 'a string', holds: (value: unknown) => typeof value === 'string' };
const flag = { must: 'a boolean', holds: (value: unknown) => typeof value === 'boolean' };

/** Draft-07 schemas of the keywords that only annotate; any other keyword would constrain values. */
const annotations: Readonly<Record<string, { must: string; holds(value: unknown): boolean }>> = {
  title: text,
  description: text,
  $comment: text,
  default: { must: 'anything', holds: () => true },
  examples: { must: 'an array', holds: Array.isArray },
  readOnly: flag,
  writeOnly: flag,
};

const draft07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** A URI or relative reference: the characters of RFC 3986, with complete escapes. */
const uriReference = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-fA-F]{2})*$/;

/**
 * Checks a visitor schema beyond its declaration (spec C, "Adaptive schema"): JSON Schema draft-07 with
 * boolean claims only. The declaration has checked types and `additionalProperties`.
 * @throws 400 with the path of the error
 */
function requireVisitorSchema(schema: VisitorSchema): void {
  const { $schema, $id, properties } = schema;
  if ($schema !== undefined && !draft07.test($schema)) {
    throw wrong(['$schema'], 'must be http://json-schema.org/draft-07/schema#');
  }
  if ($id !== undefined && !uriReference.test($id)) throw wrong(['$id'], 'must be a URI reference');
  requireKeywords([], schema, ['$schema', '$id', 'type', 'properties', 'additionalProperties']);
  const { unsigned, ...claims } = properties;
  requireClaims(['properties'], claims);
  if (unsigned === undefined) return;
  const path = ['properties', 'unsigned'];
  requireKeywords(path, unsigned, ['type', 'properties', 'additionalProperties']);
  requireClaims([...path, 'properties'], unsigned.properties);
}

function requireClaims(path: readonly string[], claims: Readonly<Record<string, object>>): void {
  for (const [name, claim] of Object.entries(claims)) requireKeywords([...path, name], claim, ['type']);
}

function requireKeywords(path: readonly string[], schema: object, known: readonly string[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (known.includes(keyword)) continue;
    const annotation = Object.hasOwn(annotations, keyword) ? annotations[keyword] : undefined;
    if (annotation === undefined) {
      const all = [...known, ...Object.keys(annotations)].join(', ');
      throw wrong([...path, keyword], `is not known; known: ${all}`);
    }
    if (!annotation.holds(value)) throw wrong([...path, keyword], `must be ${annotation.must}`);
  }
}

function wrong(path: readonly string[], message: string) {
  return refusal(400, `body ${['jsonSchema', ...path].join('.')} ${message}`);
}

/** The structure that visitors see, without sections whose spaces are all deleted. */
function shownStructure(structure: Structure): PublishedSite['structure'] {
  const { sections, siteSpaces } = structure;
  if (sections.length === 0) {
    const shown = defaultSiteSpaceOf(structure);
    return { type: 'siteSpaces', structure: siteSpaces.map((row) => toSiteSpace(structure, row, shown)) };
  }
  const filled = sections.filter(({ id }) => siteSpaces.some(({ section_id }) => section_id === id));
  return { type: 'sections', structure: filled.map((row) => toSection(structure, row)) };
}

const same = (color: string) => ({ light: color, dark: color });

/** The default appearance of a site; no operation of the platform changes it. */
function customization(title: string): PublishedSite['customizations']['site'] {
  return {
    title,
    styling: {
      theme: 'clean',
      primaryColor: same('#346DDB'),
      infoColor: same('#787878'),
      successColor: same('#00C950'),
      warningColor: same('#FE9A00'),
      dangerColor: same('#FB2C36'),
      tint: { color: same('#787878') },
      corners: 'rounded',
      links: 'default',
      font: 'Inter',
      icons: 'regular',
      sidebar: { background: 'default', list: 'default' },
      search: 'prominent',
    },
    internationalization: { locale: 'en' },
    favicon: {},
  };
}

const withSpace = 'EXISTS (SELECT 1 FROM live_site_spaces x WHERE x.site_id = t.id AND x.space_id = ?)';

export const handlers = [
  handle(listSites, (call) => {
    const { space, title, published } = call.query;
    const state = published === undefined ? undefined : Number(published);
    return sites.list(call, filter(withSpace, space), titleFilter(title), filter('t.published = ?', state));
  }),

  handle(createSite, (call) => {
    const { spaces, type, title = untitledSite, visibility } = call.body;
    const { id } = sites.create(call, { type, title, visibility });
    const { db, org, caller, newId } = call;
    const onSite = { db, org, caller, newId, path: { siteId: id } };
    if (typeof spaces === 'string') {
      addSiteSpace(onSite, null, newSpace(call, { title, sample: spaces === 'sample' }));
    } else {
      for (const spaceId of spaces ?? []) addSiteSpace(onSite, null, visibleSpace(onSite, spaceId));
    }
    return sites.get(call, id);
  }),

  handle(updateSite, (call) => {
    const { db, org, path, body } = call;
    const site = siteById(db, org.id, path.siteId);
    requireBasename('basename', body.basename);
    refuseTaken(db, site, body);
    sites.update(call, site.id, {
      ...sites.changes(body),
      proxy: body.proxy,
      adaptive_content: body.adaptiveContent && Number(body.adaptiveContent.enabled),
    });
    setDefaults(call);
    return sites.get(call, site.id);
  }),

  // Deletion keeps the spaces. A trigger removes the site as the default one of the organization.
  ...sites.handlers([getSite, deleteSite]),

  handle(getAdaptiveSchema, ({ db, org, path }) => toAdaptiveSchema(siteById(db, org.id, path.siteId))),

  handle(setAdaptiveSchema, ({ db, org, path, body, clock }) => {
    const { id } = siteById(db, org.id, path.siteId);
    requireVisitorSchema(body.jsonSchema);
    const now = { adaptive_schema_updated_at: clock.now() };
    update(db, 'sites', id, { ...adaptiveLayout.changes(body), ...now });
    return toAdaptiveSchema(siteById(db, org.id, id));
  }),

  /** Without the key of a share link, the site is shown without its published URL. */
  handle(getPublishedSite, (call) => {
    const structure = currentStructure(call);
    const { site, base } = structure;
    if (site.published === 0) throw refusal(404, `site ${site.id} is not published`);
    return {
      object: 'published-content-site',
      site: toSite(site, base),
      structure: shownStructure(structure),
      customizations: { site: customization(site.title) },
    };
  }),
];

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
  return refusal(409, `another site has the ${what} ${JSON.stringify(value)}`);
}

/** Sets the section first, as the default site space must be in it. */
function setDefaults(call: Call<typeof updateSite>): void {
  const { body } = call;
  if (body.defaultSiteSection !== undefined) {
    const structure = currentStructure(call);
    const { id } = sectionIn(structure, body.defaultSiteSection);
    if (!structure.siteSpaces.some(({ section_id }) => section_id === id)) {
      throw refusal(409, `section ${id} is empty; readers of the site would find nothing`);
    }
    setDefaultSection(call, id);
  }
  if (body.defaultSiteSpace === undefined) return;
  const structure = currentStructure(call);
  const row = siteSpaceIn(structure, body.defaultSiteSpace);
  if (row.section_id !== (structure.defaultSection ?? null)) {
    throw refusal(409, `site space ${row.site_space_id} is not in the default section of the site`);
  }
  setDefaultSiteSpace(call, row);
}
