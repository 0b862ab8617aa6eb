import type { ChangeRequest } from '../../api/resources/change-requests.js';
import { type Contents, type Entry, type PageNode, revisionOf } from '../content/revisions.js';
import { pageByVersion } from '../content/versions.js';
import { type ChangeRequestRow, changeRequestIn, toChangeRequest } from '../records/change-request.js';
import { type SpaceRow, spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { type ContentOwner, type CopiedContent, putRevision, putRevisionRow } from './content.js';
import { ensureUser } from './people.js';
import { msOf, tell, upsert } from './rows.js';

/**
 * Puts a change request of a space whose content is there. Putting it again changes nothing. Its count of comments
 * is right once these are there and it is put again. Call within a write.
 * @param content of its revision; without it, the change request is empty until it is put with it
 */
export function putChangeRequest(
  db: Database,
  spaceId: string,
  request: ChangeRequest,
  content?: CopiedContent,
): void {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const { id, createdBy } = request;
  if (createdBy !== undefined) ensureUser(db, createdBy);
  const base = request.revisionMergedAncestor ?? request.revisionInitial;
  upsert(db, 'change_requests', ['id'], {
    id,
    space_id: spaceId,
    number: request.number,
    status: request.status,
    subject: request.subject,
    created_by: createdBy?.id ?? null,
    created_at: msOf(request.createdAt),
    updated_at: msOf(request.updatedAt),
    revision_id: request.revision,
    revision_initial: request.revisionInitial,
    revision_merged_ancestor: request.revisionMergedAncestor ?? null,
    revision_merged: request.revisionMerged ?? null,
    current_at: !request.outdated && base !== space.revision_id ? space.revision_id : null,
  });
  if (content !== undefined) putRevision(db, ownerOf(spaceId, request), content);
  const row = changeRequestIn(db, spaceId, id);
  if (content !== undefined) putBase(db, space, row);
  tell(db, { table: 'change_requests', key: { id } }, request, () =>
    toChangeRequest(changeRequestIn(db, spaceId, id)),
  );
}

/** Whose content that of a change request is. */
export function ownerOf(spaceId: string, { id, number, createdBy }: ChangeRequest): ContentOwner {
  return { spaceId, changeRequest: { id, number, authorId: createdBy?.id ?? null } };
}

/** The content that it is based on, which is told nowhere, unless it is that of the space. */
function putBase(db: Database, space: SpaceRow, row: ChangeRequestRow): void {
  if (row.status !== 'draft' && row.status !== 'open') return;
  assumeBase(db, space, row);
}

/**
 * Nobody tells the content that a change request is based on, and merging needs it. One that is not outdated is
 * based on that of its space. For an outdated one it is assumed from times: what differs was changed by the side
 * whose page was changed after the change request was created, by both if both were, by the change request if
 * neither was. A page on one side alone was added there, if it was created since; else the other side removed it.
 * Files have no times: one on one side alone was added there, one that differs was changed by the change request.
 */
function assumeBase(db: Database, space: SpaceRow, row: ChangeRequestRow): void {
  const id = row.revision_merged_ancestor ?? row.revision_initial;
  if (id === space.revision_id || isTold(db, id)) return;
  const main = revisionOf(db, space, space.revision_id);
  const change = revisionOf(db, space, row.revision_id);
  const contents = row.outdated === 1 ? assumed({ db, since: row.created_at }, main, change) : main;
  const told = { spaceId: space.id, changeRequestId: null, parents: [], authorId: null };
  const assumption = { message: 'Assumed as the base of a change request', createdAt: row.created_at };
  putRevisionRow(db, { ...contentsOf(contents), ...told, ...assumption, id }, true);
}

function isTold(db: Database, id: string): boolean {
  return db.get('SELECT 1 FROM revisions WHERE id = ? AND assumed = 0', id) !== undefined;
}

function contentsOf({ pages, files, reusables }: Contents): Contents {
  return { pages, files, reusables };
}

interface Fork {
  db: Database;
  /** When the change request was created, in milliseconds. */
  since: number;
}

function assumed(fork: Fork, main: Contents, change: Contents): Contents {
  return {
    pages: assumedPages(fork, main.pages, change.pages),
    files: assumedEntries(main.files, change.files),
    reusables: assumedEntries(main.reusables, change.reusables),
  };
}

/** Of what is on both sides, that of the space. */
function assumedEntries(main: readonly Entry[], change: readonly Entry[]): Entry[] {
  const both = new Set(change.map(({ id }) => id));
  return main.filter(({ id }) => both.has(id));
}

/** A page with the one above it; '' at the top. */
interface Spot {
  version: number;
  parent: string;
}

function assumedPages(fork: Fork, main: readonly PageNode[], change: readonly PageNode[]): PageNode[] {
  const [ours, theirs] = [spotsOf(main), spotsOf(change)];
  const base = new Map<string, Spot>();
  for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
    const spot = assumedSpot(fork, ours.get(id), theirs.get(id));
    if (spot !== undefined) base.set(id, spot);
  }
  return treeOf(base, '');
}

/** The page as it was; undefined if it was not there. A version of 0 stands for one that neither side has. */
function assumedSpot(fork: Fork, ours: Spot | undefined, theirs: Spot | undefined): Spot | undefined {
  if (ours === undefined || theirs === undefined) {
    const only = ours ?? theirs;
    return only !== undefined && timesOf(fork, only).created > fork.since ? undefined : only;
  }
  if (ours.version === theirs.version) return ours;
  const isOurs = timesOf(fork, ours).updated > fork.since;
  const isTheirs = timesOf(fork, theirs).updated > fork.since;
  if (isOurs && isTheirs) return { ...ours, version: 0 };
  return isOurs ? theirs : ours;
}

function timesOf({ db }: Fork, { version }: Spot): { created: number; updated: number } {
  const page = pageByVersion(db, version);
  return { created: page?.created_at ?? 0, updated: page?.updated_at ?? 0 };
}

function spotsOf(
  nodes: readonly PageNode[],
  parent = '',
  spots = new Map<string, Spot>(),
): Map<string, Spot> {
  for (const { id, version, pages = [] } of nodes) {
    spots.set(id, { version, parent });
    spotsOf(pages, id, spots);
  }
  return spots;
}

function treeOf(spots: ReadonlyMap<string, Spot>, parent: string): PageNode[] {
  const here = [...spots].filter(([, spot]) => spot.parent === parent);
  return here.map(([id, { version }]) => ({ id, version, pages: treeOf(spots, id) }));
}
