import { relative } from 'node:path';
import { Type } from '../../api/type.js';
import { type DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { Group, ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, failFastOption } from '../../cli/declare/flags.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { option } from '../../cli/declare/option.js';
import type { Session } from '../../cli/declare/session.js';
import { askFor, askText, askToGoOn } from '../../cli/resolve/prompts.js';
import { beginChange, notAsked } from '../../cli/run/carry-out.js';
import { findJob } from '../../cli/run/find-job.js';
import { folderOfJob, keepLock, tellLock } from '../../cli/run/job-lock.js';
import { noteSaid } from '../../cli/run/output.js';
import {
  claimedIn,
  groundsOf,
  refuseOther,
  refuseOtherJournal,
  resumeJob,
  undoes,
} from '../../cli/run/resume-job.js';
import { jobWords } from '../../cli/run/sentence.js';
import { refuseElsewhere, trailOf } from '../../cli/run/session-job.js';
import { namedByHand } from '../../jobs/by-hand.js';
import { reopenJob } from '../../jobs/create-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { countsOf, type Job, type JobItem, type OutcomeLine, writeLine } from '../../jobs/journal.js';
import { keptMs, refuseDamaged } from '../../jobs/journal-folder.js';
import { wasSent } from '../../jobs/look.js';
import { readsOf } from '../../jobs/reads.js';
import { allRules } from '../../jobs/undo-rules.js';
import { checked } from '../../output/messages.js';
import { done, oneOf, text, UndoneItem } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import { jobArgument } from './argument.js';
import { list, show } from './show.js';

const settle = manual({
  name: 'settle',
  summary: 'Mark an item as done or not done, by hand',
  why:
    'Use it if the response to a request was lost and docs jobs resume cannot find out whether it took ' +
    'effect. The next resume sends items marked as not done.',
  args: {
    ...jobArgument('unsettled-jobs', async () => (await import('./offers.js')).unknownJobs),
    '<item>': {
      description: 'Index of the item, from 0, or its id',
      listedBy: 'jobs list',
      offers: async () => (await import('./offers.js')).unknownItems,
      completes: 'unsettled-items',
    },
  },
  options: [
    option('--is <id>', 'It was done: id of the item that it created or changed', {
      conflicts: ['not-done'],
    }),
    option('--not-done', 'It was not done', { boolean: true }),
  ],
  returns: done(oneOf('done', 'not-done'), { job: text, item: Type.Integer(), made: Type.Optional(text) }),
  exits: ['not-found'],
  examples: {
    'jobs settle last 0 --is t1': 'record that item 0 created a team',
    'jobs settle last 0 --not-done': 'let the next resume send item 0 again',
  },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['journals'] },
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = findJob(session, folder, String(input.args.job));
    const { job: name } = job.header;
    const word = String(input.args.item);
    refuseElsewhere(session, job.header, `docs jobs settle ${name} ${word}`);
    refuseDamaged(job, 'settled');
    const { item } = unknownItem(job, word).change;
    const verify = (typed: string) => verified(session, folder, job, item, typed);
    const typed = outcomeIn(input);
    const { id } = typed ?? (await askOutcome(session, { job: name, item }, verify));
    const answer = id === undefined ? undefined : await verify(id);
    if (!session.globals.dryRun) await record(session, folder, job, item, id !== undefined, answer);
    await tell(session, job, item, id);
  },
});

/** The id of what an item created or changed; none where it was not done. */
interface Outcome {
  id?: string;
}

/** What the flags say; undefined where they say nothing. */
function outcomeIn({ options }: ManualInput): Outcome | undefined {
  if (options.notDone === true) return {};
  return typeof options.is === 'string' && options.is !== '' ? { id: options.is } : undefined;
}

/** The first is under the cursor: Enter alone records nothing. */
const outcomes = [
  { value: 'leave', name: 'I do not know; change nothing' },
  { value: 'done', name: 'It was done' },
  { value: 'not-done', name: 'It was not done; the next resume sends it again' },
] as const;

/**
 * Asks whether the item was done.
 * @param verify refuses an id that the platform does not have, or not as the item would have made it
 * @throws DocsError usage `missing_outcome` where nobody can be asked, or knows
 */
async function askOutcome(
  session: Session,
  { job, item }: { job: string; item: number },
  verify: (id: string) => Promise<unknown>,
): Promise<Outcome> {
  if (!session.interactive)
    throw usageError('missing_outcome', 'pass --is <id> if the item was done, else --not-done', {
      hint: `docs jobs settle ${job} ${item} --not-done`,
    });
  const chosen = await askFor(session, { what: '--is', label: 'Outcome of the item', choices: outcomes });
  if (chosen === 'not-done') return {};
  if (chosen === 'done')
    return { id: await askText(session, 'Id of the item it created or changed:', { check: verify }) };
  throw usageError('missing_outcome', 'nothing was recorded; the item stays unknown', {
    hint: `docs jobs show ${job}`,
  });
}

