import type { Role } from '../../api/shapes.js';
import { collectionLevel, rank, roleOf, spaceRank } from '../access.js';
import { lastPosition, type Placed, positionBetween } from '../positions.js';
import { found, notFound, refusal } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Database } from '../store/database.js';
import { valueWithin } from './custom-fields.js';

/** A parent: a collection, or null for the top level of an organization. */
interface Location {
  orgId: string;
  parentId: string | null;
}

/** Target of a move: another parent, neighbours, both, or neither (spec B, "move"). */
interface Move {
  parent?: string | null | undefined;
  position?: { before?: Neighbour | undefined; after?: Neighbour | undefined } | undefined;
}

/**
 * Moves a space or a collection within its organization. The parent defaults to that of the
 * neighbours; without neighbours it becomes the last child of another parent, or stays where it is.
 * @throws 404 if the parent or a neighbour is unknown or elsewhere; 403 if the caller may not create
 *   there; 409 if a collection would contain itself; 400 if the neighbours are not adjacent
 */
export function relocate(db: Database, caller: Caller, moved: Sibling, from: Location, asked: Move): void {
  const { before, after } = asked.position ?? {};
  const parentId = targetParent(db, from, asked);
  if ([before, after].some((neighbour) => neighbour !== undefined && siblingOf(neighbour).id === moved.id)) {
    throw refusal(400, `body position names the ${moved.kind} itself`);
  }
  if (parentId === from.parentId && before === undefined && after === undefined) return;
  const to = { orgId: from.orgId, parentId };
  requireRoom(db, caller, to);
  if (moved.kind === 'collection' && parentId !== null && isWithin(db, parentId, moved.id)) {
    throw refusal(409, 'a collection cannot be moved into itself or a collection inside it');
  }
  moveTo(db, moved, { ...to, ...seenNeighbour(db, caller, moved, to, asked) });
}

/** The neighbour that determines the position; spaces that the caller cannot see do not count. */
function seenNeighbour(db: Database, caller: Caller, moved: Sibling, to: Location, { position }: Move) {
  const { before, after } = position ?? {};
  const seen = seenChildren(db, caller, to).filter((child) => !same(child, moved));
  const next = before && placeOf(seen, before);
  const previous = after && placeOf(seen, after);
  if (next !== undefined && previous !== undefined && next !== previous + 1) {
    throw refusal(400, 'body position before and after are not next to each other');
  }
  return before === undefined ? { after } : { before };
}

function seenChildren(db: Database, caller: Caller, { orgId, parentId }: Location): Sibling[] {
  const [level, ...values] = spaceRank(caller);
  const collections = caller.role === 'admin' ? '6' : `min(caps.cap, ${rank(caller.role)})`;
  return db.all<Sibling>(
    `SELECT 'space' AS kind, s.id, s.position FROM space_caps caps JOIN spaces s ON s.id = caps.space_id
     WHERE s.org_id = ? AND s.parent_id IS ? AND ${level} > 0
     UNION ALL
     SELECT 'collection', c.id, c.position FROM collection_caps caps JOIN collections c ON c.id = caps.collection_id
     WHERE c.org_id = ? AND c.parent_id IS ? AND ${collections} > 0
     ORDER BY 3, 2`,
    ...[orgId, parentId, ...values, orgId, parentId],
  );
}

function targetParent(db: Database, from: Location, { parent, position }: Move): string | null {
  if (parent !== undefined) return parent;
  const neighbour = position?.before ?? position?.after;
  if (neighbour === undefined) return from.parentId;
  const { kind, id } = siblingOf(neighbour);
  const sql = `SELECT parent_id FROM ${kind}s WHERE id = ? AND org_id = ?`;
  // In the words for one that the caller cannot see, which tell nothing of it.
  return found(db.get<{ parent_id: string | null }>(sql, id, from.orgId), `neighbouring ${kind}`, id)
    .parent_id;
}

/** @throws 404 if the caller cannot see the parent; 403 without the role create in it */
export function requireRoom(db: Database, caller: Caller, { orgId, parentId }: Location): void {
  const level = parentId === null ? caller.role : levelIn(db, caller, orgId, parentId);
  if (rank(level) >= rank('create')) return;
  throw refusal(403, `the target requires the role create; yours is ${level ?? 'guest'}`);
}

function levelIn(db: Database, caller: Caller, orgId: string, collectionId: string): Role {
  const known = db.get('SELECT 1 FROM collections WHERE id = ? AND org_id = ?', collectionId, orgId);
  const level = known === undefined ? null : collectionLevel(db, collectionId, caller);
  if (level === null) throw notFound('collection', collectionId);
  return level;
}

/**
 * `in-collection` is for spaces in a collection only (spec B, "Space"). A space whose collection is
 * deleted becomes private and keeps the level it inherited, so that nobody gains or loses access. Call
 * it before the move.
 */
export function leaveCollections(db: Database, spaceId: string): void {
  db.run(
    "UPDATE spaces SET default_level = ? WHERE id = ? AND visibility = 'in-collection' AND default_level = 'inherit'",
    inheritedLevel(db, spaceId),
    spaceId,
  );
  db.run("UPDATE spaces SET visibility = 'private' WHERE id = ? AND visibility = 'in-collection'", spaceId);
}

/** The level that a space inherits from its collection; admin (unlimited) without a collection. */
function inheritedLevel(db: Database, spaceId: string): Role | null {
  const row = db.get<{ cap: number }>(
    'SELECT cap FROM collection_caps WHERE collection_id = (SELECT parent_id FROM spaces WHERE id = ?)',
    spaceId,
  );
  return row === undefined ? 'admin' : roleOf(row.cap);
}

