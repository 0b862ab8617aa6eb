import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openLog } from '../../base/append-log.js';
import type { Io } from '../../base/io.js';
import { withLock } from '../../base/lock.js';
import { checkOwnFolder, makeFolders } from '../../base/own-files.js';
import { defined } from '../../base/values.js';
import { syncFolder } from '../../base/write-file.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { digestOf } from '../../jobs/journal-digest.js';
import { cannotWrite } from '../../settings/own-files.js';
import { type ChainLine, chainPath, type Happened, sha256, unwritable } from './chain.js';
import { readTail, type Tail } from './tail.js';

/** By the path of a chain: the last append of this process, so that it never polls for a lock of its own. */
const turns = new Map<string, Promise<void>>();

/**
 * Appends events to the chain, under its lock: two processes never link to the same line. What a crash left torn is
 * closed first, and jobs whose process is dead are ended.
 * @param options.sync whether they must be on the disk when this resolves; default: true
 * @throws DocsError local-io `audit_unwritable`; configuration `unsafe_path`
 */
export async function appendEvents(
  io: Io,
  events: readonly Happened[],
  { sync = true }: { sync?: boolean } = {},
): Promise<void> {
  const path = chainPath(io);
  const before = turns.get(path) ?? Promise.resolve();
  const own = before.catch(() => {}).then(() => appendNow(io, path, events, sync));
  turns.set(path, own);
  return own;
}

async function appendNow(io: Io, path: string, events: readonly Happened[], sync: boolean): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    makeFolder(dirname(path));
    const chain = await openLog(path, { read: true });
    handle = chain;
    // What happened is recorded even where the run is being interrupted.
    const patient: Io = { ...io, signal: new AbortController().signal };
    const lock = `${path}.lock`;
    const failed = (cause: unknown) => cannotWrite(io, lock, cause);
    const isNew = await withLock(patient, lock, (held) => appendTo(io, chain, events, held), failed);
    // Outside of the lock: nobody waits for somebody else's disk.
    if (sync) await chain.datasync();
    if (sync && isNew) await syncFolder(dirname(path));
  } catch (cause) {
    throw unwritable(io, path, cause);
  } finally {
    await handle?.close();
  }
}

/** The folder of the chain belongs to the user alone, as that of the journals. */
function makeFolder(folder: string): void {
  checkOwnFolder(folder);
  makeFolders(folder, 0o700);
}

/** @returns whether the chain begins here */
async function appendTo(
  io: Io,
  handle: FileHandle,
  events: readonly Happened[],
  held: () => boolean,
): Promise<boolean> {
  const { size } = await handle.stat();
  const tail = await readTail(handle, size);
  const all = [...(tail.last === undefined ? begun(io, events) : dead(io, tail.last, events)), ...events];
  const torn = tail.torn === undefined ? [] : [{ event: 'torn' as const, ...tail.torn }];
  const text = tail.closing + linked(tail, [...torn, ...all], new Date(io.now()).toISOString());
  // After a long suspend another process may have taken the lock over.
  if (!held()) throw Object.assign(new Error('the lock of the audit chain was lost'), { code: 'EAGAIN' });
  try {
    await handle.appendFile(text);
  } catch (cause) {
    // Half a line would be closed by the next writer; better there is none.
    if (held()) await handle.truncate(size).catch(() => {});
    throw cause;
  }
  return tail.last === undefined;
}

/** The lines of events, each with the hash of the one before. */
function linked(tail: Tail, events: readonly Happened[], at: string): string {
  let [prev, seq] = [tail.hash, tail.last?.seq ?? 0];
  const open = new Set(tail.last?.open ?? []);
  let text = '';
  for (const { event, ...more } of events) {
    seq += 1;
    const { job } = more;
    if (job !== undefined && opening.has(event)) open.add(job);
    if (job !== undefined && closing.has(event)) open.delete(job);
    const line: ChainLine = { seq, at, event, ...more, ...(open.size > 0 && { open: [...open] }), prev };
    const written = JSON.stringify(line);
    prev = sha256(written);
    text += `${written}\n`;
  }
  return text;
}

const opening = new Set<string>(['job-begun', 'job-resumed', 'settled']);
const closing = new Set<string>(['job-ended', 'journal-pruned', 'discarded']);

/** The first lines of a chain: the journals that were there before it, so that those, too, are held. */
function begun(io: Io, events: readonly Happened[]): Happened[] {
  const own = new Set(events.map(({ job }) => job));
  const folder = new JobFolder(io);
  const entries = folder.entries().filter(({ job }) => !own.has(job));
  const workers = entries.length === 0 ? undefined : folder.workers();
  const found = entries.reverse().flatMap(({ job, path }): Happened[] => {
    const digest = digestIn(path);
    // That of a job at work changes.
    const sha256 = workers?.has(job) ? undefined : digest?.sha256;
    return digest === undefined ? [] : [{ event: 'journal-found', job, ...defined({ sha256 }) }];
  });
  return [{ event: 'chain-begun' }, ...found];
}

/** Ends the jobs whose process died before it could. */
function dead(io: Io, { open = [] }: ChainLine, events: readonly Happened[]): Happened[] {
  const own = new Set(events.map(({ job }) => job));
  const others = open.filter((job) => !own.has(job));
  if (others.length === 0) return [];
  const folder = new JobFolder(io);
  const workers = folder.workers();
  const paths = new Map(folder.entries().map(({ job, path }) => [job, path]));
  return others
    .filter((job) => !workers.has(job))
    .map((job) => {
      const path = paths.get(job);
      const end = { event: 'job-ended', job, interrupted: true } as const;
      return path === undefined ? { ...end, missing: true } : { ...end, ...digestIn(path) };
    });
}

/** What cannot be read is left to `verify`, which says so. */
function digestIn(path: string): ReturnType<typeof digestOf> {
  try {
    return digestOf(path);
  } catch {
    return undefined;
  }
}