/** The item that a word names: by its index, else by an id that no other item of unknown outcome has. */
function unknownItem(job: Job, word: string): JobItem {
  const { job: name } = job.header;
  const byIndex = job.items.filter(({ change }) => String(change.item) === word);
  const found = byIndex.length > 0 ? byIndex : job.items.filter(({ change }) => change.id === word);
  const open = found.filter(wasSent);
  const [only] = open;
  if (only !== undefined && open.length === 1) return only;
  throw noItem(word, name, found, open);
}

function noItem(word: string, job: string, found: readonly JobItem[], open: readonly JobItem[]): DocsError {
  const hint = `docs jobs show ${job}`;
  const indexes = open.map(({ change }) => change.item).join(', ');
  if (open.length > 1)
    return usageError('ambiguous_item', `ambiguous item ${JSON.stringify(word)}: items ${indexes}`, {
      hint,
    });
  const [first] = found;
  if (first === undefined)
    return usageError('unknown_item', `item ${JSON.stringify(word)} not found in job ${job}`, { hint });
  const { state, change } = first;
  const message = `item ${change.item} of job ${job} is ${state}; only an item of unknown outcome can be settled`;
  return usageError('not_unknown', message, { hint });
}

/** What a person names, as the platform has it. @throws DocsError as `namedByHand`; usage `other_item` */
async function verified(
  session: Session,
  folder: JobFolder,
  job: Job,
  item: number,
  id: string,
): Promise<unknown> {
  const other = claimedIn(folder, job).get(id);
  const hint = `docs jobs show ${job.header.job}`;
  if (other !== undefined)
    throw usageError('other_item', `${id} was created by ${other}; nothing was recorded`, { hint });
  const found = job.items.find(({ change }) => change.item === item) as JobItem;
  return namedByHand(readsOf(await session.client()), found.change.op, found, { id, hint });
}

async function record(
  session: Session,
  folder: JobFolder,
  job: Job,
  item: number,
  isDone: boolean,
  answer: unknown,
): Promise<void> {
  const { io } = session;
  const open = await reopenJob(io, folder, job, { trail: trailOf(session), settles: item });
  try {
    // Another process may have settled it until now.
    unknownItem(job, String(item));
    const line: OutcomeLine = { item, is: isDone ? 'ok' : 'skipped', at: new Date(io.now()).toISOString() };
    const how = isDone ? ({ found: true, byHand: true } as const) : ({ byHand: true } as const);
    await open.journal.append(writeLine({ ...line, ...how, ...defined({ answer }) }));
    Object.assign(job, folder.read(job));
  } finally {
    await open.close();
  }
}

async function tell(session: Session, job: Job, item: number, id: string | undefined): Promise<void> {
  const { printer, globals, io } = session;
  const { job: name } = job.header;
  const status = id === undefined ? 'not-done' : 'done';
  const words = `item ${item} of job ${name} as ${id === undefined ? 'not done' : `done: ${id}`}`;
  await printer.done(
    { id: `${name}/${item}`, status, job: name, item, ...defined({ made: id }) },
    globals.dryRun ? `Would record ${words}.` : checked(io, `Recorded ${words}.`),
  );
  if (globals.dryRun) return;
  const { unknown, left, failed } = countsOf(job);
  if (unknown + left + failed === 0) return;
  printer.note(`${atPlace(`docs jobs resume ${name}`, globals, io.platform)} goes on with the rest.`);
}

const resume = manual({
  name: 'resume',
  summary: 'Resume an unfinished job',
  why:
    'Runs the remaining items and retries those that failed. An item sent without a response is looked up ' +
    'first, and sent again only if it had no effect.',
  args: jobArgument('unfinished-jobs', async () => (await import('./offers.js')).unfinishedJobs),
  options: [concurrencyOption, failFastOption],
  returns: Type.Array(UndoneItem),
  exits: ['partial'],
  examples: { 'jobs resume last': 'resume the last job' },
  danger: 'change',
  carrier: true,
  here: { runs: ['git'], contacts: ['remote'] },
  async run(session, input, { groups }) {
    const folder = new JobFolder(session.io);
    const job = findJob(session, folder, String(input.args.job));
    refuseOther(session, job);
    await beginChange(session, { results: { undoes: undoes(job) } });
    const left = job.items.filter(({ state }) => state !== 'ok');
    const grounds = job.header.plan === undefined ? undefined : await groundsOf(session, job);
    if (left.length === 0) {
      if (session.gate !== undefined) await refuseOtherJournal(session, job);
      // A process that was killed may have left it to others.
      if (!session.globals.dryRun) {
        tellLock(session, await keepLock(session, job.header.job), undefined);
        await completeLockOf(session, job);
      }
      await noteFinished(session, job, grounds);
      return;
    }
    await resumeJob(session, job, input, groups);
    if (session.globals.dryRun) return;
    await completeLockOf(session, job);
    await noteFinished(session, job, grounds);
  },
});

