import type jsep from 'jsep';
import { spaceRank } from '../access.js';
import { lastPosition, type Placed } from '../positions.js';
import type { SpaceRow } from '../records/in-path.js';
import {
  defaultSiteSpaceOf,
  type Reader,
  rootPlace,
  type SiteSpaceRow,
  type Structure,
  siteById,
  structureOf,
} from '../records/site.js';
import { found, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { freeSlug, insert, slugOf } from '../store/rows.js';
import { requirePath } from '../values.js';

/** A call of an operation on a site. */
export interface OnSite extends Omit<Reader, 'shareKey'> {
  path: { readonly siteId: string };
  query?: { shareKey?: string };
}

/** A call that adds to a site. */
interface SiteChange extends OnSite {
  newId(): string;
}

/** The site's current structure. @throws 404 */
export function currentStructure({ db, org, caller, path, query }: OnSite): Structure {
  return structureOf({ db, org, caller, shareKey: query?.shareKey }, siteById(db, org.id, path.siteId));
}

/** A space of the organization that the caller sees. @throws 404 */
export function visibleSpace({ db, org, caller }: OnSite, spaceId: string): SpaceRow {
  const [rank, ...values] = spaceRank(caller);
  const row = db.get<SpaceRow>(
    `SELECT s.* FROM space_caps caps JOIN spaces s ON s.id = caps.space_id
     WHERE caps.space_id = ? AND caps.org_id = ? AND ${rank} > 0`,
    ...[spaceId, org.id, ...values],
  );
  return found(row, 'space', spaceId);
}

/**
 * Adds a space last in a section or at the root, under a path derived from its title. The first one
 * becomes the default.
 * @returns the id of the site space
 * @throws 409 if the space is already on the site
 */
export function addSiteSpace(change: SiteChange, sectionId: string | null, space: SpaceRow): string {
  const { db, newId } = change;
  const { siteId } = change.path;
  refuseSecond(change, space);
  const sql = 'SELECT id, path, position, is_default FROM site_spaces WHERE site_id = ? AND section_id IS ?';
  const siblings = db.all<Placed & { path: string; is_default: number }>(sql, siteId, sectionId);
  const id = newId();
  insert(db, 'site_spaces', {
    id,
    site_id: siteId,
    section_id: sectionId,
    space_id: space.id,
    path: freeSlug(slugOf(space.title, 'space'), new Set(siblings.map(({ path }) => path))),
    is_default: siblings.some(({ is_default }) => is_default === 1) ? 0 : 1,
    position: lastPosition(siblings),
  });
  return id;
}

/**
 * Adds a section with one space, after all others. Spaces at the root move to a first section, the
 * default one: a site shows either kind, and readers must not lose content.
 * @returns the id of the section
 */
export function addSection(change: SiteChange, space: SpaceRow, title: string | undefined): string {
  refuseSecond(change, space);
  const structure = currentStructure(change);
  if (structure.sections.length === 0) gatherRoot(change, structure);
  const id = insertSection(change, title ?? sectionTitle(space.title));
  addSiteSpace(change, id, space);
  return id;
}

/** The groups and the sections outside of them, which share one order. */
export function topLevel({ groups, sections }: Pick<Structure, 'groups' | 'sections'>): Placed[] {
  const ungrouped = sections.filter(({ group_id }) => group_id === null);
  const all = [...groups, ...ungrouped].map(({ id, position }) => ({ id, position }));
  return all.sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Writes positions of sections and groups; their ids do not overlap. */
export function placeSections(db: Database, positions: ReadonlyMap<string, string>): void {
  for (const [id, position] of positions) {
    const moved = db.run('UPDATE sections SET position = ? WHERE id = ?', position, id);
    if (moved === 0) db.run('UPDATE section_groups SET position = ? WHERE id = ?', position, id);
  }
}

/** Makes a section the default of its site. */
export function setDefaultSection({ db, path }: OnSite, sectionId: string): void {
  db.run('UPDATE sections SET is_default = (id = ?) WHERE site_id = ?', sectionId, path.siteId);
}

/** Makes a site space the default of its section, or of the root. */
export function setDefaultSiteSpace({ db, path }: OnSite, row: SiteSpaceRow): void {
  const sql = 'UPDATE site_spaces SET is_default = (id = ?) WHERE site_id = ? AND section_id IS ?';
  db.run(sql, row.site_space_id, path.siteId, row.section_id);
}

/** What replaces a removed default: the next in order, or the first if it was the last. */
export function successor<T>(rows: readonly T[], gone: T): T | undefined {
  const next = rows[rows.indexOf(gone) + 1];
  return next ?? rows.find((row) => row !== gone);
}

/** A published site has readers, so it must keep at least one space. @throws 409 */
export function refuseToEmpty({ site, siteSpaces }: Structure, gone: (row: SiteSpaceRow) => boolean): void {
  const left = siteSpaces.filter((row) => !gone(row));
  if (site.published === 0 || siteSpaces.length === 0 || left.length > 0) return;
  const hint = 'add another one first, or delete the site';
  throw refusal(409, `cannot remove the last space of a published site; ${hint}`);
}

/** @throws 409 if another item of the same level has the path */
export function refuseTakenPath(others: readonly { path: string }[], path: string | undefined): void {
  if (others.some((other) => other.path === path)) {
    throw refusal(409, `the path ${JSON.stringify(path)} is already in use`);
  }
}

function refuseSecond({ db, path }: OnSite, space: SpaceRow): void {
  const sql = 'SELECT 1 FROM site_spaces WHERE site_id = ? AND space_id = ?';
  if (db.get(sql, path.siteId, space.id) === undefined) return;
  throw refusal(409, `space ${space.id} is already on this site`);
}

function gatherRoot(change: SiteChange, structure: Structure): void {
  const { db } = change;
  const { site, siteSpaces } = structure;
  if (db.get('SELECT 1 FROM site_spaces WHERE site_id = ?', site.id) === undefined) return;
  const shown = siteSpaces.find((row) => row.site_space_id === defaultSiteSpaceOf(structure));
  const top = topLevel(structure);
  const taken = top.some(({ position }) => position.startsWith(rootPlace));
  const place = taken ? lastPosition(top) : rootPlace;
  const id = insertSection(change, sectionTitle(shown?.title ?? site.title), place);
  db.run('UPDATE site_spaces SET section_id = ? WHERE site_id = ?', id, site.id);
}

/** The first section of a site is its default. */
function insertSection(change: SiteChange, title: string, position?: string): string {
  const { db, path, newId } = change;
  const structure = currentStructure(change);
  const id = newId();
  const taken = new Set(structure.sections.map((section) => section.path));
  insert(db, 'sections', {
    id,
    site_id: path.siteId,
    title,
    path: freeSlug(slugOf(title, 'section'), taken),
    is_default: structure.sections.length === 0 ? 1 : 0,
    position: position ?? lastPosition(topLevel(structure)),
  });
  return id;
}

/** Titles of spaces may be shorter than those of sections. */
function sectionTitle(spaceTitle: string): string {
  return spaceTitle.length >= 2 ? spaceTitle : `Section ${spaceTitle}`.trim();
}

type Expression = jsep.Expression;

interface Addressed {
  body: { path?: string; condition?: string | null };
}

/** Checks the path and the condition of a section or site space; parses only a condition that is given. @throws 400 */
export async function requirePathAndCondition({ body: { path, condition } }: Addressed): Promise<void> {
  requirePath('path', path);
  if (typeof condition === 'string') requireCondition(condition, (await import('jsep')).default);
}

/**
 * Checks a condition (spec C): an expression over `visitor.claims`, such as
 * `visitor.claims.beta && visitor.claims.plan == "pro"`, with literals, operators, lists and methods. The
 * sandbox has no visitors, so it never evaluates one.
 * @throws 400
 */
function requireCondition(condition: string, parser: typeof jsep): void {
  const rest = [parse(condition, parser)];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) rest.push(...partsOf(next));
}

function parse(condition: string, parser: typeof jsep): Expression {
  parser.addBinaryOp('in', 7);
  try {
    return parser(condition);
  } catch (error) {
    const { description = 'Cannot parse it', index = 0 } = error as { description?: string; index?: number };
    const what =
      index >= condition.length ? 'Unexpected end of the expression' : description.replace(/\.$/, '');
    throw wrong(`${what} at character ${index + 1}`);
  }
}

/** The expressions inside an expression. @throws 400 unless it is of a kind that conditions have */
function partsOf(expression: Expression): Expression[] {
  const node = expression as jsep.CoreExpression;
  switch (node.type) {
    case 'Literal':
      return [];
    case 'UnaryExpression':
      return [node.argument];
    case 'BinaryExpression':
      return [node.left, node.right];
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate];
    case 'ArrayExpression':
      return node.elements.filter((element) => element !== null);
    case 'MemberExpression':
      return [...(isClaims(node) ? [] : [node.object]), ...(node.computed ? [node.property] : [])];
    case 'CallExpression':
      if (node.callee.type !== 'MemberExpression') throw wrong('only methods can be called');
      return [node.callee, ...node.arguments];
    case 'Identifier':
      throw wrong(`unknown name ${JSON.stringify(node.name)}; claims are visitor.claims.<name>`);
    default:
      throw wrong('it must be a single expression');
  }
}

/** Whether it is `visitor.claims`, the one name that conditions know. */
function isClaims({ object, property, computed }: jsep.MemberExpression): boolean {
  return !computed && object.type === 'Identifier' && object.name === 'visitor' && property.name === 'claims';
}

function wrong(why: string) {
  return refusal(400, `body condition is not a valid expression: ${why}`);
}
