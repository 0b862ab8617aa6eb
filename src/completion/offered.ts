import type { CompletedHere } from '../cli/declare/completes.js';
import type { Walk } from '../cli/parse/walk.js';
import type { Io } from '../io.js';
import { damageOf } from '../jobs/damage.js';
import { JobFolder } from '../jobs/job-folder.js';
import { type ItemRecord, type Job, stateOf } from '../jobs/journal.js';
import { commandWords, titleOfItem } from '../jobs/subject.js';
import { planUndo, undoneItems } from '../jobs/undo.js';
import { age } from '../output/age.js';
import { safeLine } from '../output/safe-text.js';
import { type Candidate, isPlainWord } from './candidate.js';

/** Jobs of this machine and their items, for completion: from the journals, without a request. */

/** Completion answers at once, so it looks at no more than the newest journals. */
const mostJobs = 30;
const mostItems = 500;

export function offeredOf(io: Io, offer: CompletedHere, { args }: Walk): readonly Candidate[] {
  const folder = new JobFolder(io);
  if (offer === 'unsettled-items' || offer === 'job-items') {
    const job = jobNamed(folder, args[0] ?? '', io);
    const wanted = job?.items.filter((item) => offer === 'job-items' || isUnsettled(item)) ?? [];
    const word = (item: ItemRecord) => (offer === 'job-items' ? item.plan.id : String(item.plan.item));
    return wanted.slice(0, mostItems).flatMap((item) => candidate(word(item), itemNote(item, offer)));
  }
  const jobs = newest(folder, io, fits(offer, folder, io));
  const named = jobs.flatMap((job) => candidate(job.header.job, jobNote(job, io)));
  const last = offer === 'jobs' ? [] : named.slice(0, 1).map(({ note = '' }) => ({ word: 'last', note }));
  return [...named, ...last];
}

function candidate(word: string, note: string): Candidate[] {
  return isPlainWord(word) ? [{ word, note: safeLine(note) }] : [];
}

function jobNote(job: Job, io: Io): string {
  return `${commandWords(job)}, ${age(job.header.at, io.now())}`;
}

function itemNote(item: ItemRecord, offer: CompletedHere): string {
  const title = titleOfItem(item);
  if (offer === 'job-items') return title ?? '';
  return title === undefined ? item.plan.id : `${title} (${item.plan.id})`;
}

function isUnsettled({ state }: ItemRecord): boolean {
  return state === 'started' || state === 'unknown';
}

/** Which jobs an offer means. */
function fits(offer: CompletedHere, folder: JobFolder, io: Io): (job: Job) => boolean {
  if (offer === 'unfinished-jobs') return (job) => stateOf(job) !== 'done';
  if (offer === 'unsettled-jobs') return ({ items }) => items.some(isUnsettled);
  if (offer !== 'undoable-jobs') return () => true;
  const undoing = folder.undoing();
  return (job) => {
    if (damageOf(job) !== undefined) return false;
    const undone = undoneItems(job.header.job, undoing);
    return planUndo(job, undone, io.now()).some(({ request }) => request !== undefined);
  };
}

/** The newest jobs that fit, of the newest journals. */
function newest(folder: JobFolder, io: Io, isWanted: (job: Job) => boolean): Job[] {
  const young = new Set(
    folder
      .entries()
      .slice(0, mostJobs)
      .map(({ job }) => job),
  );
  return io.signal.aborted
    ? []
    : folder
        .readAll(
          () => {},
          ({ job }) => young.has(job),
        )
        .filter(isWanted);
}

function jobNamed(folder: JobFolder, name: string, io: Io): Job | undefined {
  if (name === 'last') return newest(folder, io, () => true)[0];
  return folder.readAll(
    () => {},
    ({ job }) => name !== '' && job.startsWith(name),
  )[0];
}
