import { type DocsError, usageError } from '../../base/errors.js';
import type { JobFolder } from '../../jobs/job-folder.js';
import type { Job } from '../../jobs/journal.js';
import { damageOf } from '../../jobs/journal-folder.js';
import { planUndo, undoneItems } from '../../jobs/undo.js';
import type { Session } from '../declare/session.js';
import { originOf } from './origin.js';
import { profileOf } from './session-job.js';

/**
 * The job that a command line names: by its name, by the beginning of it, or as `last`, the one of this profile and
 * address whose journal was written last.
 * @throws DocsError usage `unknown_job`; as `JobFolder.read`, also for a journal after the last one that is meant
 */
export function findJob(session: Session, folder: JobFolder, name: string): Job {
  if (name !== 'last') return folder.find(name);
  // A journal that cannot be read may be the last one: an older job must not pass for it.
  const [job] = ownJobs(session, folder, (issue) => {
    throw issue;
  });
  if (job === undefined) throw noJob(session, folder);
  return job;
}

/** The jobs of this profile and address, newest first. @param onIssue called for each journal that cannot be read */
export function* ownJobs(
  session: Session,
  folder: JobFolder,
  onIssue: (issue: DocsError) => void = () => {},
): Generator<Job> {
  const [profile, origin] = [profileOf(session), originOf(session)];
  for (const entry of folder.entries()) {
    const [job] = folder.readAll(onIssue, ({ path }) => path === entry.path);
    if (job?.header.profile === profile && job.header.origin === origin) yield job;
  }
}

/** Whether undo can send anything for a job. */
export function canBeUndone(job: Job, undoing: readonly Job[], nowMs: number): boolean {
  if (damageOf(job) !== undefined) return false;
  const undone = undoneItems(job.header.job, undoing);
  return planUndo(job, undone, nowMs).some(({ requests }) => requests.length > 0);
}

/** The newest job before another that can be undone. */
export function olderUndoable(session: Session, folder: JobFolder, { header }: Job): Job | undefined {
  const undoing = folder.undoing();
  let isOlder = false;
  for (const job of ownJobs(session, folder)) {
    if (isOlder && canBeUndone(job, undoing, session.io.now())) return job;
    isOlder ||= job.header.job === header.job;
  }
  return undefined;
}

function noJob(session: Session, folder: JobFolder): Error {
  const [other] = folder.readAll(() => {});
  const place = `profile ${profileOf(session)} at ${originOf(session) || 'no address'}`;
  if (other === undefined) return usageError('unknown_job', 'no jobs', { hint: 'docs jobs list' });
  const { job, profile, origin } = other.header;
  const message = `no job of ${place}. The newest job is ${job}, of profile ${profile} at ${origin}.`;
  return usageError('unknown_job', message, { hint: `docs jobs show ${job}` });
}