/** Of a job of the organization as code: what it made is written down for `docs plan drift`. */
async function completeLockOf(session: Session, job: Job): Promise<void> {
  const { io } = session;
  if (job.header.folder === undefined) return;
  const { org = '', origin } = job.header;
  const path = await folderOfJob(io.cwd, job, { org, origin });
  const { completeLock } = await import('../shared/organization-files.js');
  await completeLock(session, path, relative(io.cwd, path) || '.');
}

/** @param grounds of a plan: on what it rests that requests were done before */
async function noteFinished(session: Session, found: Job, grounds: string | undefined): Promise<void> {
  const {
    header: { job, total, command, evidence },
    items,
  } = found;
  const { printer, io, globals } = session;
  const said = `Finished job ${job}: ${jobWords(command, items, allRules)}.`;
  await noteSaid(
    session,
    `Job ${job} is finished: ${total === 1 ? 'its only item is' : `all ${total} items are`} done.`,
    said,
  );
  const earlier = countsOf(found).ok;
  if (grounds !== undefined && earlier > 0)
    printer.note(`${counted(earlier, 'request was', 'requests were')} done earlier, ${grounds}.`);
  if (evidence === undefined) return;
  const next = `docs ${command} --resume ${shellWord(evidence, io.platform)}`;
  printer.note(`${atPlace(next, globals, io.platform)} completes the evidence.`);
}

const prune = manual({
  name: 'prune',
  summary: 'Remove the journals of old jobs',
  why:
    'Journals are removed automatically after 90 days. A job without its journal can be neither resumed ' +
    'nor undone.',
  options: [option('--days <n>', 'Remove journals older than this many days', { number: true, default: 90 })],
  returns: done(oneOf('pruned', 'kept'), { removed: Type.Integer() }),
  examples: { 'jobs prune --days 30': 'keep only the last 30 days' },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['journals'] },
  local: true,
  async run(session, { options }) {
    const days = options.days === undefined ? keptMs / 86_400_000 : Number(options.days);
    if (!(days >= 0))
      throw usageError('not_a_number', `--days must be a number, not ${JSON.stringify(options.days)}`);
    const folder = new JobFolder(session.io);
    const beforeMs = session.io.now() - days * 86_400_000;
    const old = folder.begunBefore(beforeMs).length;
    const removed = session.globals.dryRun ? old : await folder.prune(beforeMs, trailOf(session));
    const status = session.globals.dryRun ? 'kept' : 'pruned';
    const journals = counted(removed, 'journal');
    await session.printer.done(
      { id: folder.path, status, removed },
      session.globals.dryRun ? `Would remove ${journals}.` : checked(session.io, `Removed ${journals}.`),
    );
  },
});

const discard = manual({
  name: 'discard',
  summary: 'Remove the journal of one job',
  why:
    'Use it for a damaged journal: the command that began the job then starts over. If anything was sent, ' +
    'asks first or needs --yes, since the job can then be neither resumed nor undone.',
  args: jobArgument(
    'jobs',
    async () => (await import('./offers.js')).anyJob,
    'Name of the job, or a unique prefix of it',
  ),
  returns: done(oneOf('discarded', 'kept')),
  examples: { 'jobs discard 20251120-102642-9f3ab2': 'remove the journal of a job' },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['journals'] },
  local: true,
  async run(session, { args, chosen = [] }) {
    const folder = new JobFolder(session.io);
    const { job, sent } = folder.about(String(args.job));
    const count = sent === undefined ? 'an unknown number of' : String(sent);
    if (session.globals.dryRun)
      return session.printer.done({ id: job, status: 'kept' }, `Would remove the journal of job ${job}.`);
    if ((sent !== 0 || chosen.includes('job')) && !session.globals.yes) {
      const what = `Discard the journal of job ${job}, of which ${count} items were sent`;
      if (!session.interactive) throw notAsked(what);
      await askToGoOn(session, `${what}?`, 'removed');
    }
    await folder.discard(job, trailOf(session));
    await session.printer.done(
      { id: job, status: 'discarded' },
      checked(session.io, `Removed the journal of job ${job}.`),
    );
  },
});

export const jobs: Group = {
  name: 'jobs',
  noun: 'job',
  summary: 'List, show and resume changes made from this machine',
  guide: 'bulk jobs',
  why:
    'Every change is a job with a journal, so that it can be audited, resumed and undone. docs config set ' +
    'journal off turns the journal off.',
  commands: [list, show, resume, settle, discard, prune],
};
