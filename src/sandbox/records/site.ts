import { AdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { SectionGroup, SiteSection } from '../../api/resources/sections.js';
import { SiteSpace } from '../../api/resources/site-spaces.js';
import { Site } from '../../api/resources/sites.js';
import { defined } from '../../base/values.js';
import { type MemberRole, rank, roleOf, spaceRank } from '../access.js';
import { orgTable } from '../org-table.js';
import { positionAt } from '../positions.js';
import { found, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';
import { apiUrl, appUrl } from './fields.js';
import type { OrgRow, SpaceRow } from './in-path.js';
import { layoutOf } from './layout.js';
import { type AddressedSite, publishedUrl, urlOf } from './published.js';
import { toSpace } from './space.js';

export type GroupRow = Row<{ text: 'id position'; maybeText: 'told' }>;

export interface SectionRow
  extends Row<{ text: 'id path position'; maybeText: 'group_id told'; integer: 'is_default' }> {
  /** Its place among all sections: its position, after that of its group. */
  place: string;
}

/** A space on a site; the columns of the space have their own names. */
export interface SiteSpaceRow
  extends SpaceRow,
    Row<{ text: 'site_space_id path position'; maybeText: 'section_id'; integer: 'is_default' }> {
  /** Its place among all spaces of the site: that of its section, then its own position. */
  place: string;
  /** The caller's rank in the space. */
  rank: number;
}

/** A site as one caller sees it, read as a whole: groups, sections and live site spaces, each in order. */
export interface Structure {
  site: SiteRow;
  /** Published URL of the site, if the reader may know it. */
  base: string | undefined;
  groups: readonly GroupRow[];
  sections: readonly SectionRow[];
  siteSpaces: readonly SiteSpaceRow[];
  /** Default section, or undefined if there are no sections. */
  defaultSection: string | undefined;
  /** Default site space of each section, and of the root under the key null. */
  defaults: ReadonlyMap<string | null, string>;
}

/** The user who reads, and the key of a share link. */
export interface Reader {
  db: Database;
  org: OrgRow;
  caller: MemberRole;
  shareKey?: string | undefined;
}

/** Reads the structure of a site. */
export function structureOf({ db, org, caller, shareKey }: Reader, site: SiteRow): Structure {
  const sql =
    'SELECT id, title, icon, position, told FROM section_groups WHERE site_id = ? ORDER BY position, id';
  const groups = db.all<GroupRow>(sql, site.id);
  const sections = db.all<SectionRow>(
    `SELECT n.*, coalesce(g.position || '/', '') || n.position AS place FROM sections n
     LEFT JOIN section_groups g ON g.id = n.group_id
     WHERE n.site_id = ? ORDER BY place`,
    site.id,
  );
  const siteSpaces = liveSiteSpaces(db, site.id, caller, sections);
  const base = publishedUrl(site, org, shareKey);
  const defaultSection = defaultSectionOf(sections, siteSpaces);
  return { site, base, groups, sections, siteSpaces, defaultSection, defaults: defaultsOf(siteSpaces) };
}

/** The place of the spaces at the root, before all groups; the section that takes them over takes it too. */
export const rootPlace = positionAt(-1);

function liveSiteSpaces(
  db: Database,
  siteId: string,
  caller: MemberRole,
  sections: readonly SectionRow[],
): SiteSpaceRow[] {
  const [rank, ...values] = spaceRank(caller);
  const places = new Map(sections.map(({ id, place }) => [id, place]));
  const rows = db.all<Omit<SiteSpaceRow, 'place'>>(
    `SELECT s.*, ss.id AS site_space_id, ss.told AS site_space_told, ss.section_id, ss.path, ss.condition, ss.is_default,
       ss.position, ${rank} AS rank
     FROM site_spaces ss JOIN space_caps caps ON caps.space_id = ss.space_id
     JOIN spaces s ON s.id = ss.space_id
     WHERE ss.site_id = ?`,
    ...values,
    siteId,
  );
  const placed = rows.map((row) => ({
    ...row,
    place: `${places.get(row.section_id ?? '') ?? rootPlace} ${row.position}`,
  }));
  return placed.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/** The root of a site must show content: the first section with spaces replaces an empty default. */
function defaultSectionOf(sections: readonly SectionRow[], siteSpaces: readonly SiteSpaceRow[]) {
  const filled = new Set(siteSpaces.map(({ section_id }) => section_id));
  const candidates = sections.filter(({ id }) => filled.has(id));
  const among = candidates.length === 0 ? sections : candidates;
  return (among.find(({ is_default }) => is_default === 1) ?? among[0])?.id;
}

function defaultsOf(siteSpaces: readonly SiteSpaceRow[]): Map<string | null, string> {
  const defaults = new Map<string | null, string>();
  for (const row of siteSpaces) {
    if (row.is_default === 1 || !defaults.has(row.section_id))
      defaults.set(row.section_id, row.site_space_id);
  }
  return defaults;
}

/** Id of the default site space: in the default section, or at the root if there are no sections. */
export function defaultSiteSpaceOf({ defaults, defaultSection }: Structure): string | undefined {
  return defaults.get(defaultSection ?? null);
}

/** @throws 404 */
export function sectionIn({ sections }: Structure, id: string): SectionRow {
  const row = sections.find((section) => section.id === id);
  return found(row, 'site section', id);
}

/** @throws 404 */
export function groupIn({ groups }: Structure, id: string): GroupRow {
  const row = groups.find((group) => group.id === id);
  return found(row, 'site section group', id);
}

/** @throws 404, also if its space is deleted */
export function siteSpaceIn({ siteSpaces }: Structure, id: string): SiteSpaceRow {
  const row = siteSpaces.find(({ site_space_id }) => site_space_id === id);
  return found(row, 'site space', id);
}

const siteSpaceLayout = layoutOf(SiteSpace, {
  computed: ['space', 'default', 'hasAdvancedCustomizationFeature', 'urls'],
  columns: { id: 'site_space_id', section: 'section_id' },
  counted: ['title'],
  told: 'site_space_told',
});

/**
 * A site space (spec C, "Site space"), with its space if the caller can see it.
 * @param defaultId the default site space of the site or section
 */
export function toSiteSpace(
  structure: Structure,
  row: SiteSpaceRow,
  defaultId: string | undefined,
): SiteSpace {
  const level = roleOf(row.rank);
  const section = structure.sections.find(({ id }) => id === row.section_id);
  const published = urlOf(structure.base, section?.path, row.path);
  return siteSpaceLayout.item(row, {
    space: level === null ? undefined : toSpace(row, level, published),
    default: row.site_space_id === defaultId,
    hasAdvancedCustomizationFeature: isPaid(structure.site.type),
    urls: published === undefined ? undefined : { published },
  });
}

export const sectionLayout = layoutOf(SiteSection, {
  computed: ['default', 'siteSpaces', 'urls'],
  columns: { sectionGroup: 'group_id' },
});

/** A section with its site spaces, of which `default` marks its own default (spec C, "Site section"). */
export function toSection(structure: Structure, row: SectionRow): SiteSection {
  const published = urlOf(structure.base, row.path);
  const inside = structure.siteSpaces.filter(({ section_id }) => section_id === row.id);
  return sectionLayout.item(row, {
    default: row.id === structure.defaultSection,
    siteSpaces: inside.map((siteSpace) => toSiteSpace(structure, siteSpace, structure.defaults.get(row.id))),
    urls: published === undefined ? undefined : { published },
  });
}

export const groupLayout = layoutOf(SectionGroup, { computed: ['sections'] });

/** A section group with its sections (spec C, "Site section group"). */
export function toGroup(structure: Structure, row: GroupRow): SectionGroup {
  const inside = structure.sections.filter(({ group_id }) => group_id === row.id);
  return groupLayout.item(row, { sections: inside.map((section) => toSection(structure, section)) });
}

export interface SiteRow
  extends AddressedSite,
    Row<{
      text: 'org_id type title';
      maybeText: 'icon adaptive_schema';
      integer: 'adaptive_content site_spaces';
    }> {}

/** Columns of a site from `sites t`. */
export const siteColumns = `t.*,
  (SELECT count(*) FROM live_site_spaces x WHERE x.site_id = t.id) AS site_spaces`;

/** A site of the organization. @throws 404 */
export function siteById(db: Database, orgId: string, id: string): SiteRow {
  const sql = `SELECT ${siteColumns} FROM sites t WHERE t.id = ? AND t.org_id = ?`;
  return found(db.get<SiteRow>(sql, id, orgId), 'site', id);
}

const siteLayout = layoutOf(Site, {
  computed: ['icon', 'proxy', 'adaptiveContent', 'ads', 'features', 'urls'],
  counted: ['siteSpaces'],
  order: ['hostname', 'basename', 'icon'],
});

export const untitledSite = 'Untitled site';

/** A new site is not published: creating it must not make it readable, and no operation of the platform does. */
export const sites = orgTable({
  table: 'sites',
  what: 'site',
  columns: () => [siteColumns],
  layout: siteLayout,
  folds: true,
  made: ({ newId }) => ({ type: 'basic', visibility: 'public', share_key: newId() }),
  computed(row: SiteRow, { org, caller }) {
    const managesSites = rank(caller.role) >= rank('create');
    return computedOf(row, publishedUrl(row, org, managesSites ? row.share_key : undefined));
  },
});

/** A site (spec C, "Site"). @param published its published URL, if the reader may know it */
export function toSite(row: SiteRow, published: string | undefined): Site {
  return siteLayout.item(row, computedOf(row, published));
}

function computedOf(row: SiteRow, published: string | undefined) {
  return {
    icon: row.icon === null ? undefined : (JSON.parse(row.icon) as NonNullable<Site['icon']>),
    proxy:
      row.proxy === null
        ? undefined
        : { origin: row.proxy, target: `https://proxy.sandbox.example/sites/${row.id}` },
    adaptiveContent: { enabled: row.adaptive_content === 1 },
    ...ofType(row.type),
    urls: defined({
      location: apiUrl(`/orgs/${row.org_id}/sites/${row.id}`),
      app: appUrl(`/o/${row.org_id}/sites/${row.id}`),
      published,
    }),
  };
}

/** What comes with the type: advertisements on sponsored sites, sections and customization on paid ones. */
function ofType(type: string): Pick<Site, 'ads' | 'features'> {
  if (type === 'sponsored') return { ads: { status: 'pending', submittable: true } };
  return isPaid(type) ? { features: [{ id: 'sites-sections', plan: 'basic', frozen: false }] } : {};
}

function isPaid(type: string): boolean {
  return type === 'premium' || type === 'ultimate';
}

export const adaptiveLayout = layoutOf(AdaptiveSchema, {
  columns: { jsonSchema: 'adaptive_schema', updatedAt: 'adaptive_schema_updated_at' },
  told: 'adaptive_schema_told',
});

/** The adaptive schema of a site (spec C, "Adaptive schema"). @throws 404 if it has none */
export function toAdaptiveSchema(site: SiteRow): AdaptiveSchema {
  if (site.adaptive_schema === null) throw refusal(404, `site ${site.id} has no adaptive schema`);
  return adaptiveLayout.item(site, {});
}
