import {
  deleteSpace,
  duplicateSpace,
  getSpace,
  moveSpace,
  restoreSpace,
  type Space,
  transferSpace,
  updateSpace,
} from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { collectionLevel, rank } from '../access.js';
import { type Call, handle } from '../handle.js';
import type { PendingWork } from '../pending.js';
import { publishedAt, publishedUrlOfSpace } from '../records/site-structure.js';
import { type SpaceRow, spaceById, toSpace } from '../records/space.js';
import { found, notFound, refusal } from '../refusal.js';
import { lastPosition, moveTo, siblingOf } from '../spaces/siblings.js';
import { spaceCopiers } from '../spaces/space-copies.js';
import { transferTarget } from '../spaces/transfer.js';
import type { Database } from '../store/database.js';
import { assignments } from '../store/sql.js';

const restoreWindowMs = 7 * 86_400_000;

export const handlers = [
  handle(getSpace, (call) => show(call, call.space, call.caller.level, call.query.shareKey)),

  handle(updateSpace, (call) => {
    const { db, space, body, clock } = call;
    if (typeof body.emoji === 'string' && typeof body.icon === 'string') {
      throw refusal(400, 'body emoji and icon cannot both be set.');
    }
    const [sql, ...values] = assignments({
      title: body.title,
      edit_mode: body.editMode,
      default_level: body.defaultLevel,
      emoji: typeof body.icon === 'string' ? '' : body.emoji === null ? '' : body.emoji,
      icon: typeof body.emoji === 'string' ? null : body.icon,
      updated_at: clock.now(),
    });
    db.run(`UPDATE spaces SET ${sql} WHERE id = ?`, ...values, space.id);
    return answer(call, space.id);
  }),

  handle(deleteSpace, ({ db, space, clock }) => {
    db.run('UPDATE spaces SET deleted_at = ? WHERE id = ?', clock.now(), space.id);
  }),

  handle(
    restoreSpace,
    (call) => {
      const { db, space } = call;
      if (space.deleted_at === null) throw refusal(409, 'This space is not deleted.');
      db.run('UPDATE spaces SET deleted_at = NULL WHERE id = ?', space.id);
      return answer(call, space.id);
    },
    { deletedToo: true },
  ),

  handle(duplicateSpace, (call) => {
    const copy = insertCopy(call);
    for (const copier of spaceCopiers) copier(call.db, call.space.id, copy, call.newId);
    return answer(call, copy, 'admin');
  }),

  handle(moveSpace, (call) => {
    const { db, space, body } = call;
    const { before, after } = body.position ?? {};
    const parentId = targetParent(call);
    if (parentId === space.parent_id && before === undefined && after === undefined)
      return answer(call, space.id);
    if ([before, after].some((neighbour) => neighbour && siblingOf(neighbour).id === space.id)) {
      throw refusal(400, 'body position names the space itself.');
    }
    requireCreate(call, parentId);
    moveTo(db, { kind: 'space', id: space.id }, { orgId: space.org_id, parentId, before, after });
    db.run('UPDATE spaces SET visibility = ? WHERE id = ?', visibilityIn(space, parentId), space.id);
    return answer(call, space.id);
  }),

  handle(transferSpace, (call) => {
    const { db, space, body } = call;
    const orgId = transferTarget(call, body.organization);
    moveTo(db, { kind: 'space', id: space.id }, { orgId, parentId: null });
    db.run('UPDATE spaces SET visibility = ? WHERE id = ?', visibilityIn(space, null), space.id);
    for (const table of ['space_users', 'space_teams', 'space_field_values']) {
      db.run(`DELETE FROM ${table} WHERE space_id = ?`, space.id);
    }
    return toSpace(found(spaceById(db, space.id), 'space', space.id), 'admin');
  }),
];

/** A deleted space can be restored for seven days (spec B, "States and transitions"). */
export const pending: readonly PendingWork[] = [
  {
    due: `SELECT min(deleted_at) + ${restoreWindowMs} FROM spaces WHERE deleted_at IS NOT NULL`,
    tables: ['spaces'],
    finish: (db, now) => {
      db.run('DELETE FROM spaces WHERE deleted_at <= ?', now - restoreWindowMs);
    },
  },
];

type InSpace = Pick<Call<typeof getSpace>, 'db' | 'space' | 'caller' | 'org'>;

/** The space as it is now. */
function answer(call: InSpace, id: string, level = call.caller.level): Space {
  return show(call, found(spaceById(call.db, id), 'space', id), level);
}

function show(call: InSpace, row: SpaceRow, level: Role | null, shareKey?: string): Space {
  const published = publishedUrlOfSpace({ db: call.db, org: call.org, shareKey }, row.id);
  return publishedAt(toSpace(row, level ?? 'read'), published);
}

/** Creates an unpublished copy after the space; the caller becomes its admin. */
function insertCopy({ db, space, caller, clock, newId }: Call<typeof duplicateSpace>): string {
  const [id, revision, now] = [newId(), newId(), clock.now()];
  const title = [...`Copy of ${space.title}`].slice(0, 50).join('');
  const published = !['in-collection', 'private'].includes(space.visibility);
  const unpublished = space.parent_id === null ? 'private' : 'in-collection';
  db.run(
    `INSERT INTO spaces (id, org_id, parent_id, title, emoji, icon, visibility, edit_mode, default_level,
       revision_id, position, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, space.org_id, space.parent_id, title, space.emoji, space.icon],
    ...[published ? unpublished : space.visibility, space.edit_mode, space.default_level],
    ...[revision, lastPosition(db, space.org_id, space.parent_id), now, now],
  );
  db.run("INSERT INTO space_users (space_id, user_id, level) VALUES (?, ?, 'admin')", id, caller.userId);
  const place = { orgId: space.org_id, parentId: space.parent_id };
  moveTo(db, { kind: 'space', id }, { ...place, after: { type: 'space', space: space.id } });
  return id;
}

/** The parent of a move: the one given, else that of the neighbours, else the current one. */
function targetParent({ db, space, body }: Call<typeof moveSpace>): string | null {
  if (body.parent !== undefined) return body.parent;
  const neighbour = body.position?.before ?? body.position?.after;
  if (neighbour === undefined) return space.parent_id;
  const { kind, id } = siblingOf(neighbour);
  const sql = `SELECT parent_id FROM ${kind}s WHERE id = ? AND org_id = ?`;
  return found(db.get<{ parent_id: string | null }>(sql, id, space.org_id), kind, id).parent_id;
}

/** A move requires the role create in the target. */
function requireCreate({ db, org, caller }: InSpace, parentId: string | null): void {
  const level: Role | null =
    parentId === null ? caller.role : levelInCollection(db, org.id, parentId, caller);
  if (parentId !== null && level === null) throw notFound('collection', parentId);
  if (rank(level) < rank('create')) throw refusal(403, 'The target requires the role create.');
}

function levelInCollection(
  db: Database,
  orgId: string,
  collectionId: string,
  caller: InSpace['caller'],
): Role | null {
  const known = db.get('SELECT 1 FROM collections WHERE id = ? AND org_id = ?', collectionId, orgId);
  return known === undefined ? null : collectionLevel(db, collectionId, caller);
}

/** A space outside of collections cannot inherit a collection's visibility. */
function visibilityIn(space: SpaceRow, parentId: string | null): SpaceRow['visibility'] {
  return space.visibility === 'in-collection' && parentId === null ? 'private' : space.visibility;
}
