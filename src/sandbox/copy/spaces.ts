import type { AdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import type { Collection } from '../../api/resources/collections.js';
import type { SectionGroup, SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Site } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';
import { collectionById, collectionLayout, toCollection } from '../handlers/collections.js';
import { childrenOf, lastChildPosition } from '../handlers/relocate.js';
import { lastPosition, positionAt } from '../positions.js';
import { orgById, spaceById } from '../records/in-path.js';
import { publishedUrlOfSpace } from '../records/published.js';
import {
  adaptiveLayout,
  defaultSiteSpaceOf,
  groupIn,
  groupLayout,
  sectionIn,
  sectionLayout,
  siteById,
  siteSpaceIn,
  sites,
  structureOf,
  toAdaptiveSchema,
  toGroup,
  toSection,
  toSiteSpace,
} from '../records/site.js';
import { spaceLayout, toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { idFrom, update } from '../store/rows.js';
import { asAdmin, putItem, putRow, tell, upsert } from './organization.js';

/**
 * Puts a collection; a new one goes behind its siblings (`putOrder`). Put its parent first. Call within a write.
 */
export function putCollection(db: Database, collection: Collection): void {
  const { id } = collection;
  const row = {
    ...collectionLayout.columns(collection),
    ...placeOf(db, 'collections', collection),
    // Not told, and not shown. Required by an insertion only.
    created_at: 0,
  };
  putRow(db, 'collections', row, collection, () => toCollection(collectionById(db, id), 'admin'));
}

/**
 * Puts a space without its content; a new one goes behind its siblings (`putOrder`). Its counts of
 * comments and change requests, and its published URL, are right once these are there and it is put again. Put its
 * collection first; if that is not there, the space is at the top, and shows the collection nevertheless. Call
 * within a write.
 */
export function putSpace(db: Database, space: Space): void {
  const row = {
    ...spaceLayout.columns(space),
    ...placeOf(db, 'spaces', space),
    emoji: space.emoji ?? '',
    icon: space.urls?.icon ?? null,
    edit_mode: space.editMode ?? 'live',
  };
  putRow(db, 'spaces', row, space, () => ownSpace(db, space));
}

/** The columns that follow from the parent. One that is there already keeps its position among its siblings. */
function placeOf(db: Database, table: 'collections' | 'spaces', resource: Collection | Space) {
  const { id, organization, parent = null, defaultLevel } = resource;
  const isThere = parent === null || db.get('SELECT 1 FROM collections WHERE id = ?', parent) !== undefined;
  const parentId = isThere ? parent : null;
  const known = db.get<{ parent_id: string | null }>(`SELECT parent_id FROM ${table} WHERE id = ?`, id);
  return {
    id,
    org_id: organization,
    parent_id: parentId,
    // Nothing to inherit from, which must not mean everything: grants give what people have.
    default_level: isThere ? defaultLevel : null,
    position: known?.parent_id === parentId ? undefined : lastChildPosition(db, organization, parentId),
  };
}

/** Lists that a backup takes spaces from do not all have the published URL; one that lacks it says nothing. */
function ownSpace(db: Database, { id, organization, urls }: Space): Space {
  const org = found(orgById(db, organization), 'organization', organization);
  const published =
    urls?.published === undefined ? undefined : publishedUrlOfSpace({ db, org, shareKey: undefined }, id);
  return toSpace(found(spaceById(db, id), 'space', id), 'admin', published);
}

/**
 * Puts spaces and collections of one parent into an order; children that it does not name follow, as they were.
 * Lists have spaces or collections, never both, so the order is given for each on its own; collections precede
 * spaces. Call within a write.
 * @param collectionId null for the top level
 */
export function putOrder(db: Database, collectionId: string | null, ids: readonly string[]): void {
  const orgId = orgOf(db, collectionId ?? ids[0]);
  if (orgId === undefined) return;
  const place = new Map(ids.map((id, index) => [id, index]));
  const children = childrenOf(db, orgId, collectionId).map((child, index) => ({ ...child, index }));
  const rankOf = (child: (typeof children)[number]) => place.get(child.id) ?? ids.length + child.index;
  const kindOf = ({ kind }: { kind: string }) => (kind === 'collection' ? 0 : 1);
  children.sort((a, b) => kindOf(a) - kindOf(b) || rankOf(a) - rankOf(b));
  for (const [index, { kind, id, position }] of children.entries()) {
    const wanted = positionAt(index);
    if (position !== wanted) db.run(`UPDATE ${kind}s SET position = ? WHERE id = ?`, wanted, id);
  }
}

/** The organization of a collection or space. */
function orgOf(db: Database, id: string | undefined): string | undefined {
  const sql =
    'SELECT org_id FROM collections WHERE id = ?1 UNION ALL SELECT org_id FROM spaces WHERE id = ?1';
  return id === undefined ? undefined : db.get<{ org_id: string }>(sql, id)?.org_id;
}

/**
 * Puts a site without its structure. Its count of spaces is right once these are there and it is
 * put again. Call within a write.
 */
export function putSite(db: Database, orgId: string, site: Site): void {
  const { icon = null } = site;
  putItem(db, orgId, sites, site, site.id, {
    icon: typeof icon === 'object' && icon !== null ? JSON.stringify(icon) : icon,
    proxy: site.proxy?.origin ?? null,
    share_key: shareKeyOf(site),
    adaptive_content: site.adaptiveContent?.enabled ? 1 : 0,
  });
}

/** Puts the adaptive schema of a site. Call within a write. */
export function putAdaptiveSchema(db: Database, siteId: string, schema: AdaptiveSchema): void {
  update(db, 'sites', siteId, adaptiveLayout.columns(schema));
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

/** A site space as backups hold it, which only names the space. */
type SiteSpaceItem = Omit<SiteSpace, 'space'> & { space?: { id: string } };
type SectionItem = Omit<SiteSection, 'siteSpaces'> & { siteSpaces: readonly SiteSpaceItem[] };
type GroupItem = Omit<SectionGroup, 'sections'> & { sections: readonly { id: string }[] };

/** What a site is made of, in the order of the platform's lists. */
export interface SiteTree {
  groups: readonly GroupItem[];
  sections: readonly SectionItem[];
  siteSpaces: readonly SiteSpaceItem[];
}

const siteTables = ['site_spaces', 'sections', 'section_groups'];

/**
 * Puts all that a site is made of, in its order and with its defaults, in place of what it has here. Put the site
 * and its spaces first. Call within a write.
 * @returns the site spaces whose space is not there, which were left out
 */
export function putSiteTree(db: Database, siteId: string, tree: SiteTree): SiteSpaceItem[] {
  for (const table of siteTables) db.run(`DELETE FROM ${table} WHERE site_id = ?`, siteId);
  for (const group of tree.groups) {
    const position = newPosition(db, 'section_groups', group.id, siteId);
    upsert(db, 'section_groups', ['id'], { ...groupLayout.columns(group), site_id: siteId, position });
  }
  for (const section of tree.sections) insertSection(db, siteId, section);
  const left = tree.siteSpaces.filter((item) => !insertSiteSpace(db, siteId, item));
  placeTop(db, tree);
  setDefaults(db, siteId, tree);
  tellTree(db, siteId, { ...tree, siteSpaces: tree.siteSpaces.filter((item) => !left.includes(item)) });
  return left;
}

function insertSection(db: Database, siteId: string, section: SectionItem): void {
  const { id, path, sectionGroup = null } = section;
  const group = 'SELECT 1 FROM section_groups WHERE id = ?';
  const isThere = sectionGroup !== null && db.get(group, sectionGroup) !== undefined;
  // Paths are unique: another section may have had this one before.
  db.run('UPDATE sections SET path = id WHERE site_id = ? AND path = ? AND id <> ?', siteId, path, id);
  upsert(db, 'sections', ['id'], {
    ...sectionLayout.columns(section),
    site_id: siteId,
    group_id: isThere ? sectionGroup : null,
    position: newPosition(db, 'sections', id, siteId),
  });
}

function insertSiteSpace(db: Database, siteId: string, item: SiteSpaceItem): boolean {
  const { id, path, section = null, space } = item;
  if (db.get('SELECT 1 FROM spaces WHERE id = ?', space?.id ?? '') === undefined) return false;
  if (section !== null && db.get('SELECT 1 FROM sections WHERE id = ?', section) === undefined) return false;
  const others = 'WHERE site_id = ? AND id <> ? AND';
  db.run(`DELETE FROM site_spaces ${others} space_id = ?`, siteId, id, space?.id ?? '');
  db.run(
    `UPDATE site_spaces SET path = id ${others} section_id IS ? AND path = ?`,
    siteId,
    id,
    section,
    path,
  );
  upsert(db, 'site_spaces', ['id'], {
    id,
    site_id: siteId,
    section_id: section,
    space_id: space?.id,
    path,
    condition: item.condition ?? null,
    position: newPosition(db, 'site_spaces', id, siteId),
  });
  return true;
}

/** Last of the site; undefined for what has a position. */
function newPosition(db: Database, table: string, id: string, siteId: string): string | undefined {
  if (db.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== undefined) return undefined;
  const tables = table === 'site_spaces' ? [table] : ['sections', 'section_groups'];
  const select = tables.map((one) => `SELECT position FROM ${one} WHERE site_id = ?1`).join(' UNION ALL ');
  return lastPosition(db.all<{ position: string }>(select, siteId));
}

/**
 * Groups share one order with the sections outside of them. The list of sections shows it, except for empty groups,
 * which follow the group before them.
 */
function placeTop(db: Database, { groups, sections }: SiteTree): void {
  const top: string[] = [];
  for (const { id, sectionGroup } of sections) {
    const known = groups.some((group) => group.id === sectionGroup);
    const place = known && sectionGroup !== undefined ? sectionGroup : id;
    if (!top.includes(place)) top.push(place);
  }
  for (const [index, { id }] of groups.entries()) {
    if (top.includes(id)) continue;
    top.splice(index === 0 ? 0 : top.indexOf(groups[index - 1]?.id ?? '') + 1, 0, id);
  }
  for (const [index, { id }] of sections.entries()) place(db, 'sections', id, index);
  for (const [index, id] of top.entries()) {
    place(db, 'sections', id, index);
    place(db, 'section_groups', id, index);
  }
}

function place(db: Database, table: string, id: string, index: number): void {
  db.run(`UPDATE ${table} SET position = ? WHERE id = ?`, positionAt(index), id);
}

/** Sections show the default of each; the list of site spaces that of the site, which may have no sections. */
function setDefaults(db: Database, siteId: string, { sections, siteSpaces }: SiteTree): void {
  const shown = sections.find((section) => section.default);
  if (shown !== undefined) db.run('UPDATE sections SET is_default = 1 WHERE id = ?', shown.id);
  const within = sections.flatMap((section) => section.siteSpaces);
  const all = within.length === 0 ? siteSpaces : within;
  const section = '(SELECT section_id FROM site_spaces WHERE id = ?1)';
  const sql = `UPDATE site_spaces SET is_default = (id = ?1) WHERE site_id = ?2 AND section_id IS ${section}`;
  for (const item of all.filter((one) => one.default)) db.run(sql, item.id, siteId);
}

/** What the platform told of each; what an item holds of others is told by these. */
function tellTree(db: Database, siteId: string, { groups, sections, siteSpaces }: SiteTree): void {
  for (const table of siteTables) db.run(`UPDATE ${table} SET told = NULL WHERE site_id = ?`, siteId);
  const site = db.get<{ org_id: string }>('SELECT org_id FROM sites WHERE id = ?', siteId);
  const orgId = site?.org_id ?? '';
  const structure = structureOf(asAdmin(db, orgId), siteById(db, orgId, siteId));
  const shown = defaultSiteSpaceOf(structure);
  for (const group of groups)
    tellPart('section_groups', group, toGroup(structure, groupIn(structure, group.id)), 'sections');
  for (const section of sections)
    tellPart('sections', section, toSection(structure, sectionIn(structure, section.id)), 'siteSpaces');
  for (const item of siteSpaces)
    tellPart('site_spaces', item, toSiteSpace(structure, siteSpaceIn(structure, item.id), shown), 'space');

  function tellPart(table: string, told: { id: string }, own: object, except: string): void {
    tell(db, { table, key: { id: told.id } }, told, () => own, [except]);
  }
}