function isWithin(db: Database, id: string, collectionId: string): boolean {
  const sql = `WITH RECURSIVE up (id) AS (
    SELECT ?1 UNION SELECT c.parent_id FROM up JOIN collections c ON c.id = up.id WHERE c.parent_id IS NOT NULL)
    SELECT 1 FROM up WHERE id = ?2`;
  return db.get(sql, id, collectionId) !== undefined;
}

/**
 * The id of the target, if the caller is an administrator of both organizations.
 * @throws 403 if not of this one, 412 if not of the target or both are the same; 404 if it is unknown
 */
export function transferTarget(
  { db, org, caller }: { db: Database; org: Org; caller: Caller },
  targetId: string,
): string {
  if (caller.role !== 'admin') throw refusal(403, 'a transfer requires the role admin in the organization');
  const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
  const member = db.get<{ role: Role | null }>(sql, targetId, caller.userId);
  if (member === undefined) throw notFound('organization', targetId);
  if (member.role !== 'admin') throw refusal(412, 'you are not an administrator of the target organization');
  if (targetId === org.id) throw refusal(412, 'it already belongs to the target organization');
  return targetId;
}

/**
 * Removes what the new organization of a space lacks: grants to teams and to users who are not members,
 * and custom field values without a field of the same name and type.
 */
export function settleSpace(db: Database, spaceId: string, orgId: string): void {
  db.run('DELETE FROM space_teams WHERE space_id = ?', spaceId);
  const members = 'SELECT user_id FROM members WHERE org_id = ?';
  db.run(`DELETE FROM space_users WHERE space_id = ? AND user_id NOT IN (${members})`, spaceId, orgId);
  for (const value of fieldValues(db, spaceId, orgId)) rebind(db, spaceId, value);
}

interface FieldValue {
  field_id: string;
  value: string;
  type: string;
  /** The organization's field of the same name and type, if any. */
  target_id: string | null;
  options: string | null;
}

function fieldValues(db: Database, spaceId: string, orgId: string): FieldValue[] {
  return db.all<FieldValue>(
    `SELECT v.field_id, v.value, own.type, target.id AS target_id, target.options
     FROM space_field_values v JOIN custom_fields own ON own.id = v.field_id
     LEFT JOIN custom_fields target
       ON target.org_id = ? AND target.name = own.name AND target.type = own.type
     WHERE v.space_id = ?`,
    orgId,
    spaceId,
  );
}

function rebind(db: Database, spaceId: string, field: FieldValue): void {
  const kept = valueWithin(field.value, field);
  db.run('DELETE FROM space_field_values WHERE space_id = ? AND field_id = ?', spaceId, field.field_id);
  if (field.target_id === null || kept === undefined) return;
  const sql = 'INSERT INTO space_field_values (space_id, field_id, value) VALUES (?, ?, ?)';
  db.run(sql, spaceId, field.target_id, kept);
}

/** A space or a collection; children of one parent share one order. */
interface Sibling {
  kind: 'space' | 'collection';
  id: string;
}

/** A neighbour as a request names it. */
type Neighbour = { type: 'space'; space: string } | { type: 'collection'; collection: string };

/** Target of a move: a parent (null for the top level) and at most one neighbour. */
interface SiblingPosition {
  orgId: string;
  parentId: string | null;
  before?: Neighbour | undefined;
  after?: Neighbour | undefined;
}

type Child = Sibling & Placed;

/** The children of a parent in order; deleted spaces keep their place. */
export function childrenOf(db: Database, orgId: string, parentId: string | null): Child[] {
  return db.all<Child>(
    `SELECT 'space' AS kind, id, position FROM spaces WHERE org_id = ?1 AND parent_id IS ?2
     UNION ALL
     SELECT 'collection', id, position FROM collections WHERE org_id = ?1 AND parent_id IS ?2
     ORDER BY position, id`,
    orgId,
    parentId,
  );
}

/** The position after the last child of a parent. */
export function lastChildPosition(db: Database, orgId: string, parentId: string | null): string {
  return lastPosition(childrenOf(db, orgId, parentId));
}

/**
 * Moves a space or collection; its siblings keep their positions. Without a neighbour it goes to the end.
 * @throws 404 for a neighbour under another parent
 */
export function moveTo(
  db: Database,
  moved: Sibling,
  { orgId, parentId, before, after }: SiblingPosition,
): void {
  const siblings = childrenOf(db, orgId, parentId).filter((child) => !same(child, moved));
  const index = before ? placeOf(siblings, before) : after && placeOf(siblings, after) + 1;
  const at = index ?? siblings.length;
  const position = positionBetween(siblings[at - 1]?.position, siblings[at]?.position);
  const sql = `UPDATE ${moved.kind}s SET parent_id = ?, org_id = ?, position = ? WHERE id = ?`;
  db.run(sql, parentId, orgId, position, moved.id);
}

/** The space or collection that a neighbour names. */
function siblingOf(neighbour: Neighbour): Sibling {
  return neighbour.type === 'space'
    ? { kind: 'space', id: neighbour.space }
    : { kind: 'collection', id: neighbour.collection };
}

/** @throws 404 if it is not among the siblings */
export function placeOf(siblings: readonly Sibling[], neighbour: Neighbour): number {
  const wanted = siblingOf(neighbour);
  const index = siblings.findIndex((sibling) => same(sibling, wanted));
  if (index < 0) throw notFound(`neighbouring ${wanted.kind}`, wanted.id);
  return index;
}

export function same(a: Sibling, b: Sibling): boolean {
  return a.kind === b.kind && a.id === b.id;
}
