import { defined } from '../base/values.js';
import { isAccess } from './access.js';
import type { Counts, FileEntry, Manifest, Older, SpaceEntry } from './manifest.js';

/** When what a backup holds was read. A fact that a run did not read is as an earlier run read it. */

export type Ages = Pick<Manifest, 'readAt' | 'accessReadAt' | 'older' | 'lastFinished'>;

/** Of the top, until this run has read it. */
export function lastAges(previous: Manifest | undefined): Ages {
  const accessReadAt = previous !== undefined && hasAccess(previous) ? (previous.accessReadAt ?? null) : null;
  const { older, lastFinished } = previous ?? {};
  return defined({
    readAt: readAtOf(previous),
    accessReadAt,
    older,
    lastFinished: finishOf(previous) ?? lastFinished,
  });
}

/**
 * Of the top, once this run has read it.
 * @param older what is as an earlier run read it
 */
export function agesNow(
  previous: Manifest | undefined,
  startedAt: string,
  { files, older }: { files: Manifest['files']; older: ReadonlySet<string> },
): Ages {
  const last = lastAges(previous);
  const read = older.has('access') ? last.accessReadAt : startedAt;
  const accessReadAt = hasAccess({ files }) ? (read ?? null) : null;
  const since = { ...last.older, ...(last.accessReadAt && { access: last.accessReadAt }) };
  return defined({ ...last, readAt: startedAt, accessReadAt, ...olderFacts(older, since, last.readAt) });
}

/**
 * Of a space that was read.
 * @param entry of the last run
 * @param allReplies whether every reply was read
 */
export function spaceAges(
  entry: SpaceEntry | undefined,
  startedAt: string,
  { allReplies, older }: { allReplies: boolean; older: ReadonlySet<string> },
): Pick<SpaceEntry, 'repliesReadAt' | 'readAt' | 'older'> {
  const { repliesReadAt, readAt } = entry ?? {};
  const since = { ...entry?.older, ...(repliesReadAt !== undefined && { replies: repliesReadAt }) };
  const replies = allReplies ? startedAt : repliesReadAt;
  return defined({ repliesReadAt: replies, readAt: startedAt, ...olderFacts(older, since, readAt) });
}

/** A space that this run did not read: all of it is older. */
export function unreadSpace(entry: SpaceEntry): SpaceEntry {
  if (entry.state === 'planned' || entry.readAt === undefined) return entry;
  return { ...entry, older: { ...entry.older, space: entry.older?.space ?? entry.readAt } };
}

/** Spaces that hold facts that are older than the last run. */
export function olderSpaces({ spaces }: Pick<Manifest, 'spaces'>): (SpaceEntry & { older: Older })[] {
  return spaces.flatMap((space) => (space.older === undefined ? [] : [{ ...space, older: space.older }]));
}

function olderFacts(
  kinds: ReadonlySet<string>,
  since: Older,
  readAt: string | undefined,
): { older: Older | undefined } {
  const times = [...kinds].sort().flatMap((kind) => {
    const time = since[kind] ?? readAt;
    return time === undefined ? [] : [[kind, time] as const];
  });
  return { older: times.length === 0 ? undefined : Object.fromEntries(times) };
}

/** Whether a backup has permissions in spaces. Without them it does not say that nobody has access. */
export function hasAccess({ files }: Pick<Manifest, 'files'>): boolean {
  return files.some(isAccess);
}

/** Manifests of earlier versions have no such time; the start of a run that finished is the same. */
function readAtOf(previous: Manifest | undefined): string | undefined {
  return previous?.readAt ?? (previous?.state === 'unfinished' ? undefined : previous?.startedAt);
}

function finishOf(previous: Manifest | undefined): Manifest['lastFinished'] {
  const { state, finishedAt } = previous ?? {};
  return finishedAt === undefined || state === undefined || state === 'unfinished'
    ? undefined
    : { state, finishedAt };
}

/** Counts of files by what they hold; pages and files of change requests do not count. */
export function countsOf(files: readonly FileEntry[]): Record<string, number> {
  const own = files.filter(({ changeRequest }) => changeRequest === undefined);
  const bytes = own.filter(({ kind }) => kind === 'file').map((file) => file.bytes);
  return {
    pages: own.filter(({ kind }) => kind === 'page').length,
    files: bytes.length,
    fileBytes: bytes.reduce((sum, size) => sum + size, 0),
    changeRequests: files.filter(({ kind }) => kind === 'change-request').length,
  };
}

/** Counts of a whole backup. @param tally those of the organization */
export function summed(tally: Counts, spaces: readonly SpaceEntry[]): Counts {
  const counts: Record<string, number> = { ...tally, spaces: spaces.length };
  for (const { counts: own = {} } of spaces)
    for (const [name, count] of Object.entries(own)) counts[name] = (counts[name] ?? 0) + count;
  return counts;
}
