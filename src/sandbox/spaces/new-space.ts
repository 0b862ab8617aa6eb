import { commit } from '../content/commit.js';
import { noContents, publishRevision } from '../content/revisions.js';
import { sampleFiles, samplePages } from '../content/sample-pages.js';
import { writeFiles, writePages } from '../content/write-content.js';
import { type SpaceRow, spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Clock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import { lastPosition } from './siblings.js';

interface NewSpace {
  title: string;
  /** With sample pages, or empty. */
  sample: boolean;
}

interface Parts {
  db: Database;
  org: Org;
  caller: Caller;
  clock: Clock;
  newId(): string;
}

/**
 * Creates a space at the end of the organization's top level. It is private: its creator is its admin,
 * others need a grant to see it.
 */
export function newSpace(parts: Parts, { title, sample }: NewSpace): SpaceRow {
  const { db, org, caller, clock, newId } = parts;
  const [id, revision, now] = [newId(), newId(), clock.now()];
  db.run(
    `INSERT INTO spaces (id, org_id, title, visibility, revision_id, position, created_at, updated_at)
     VALUES (?, ?, ?, 'private', ?, ?, ?, ?)`,
    ...[id, org.id, [...title].slice(0, 50).join(''), revision, lastPosition(db, org.id, null), now, now],
  );
  db.run("INSERT INTO space_users (space_id, user_id, level) VALUES (?, ?, 'admin')", id, caller.userId);
  const space = found(spaceById(db, id), 'space', id);
  if (sample) addSampleContent(parts, space);
  return found(spaceById(db, id), 'space', id);
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
