import { usageError } from '../../errors.js';
import { damageOf } from '../../jobs/damage.js';
import type { JobFolder } from '../../jobs/job-folder.js';
import type { Job } from '../../jobs/journal.js';
import { planUndo, undoneItems } from '../../jobs/undo.js';
import type { Session } from '../declare/session.js';
import { originOf, profileOf } from './session-job.js';

/**
 * The job that a command line names: by its name, by the beginning of it, or as `last`, the newest one of this
 * profile and address: of all (`newest`), or of those that can be undone (`undoable`), else of all.
 * @throws DocsError usage `unknown_job`; as `JobFolder.read`
 */
export function findJob(
  session: Session,
  folder: JobFolder,
  name: string,
  last: 'newest' | 'undoable',
): { job: Job; passed: Job[] } {
  if (name !== 'last') return { job: folder.find(name), passed: [] };
  const passed: Job[] = [];
  const undoing = last === 'undoable' ? folder.undoing() : [];
  for (const job of ownJobs(session, folder)) {
    if (last === 'newest' || canBeUndone(job, undoing, session.io.now())) return { job, passed };
    passed.push(job);
  }
  const [newest] = passed;
  if (newest !== undefined) return { job: newest, passed: [] };
  throw noJob(session, folder);
}

/** Notes the newer jobs that `last` did not mean, so that nobody takes the older one for them. */
export function notePassed({ printer }: Session, passed: readonly Job[]): void {
  for (const one of passed) {
    const { job, command } = one.header;
    const why = changedSomething(one) ? 'cannot be undone' : 'has nothing to undo';
    printer.note(`Job ${job} (${command}) is newer, but ${why}.`);
  }
}

/** Whether a job changed, or may have changed, anything. */
export function changedSomething({ items }: Job): boolean {
  return items.some(({ sent, state }) => sent && state !== 'failed');
}

/** The jobs of this profile and address, newest first; those that cannot be read are left out. */
export function* ownJobs(session: Session, folder: JobFolder): Generator<Job> {
  const [profile, origin] = [profileOf(session), originOf(session)];
  for (const entry of folder.entries()) {
    const [job] = folder.readAll(
      () => {},
      ({ path }) => path === entry.path,
    );
    if (job?.header.profile === profile && job.header.origin === origin) yield job;
  }
}

/** Whether undo can send anything for a job. */
export function canBeUndone(job: Job, undoing: readonly Job[], nowMs: number): boolean {
  if (damageOf(job) !== undefined) return false;
  const undone = undoneItems(job.header.job, undoing);
  return planUndo(job, undone, nowMs).some(({ request }) => request !== undefined);
}

function noJob(session: Session, folder: JobFolder): Error {
  const [other] = folder.readAll(() => {});
  const place = `profile ${profileOf(session)} at ${originOf(session) || 'no address'}`;
  if (other === undefined) return usageError('unknown_job', 'No jobs.', { hint: 'docs jobs list' });
  const { job, profile, origin } = other.header;
  const message = `No job of ${place}. The newest job is ${job}, of profile ${profile} at ${origin}.`;
  return usageError('unknown_job', message, { hint: `docs jobs show ${job}` });
}
