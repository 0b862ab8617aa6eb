import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Offer, Offers } from '../../cli/declare/takers.js';
import { canBeUndone, findJob, ownJobs } from '../../cli/run/find-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job } from '../../jobs/journal.js';
import { wasSent } from '../../jobs/look.js';
import { counted } from '../../output/text.js';

/** Jobs to choose from, newest first: only those that the command can do something with. */

function jobs(fits: (session: Session, folder: JobFolder) => (job: Job) => boolean, none: string): Offers {
  return {
    none,
    async list(session) {
      const folder = new JobFolder(session.io);
      return [...ownJobs(session, folder)].filter(fits(session, folder)).map(offerOf);
    },
  };
}

function offerOf({ header, items }: Job): Offer {
  const { job, at, command, total } = header;
  const when = at.slice(0, 16).replace('T', ' ');
  const [first] = items;
  const more = total > 1 ? ' and others' : '';
  return defined({
    value: job,
    name: `${when}  ${command}  ${counted(total, 'item')}`,
    description: first === undefined ? job : `${job}: ${first.change.id}${more}`,
  });
}

export const anyJob = jobs(() => () => true, 'This machine has no job of this profile.');

export const undoableJobs = jobs((session, folder) => {
  const undoing = folder.undoing();
  return (job) => canBeUndone(job, undoing, session.io.now());
}, 'No job of this profile can be undone.');

export const unfinishedJobs = jobs(
  () => (job) => job.items.some(({ state }) => state !== 'ok'),
  'No job of this profile is unfinished.',
);

export const unknownJobs = jobs(
  () => (job) => job.items.some(wasSent),
  'No job of this profile has an item of unknown outcome.',
);

/** The items of a job whose outcome is unknown. */
export const unknownItems: Offers = {
  none: 'The job has no item of unknown outcome.',
  async list(session: Session, { args }: ManualInput) {
    const job = findJob(session, new JobFolder(session.io), String(args.job));
    return job.items.filter(wasSent).map(({ change }) => ({
      value: String(change.item),
      name: `${change.item}  ${change.id}`,
    }));
  },
};
