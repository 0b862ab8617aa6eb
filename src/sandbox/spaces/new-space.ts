import { commit, noContents, publishRevision } from '../content/revisions.js';
import { sampleFiles, samplePages } from '../content/sample-pages.js';
import { writeFiles, writePages } from '../content/write-content.js';
import { type SpaceRow, spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Clock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import { type Columns, insert } from '../store/sql.js';
import { lastPosition } from './siblings.js';

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
  const position = lastPosition(db, org.id, null);
  const id = insertSpace(parts, { org_id: org.id, title, visibility: 'private', position });
  const space = found(spaceById(db, id), 'space', id);
  if (sample) addSampleContent(parts, space);
  return found(spaceById(db, id), 'space', id);
}

/** Adds the row of a space, its title cut to 50 characters, and makes the caller its admin. */
export function insertSpace(
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
