import * as api from '../../api/resources/spaces.js';
import { commit, copyContent, noContents, publishRevision } from '../content/revisions.js';
import { sampleFiles, samplePages, writeFiles, writePages } from '../content/sample-pages.js';
import { type Call, handle } from '../handle.js';
import { type SpaceRow, spaceById } from '../records/in-path.js';
import { toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Database } from '../store/database.js';
import { type Clock, type Columns, idFrom, insert } from '../store/rows.js';
import { lastChildPosition, moveTo, relocate, settleSpace, transferTarget } from './relocate.js';
import { answer } from './spaces.js';

/** Handlers that put a space somewhere: they make, copy or move it. */
export const handlers = [
  handle(api.duplicateSpace, (call) => {
    const copy = insertCopy(call);
    copyContent(call.db, call.space.id, copy);
    return answer(call, copy, 'admin');
  }),

  handle(api.moveSpace, (call) => {
    const { db, space, caller, body } = call;
    const from = { orgId: space.org_id, parentId: space.parent_id };
    relocate(db, caller, { kind: 'space', id: space.id }, from, body);
    hideOutside(db, space.id);
    return answer(call, space.id);
  }),

  handle(api.transferSpace, (call) => {
    const { db, space, body } = call;
    const orgId = transferTarget(call, body.organization);
    moveTo(db, { kind: 'space', id: space.id }, { orgId, parentId: null });
    hideOutside(db, space.id);
    settleSpace(db, space.id, orgId);
    return toSpace(found(spaceById(db, space.id), 'space', space.id), 'admin');
  }),
];

/** Creates an unpublished copy after the space, without its content; the caller becomes its admin. */
function insertCopy(call: Call<typeof api.duplicateSpace>): string {
  const { db, space } = call;
  const { org_id, parent_id, emoji, icon, edit_mode, default_level } = space;
  const kept = space.visibility === 'in-collection' || space.visibility === 'private';
  const visibility = kept ? space.visibility : parent_id === null ? 'private' : 'in-collection';
  const title = `Copy of ${space.title}`;
  const position = lastChildPosition(db, org_id, parent_id);
  const own = { title, visibility, position };
  const id = insertSpace(call, { org_id, parent_id, emoji, icon, edit_mode, default_level, ...own });
  const place = { orgId: org_id, parentId: parent_id };
  moveTo(db, { kind: 'space', id }, { ...place, after: { type: 'space', space: space.id } });
  db.run(
    `INSERT INTO space_field_values (space_id, field_id, value)
     SELECT ?, field_id, value FROM space_field_values WHERE space_id = ?`,
    ...[id, space.id],
  );
  return id;
}

/** A space outside of collections cannot inherit a collection's visibility. */
function hideOutside(db: Database, id: string): void {
  const inherits = "parent_id IS NULL AND visibility = 'in-collection'";
  db.run(`UPDATE spaces SET visibility = 'private' WHERE id = ? AND ${inherits}`, id);
}

interface Parts {
  db: Database;
  org: Org;
  caller: Caller;
  clock: Clock;
  newId(): string;
}

/** Creates a private space at the end of the organization's top level. */
export function newSpace(parts: Parts, { title, sample }: { title: string; sample: boolean }): SpaceRow {
  const { db, org } = parts;
  const position = lastChildPosition(db, org.id, null);
  const id = insertSpace(parts, { org_id: org.id, title, visibility: 'private', position });
  const space = found(spaceById(db, id), 'space', id);
  if (sample) addSampleContent(parts, space);
  return found(spaceById(db, id), 'space', id);
}

/** Adds the row of a space, its title cut to 50 characters, and makes the caller its admin. */
function insertSpace(
  { db, caller, clock, newId }: Omit<Parts, 'org'>,
  { title, ...columns }: Columns & { title: string },
): string {
  const [id, revision_id, now] = [newId(), newId(), clock.now()];
  const cut = [...title].slice(0, 50).join('');
  insert(db, 'spaces', { id, title: cut, ...columns, revision_id, created_at: now, updated_at: now });
  insert(db, 'space_users', { space_id: id, user_id: caller.userId, level: 'admin' });
  return id;
}

function addSampleContent(parts: Parts, space: SpaceRow): void {
  const { db, clock } = parts;
  const idOf = (path: string) => idFrom(`${space.id} ${path}`);
  const writing = { db, spaceId: space.id, idOf, at: clock.now() };
  const contents = {
    ...noContents,
    pages: writePages(writing, samplePages),
    files: writeFiles(writing, sampleFiles()),
  };
  const revision = commit({ ...parts, space }, contents, [space.revision_id], 'Add sample content');
  publishRevision(db, revision);
}
