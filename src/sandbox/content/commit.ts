import type { ChangeRequestRow } from '../records/change-request.js';
import type { SpaceRow } from '../records/space.js';
import type { Caller } from '../scope.js';
import type { Clock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { mergeContents } from './merge.js';
import { addRevision, type Contents, type Revision, revisionOf } from './revisions.js';
import { versionNames } from './versions.js';

export interface ContentChange {
  db: Database;
  space: SpaceRow;
  caller: Caller;
  clock: Clock;
  newId(): string;
}

/** Saves contents as a new revision by the caller, which may belong to a change request. */
export function commit(
  { db, space, caller, clock, newId }: ContentChange,
  { pages, files, reusables }: Contents,
  parents: string[],
  message: string,
  changeRequestId: string | null = null,
): Revision {
  const revision: Revision = {
    id: newId(),
    spaceId: space.id,
    changeRequestId,
    parents,
    pages,
    files,
    reusables,
    message,
    authorId: caller.userId,
    createdAt: clock.now(),
  };
  addRevision(db, revision);
  return revision;
}

/** Merges a change request and its space's main content; undefined if they conflict. */
export function mergedContents(
  { db, space }: Pick<ContentChange, 'db' | 'space'>,
  request: ChangeRequestRow,
): Contents | undefined {
  const base = revisionOf(db, space, request.revision_merged_ancestor ?? request.revision_initial);
  const main = revisionOf(db, space, space.revision_id);
  const change = revisionOf(db, space, request.revision_id);
  return mergeContents({ base, main, change }, versionNames(db));
}
