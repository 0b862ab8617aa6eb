import type { Io } from '../base/io.js';
import type { CompletedHere } from '../cli/declare/takers.js';
import type { Walk } from '../cli/parse/walk.js';
import { canBeUndone } from '../cli/run/find-job.js';
import { originOf } from '../cli/run/origin.js';
import { profileOf } from '../cli/run/session-job.js';
import { JobFolder } from '../jobs/job-folder.js';
import { commandWords, type Job, type JobItem, stateOf, titleOfItem } from '../jobs/journal.js';
import { age, safeLine } from '../output/text.js';
import { readSettings } from '../settings/settings.js';
import { type Candidate, isPlainWord } from './candidate.js';

/** Jobs of this machine and their items, for completion: from the journals, without a request. */

/** Completion answers at once, so it looks at no more than the newest journals. */
const mostJobs = 30;
const mostItems = 500;

export function offeredOf(
  io: Io,
  offer: Exclude<CompletedHere, 'aliases'>,
  place: Walk,
): readonly Candidate[] {
  const { args } = place;
  const folder = new JobFolder(io);
  if (offer === 'unsettled-items' || offer === 'job-items') {
    const job = jobNamed(folder, args[0] ?? '', ownJobs(io, place));
    const wanted = job?.items.filter((item) => offer === 'job-items' || isUnsettled(item)) ?? [];
    const word = (item: JobItem) => (offer === 'job-items' ? item.change.id : String(item.change.item));
    return wanted.slice(0, mostItems).flatMap((item) => candidate(word(item), itemNote(item, offer)));
  }
  // What undoes, resumes or settles a job refuses those of another platform.
  const isOwn = offer === 'jobs' ? () => true : ownJobs(io, place);
  const isWanted = fits(offer, folder, io);
  const own = newest(folder, isOwn);
  const jobs = own.filter(isWanted);
  const named = jobs.flatMap((job) =>
    candidate(job.header.job, `${commandWords(job)}, ${age(job.header.at, io.now())}`),
  );
  // `last` is the newest job, whether it fits or not.
  if (offer === 'jobs' || jobs[0] !== own[0]) return named;
  return [...named, ...named.slice(0, 1).map(({ note = '' }) => ({ word: 'last', note }))];
}

/** Jobs of the profile and the platform that the line means. */
function ownJobs(io: Io, { flags }: Walk): (job: Job) => boolean {
  const [profile, baseUrl] = [flags.get('profile')?.at(-1), flags.get('base-url')?.at(-1)];
  const settings = readSettings(io, { profile, baseUrl });
  const globals = { sandbox: flags.has('sandbox') };
  const [name, origin] = [profileOf({ settings, globals }), originOf({ io, settings, globals })];
  return ({ header }) => header.profile === name && header.origin === origin;
}

function candidate(word: string, note: string): Candidate[] {
  return isPlainWord(word) ? [{ word, note: safeLine(note) }] : [];
}

function itemNote(item: JobItem, offer: CompletedHere): string {
  const title = titleOfItem(item);
  if (offer === 'job-items') return title ?? '';
  return title === undefined ? item.change.id : `${title} (${item.change.id})`;
}

function isUnsettled({ state }: JobItem): boolean {
  return state === 'started' || state === 'unknown';
}

/** Which jobs an offer means. */
function fits(offer: Exclude<CompletedHere, 'aliases'>, folder: JobFolder, io: Io): (job: Job) => boolean {
  if (offer === 'unfinished-jobs') return (job) => stateOf(job) !== 'done';
  if (offer === 'unsettled-jobs') return ({ items }) => items.some(isUnsettled);
  if (offer !== 'undoable-jobs') return () => true;
  const undoing = folder.undoing();
  return (job) => canBeUndone(job, undoing, io.now());
}

/** The newest jobs that fit, of the newest journals. */
function newest(folder: JobFolder, isWanted: (job: Job) => boolean): Job[] {
  const young = folder.entries().slice(0, mostJobs);
  const isYoung = ({ job }: { job: string }) => young.some((entry) => entry.job === job);
  return folder.readAll(() => {}, isYoung).filter(isWanted);
}

function jobNamed(folder: JobFolder, name: string, isOwn: (job: Job) => boolean): Job | undefined {
  if (name === 'last') return newest(folder, isOwn)[0];
  const isNamed = ({ job }: { job: string }) => name !== '' && job.startsWith(name);
  return folder.readAll(() => {}, isNamed)[0];
}
