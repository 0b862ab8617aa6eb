import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DocsError } from '../../base/errors.js';
import { shownChange } from '../../jobs/change.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Header, Job } from '../../jobs/journal.js';
import { undoneItems } from '../../jobs/undo.js';
import type { Lock } from '../../plans/lock.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';

/** The lock of the folder that a job belongs to: written once the job is over. */

/**
 * Writes what the items of a job did to the lock of its folder; of a job of no folder, nothing.
 * @returns local-io `lock_unwritten` where it could not: the platform is changed, and the lock does not say so
 */
export async function keepLock({ io, globals }: Session, name: string): Promise<DocsError | undefined> {
  const jobs = new JobFolder(io);
  const job = jobs.find(name);
  const { header } = job;
  if (header.folder === undefined) return undefined;
  const [{ updateLock }, { lockChangesOf }, { allRules }] = await Promise.all([
    import('../../plans/lock.js'),
    import('../../jobs/made.js'),
    import('../../jobs/undo-rules.js'),
  ]);
  const head = { org: orgOf(jobs, header), origin: header.origin };
  const changes = lockChangesOf(job, allRules);
  let { folder } = header;
  try {
    folder = await folderOfJob(io.cwd, job, head);
    updateLock(folder, head, [...settledBy(jobs, job), ...changes]);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const what =
      changes.length === 0
        ? 'docs.lock.json could not be written'
        : 'the changes are made, but docs.lock.json does not say so';
    const where = existsSync(folder)
      ? ''
      : `; resume the job in the working copy that has ${basename(folder)}`;
    return new DocsError('local-io', 'lock_unwritten', `${what}: ${cause.message}${where}`, {
      outcome: 'done',
      retryable: false,
      hint: atPlace(`docs jobs resume ${header.job}`, globals, io.platform),
      details: { job: header.job, folder, items: changes.map(({ item }) => item) },
    });
  }
}

/**
 * What a job does to the lock beside its items. An undo takes it back, where that is to be taken back, once nothing of
 * the job that it undoes is left.
 */
function settledBy(jobs: JobFolder, { header }: Job): NonNullable<Header['settled']> {
  if (header.undoes === undefined) return header.settled ?? [];
  const undone = jobs.find(header.undoes);
  const settled = settledBy(jobs, undone).filter(({ from }) => from !== undefined);
  if (settled.length === 0) return [];
  const gone = undoneItems(header.undoes, jobs.undoing());
  const isLeft = undone.items.some(({ change, state }) => state === 'ok' && !gone.has(change.item));
  return isLeft ? [] : settled.map(({ item, from = null, to }) => ({ item, from: to, to: from }));
}

/** Throws what `keepLock` returned, or warns of it where the command fails for another reason. */
export function tellLock({ printer }: Session, unkept: DocsError | undefined, other: unknown): void {
  if (unkept === undefined) return;
  if (other === undefined) throw unkept;
  printer.warn(unkept.message);
}

/**
 * The folder whose lock a job changes. Its journal has the path on the machine where it began; a job that is resumed
 * in another working copy changes the lock there: of the folders below the working directory, the one at the end of
 * that path, unless its lock names other items.
 */
export async function folderOfJob(
  cwd: string,
  job: Job,
  head: Pick<Lock, 'org' | 'origin'>,
): Promise<string> {
  const { folder = '' } = job.header;
  const { readLock } = await import('../../plans/lock.js');
  const isIt = (here: string) => existsSync(join(here, 'org.yaml')) && fits(readLock(here), job, head);
  const below = pathsBelow(cwd, folder);
  if (below.includes(folder)) return folder;
  return below.find(isIt) ?? (!existsSync(folder) && isIt(cwd) ? cwd : folder);
}

/** `/home/ada/docs/org` below another directory: `org`, `docs/org`, `ada/docs/org`, … */
function pathsBelow(cwd: string, folder: string): string[] {
  const found: string[] = [];
  for (let above = dirname(folder); ; above = dirname(above)) {
    found.push(resolve(cwd, relative(above, folder)));
    if (dirname(above) === above) return found;
  }
}

function fits(
  lock: Lock | undefined,
  { items }: Job,
  { org, origin }: Pick<Lock, 'org' | 'origin'>,
): boolean {
  if (lock === undefined) return true;
  if (lock.org !== org || lock.origin !== origin) return false;
  return items.every(({ change }) => {
    const { lock: own } = shownChange(change);
    if (!own?.from) return true;
    const known = lock.items[own.item];
    return known === undefined ? own.to === null : own.to?.id !== own.from.id || known.id === own.from.id;
  });
}

/**
 * The organization of a job; that of an undo is the one of the job that it undoes, since requests about spaces and
 * collections do not name it.
 */
function orgOf(jobs: JobFolder, { org, undoes }: Header): string {
  if (org !== undefined || undoes === undefined) return org ?? '';
  return orgOf(jobs, jobs.find(undoes).header);
}
