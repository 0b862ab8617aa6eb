import { timestamp } from '../api/shapes.js';
import { Type } from '../api/type.js';
import type { Group } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { concurrencyOption, failFastOption, option } from '../cli/declare/standing-flags.js';
import { checkResults } from '../cli/run/job-results.js';
import { isStructured } from '../cli/run/output-flags.js';
import { preview } from '../cli/run/preview.js';
import { refuseOther, resumeJob, toStep, undoes } from '../cli/run/resume-job.js';
import { defined } from '../defined.js';
import { usageError } from '../errors.js';
import { JobFolder, keptMs } from '../jobs/job-folder.js';
import { countsOf, type ItemRecord, type Job, stateOf } from '../jobs/journal.js';
import type { Forecast } from '../jobs/rule.js';
import { requestsOf } from '../jobs/step.js';
import { outlooks, undoneItems } from '../jobs/undo.js';
import { counted } from '../output/counted.js';
import { fieldPaths } from '../output/field-paths.js';
import {
  closed,
  done,
  Failure,
  flag,
  forecast,
  maybe,
  oneOf,
  restoring,
  stateOf as state,
  text,
  UndoneItem,
} from '../output/printed-shapes.js';
import type { View } from '../output/printer.js';
import { shellWord } from '../settings/shell-word.js';

/** The positional of every command on one job. */
export const jobArgument = {
  '<job>': { description: 'Name of the job, a unique prefix of it, or last', listedBy: 'jobs list' },
} as const;

function summary(job: Job, workers: ReadonlyMap<string, string>, undoing: readonly Job[]) {
  const { job: id, command, at, profile, origin, org, undoes, total, source, evidence } = job.header;
  const undone = undoneItems(id, undoing);
  const { ok, ...others } = countsOf(job);
  const changed = job.items.filter(({ state }) => state === 'ok').length;
  const state = undone.size > 0 && undone.size >= changed ? 'undone' : stateOf(job);
  return defined({
    id,
    command,
    state: workers.has(id) ? 'running' : state,
    total,
    ok,
    ...others,
    at,
    profile,
    origin,
    org,
    file: source?.path,
    undoes,
    evidence,
  });
}

const jobSummary = {
  id: text,
  command: text,
  state: state('done', 'failed', 'unfinished', 'running', 'undone'),
  total: Type.Integer(),
  ok: Type.Integer(),
  failed: Type.Integer(),
  unknown: Type.Integer({ description: 'Sent, with unknown outcome' }),
  left: Type.Integer({ description: 'Never sent' }),
  at: timestamp,
  profile: text,
  origin: text,
  org: maybe,
  file: maybe,
  undoes: Type.Optional(Type.String({ description: 'The job that it undoes' })),
  evidence: Type.Optional(Type.String({ description: 'The file that its command completes' })),
};

const counts = ['total', 'ok', 'failed', 'unknown', 'left'] as const;

const JobItem = closed({
  index: Type.Integer(),
  id: text,
  status: state('planned', 'ok', 'failed', 'unknown'),
  ...forecast,
  undone: Type.Optional(flag),
  at: Type.Optional(timestamp),
  requestId: maybe,
  before: Type.Optional(Type.Unknown({ description: 'The state before the change' })),
  error: Type.Optional(Failure),
  ...restoring,
});

const list = manual({
  name: 'list',
  summary: 'List the jobs of the last 90 days, newest first',
  why: 'Includes every change made from this machine while the journal was on.',
  options: [option('--limit <n>', 'Only the newest n jobs', { number: true })],
  returns: Type.Array(closed(jobSummary)),
  columns: [{ path: 'id', keep: true }, 'command', 'state', ...counts, 'at'],
  empty: 'No jobs.',
  examples: {
    'jobs list': 'list the changes made from this machine',
    'jobs list --jq \'.[] | select(.state == "unfinished") | .id\'':
      'print the ids of jobs that can be resumed',
  },
  local: true,
  async run(session, { options }, { view }) {
    await session.printer.check(view);
    const folder = new JobFolder(session.io);
    const limit = options.limit === undefined ? undefined : Number(options.limit);
    const jobs = folder.readAll(({ message }) => session.printer.warn(message));
    const undoing = jobs.filter(({ header }) => header.undoes !== undefined);
    const workers = folder.workers();
    const items = jobs.map((job) => summary(job, workers, undoing));
    await session.printer.list(items, view, limit === undefined ? {} : { limit });
  },
});

const itemView: View = {
  columns: [
    { path: 'id', keep: true },
    ...['status', 'undo', 'undone', 'before'].map((path) => ({ path })),
    { path: 'error.message', label: 'ERROR' },
  ],
  ...fieldPaths(JobItem),
};

const show = manual({
  name: 'show',
  summary: 'Show a job with the outcome of each item',
  why: 'Shows each request, its outcome, the state before the change where one was read, and what undo can do.',
  args: jobArgument,
  returns: closed({ ...jobSummary, items: Type.Array(JobItem) }),
  columns: ['id', 'command', 'state', ...counts, 'at', 'profile', 'origin'],
  examples: {
    'jobs show last': 'show the last job',
    'jobs show last --jq \'.items[] | select(.status == "failed")\'':
      'print the failed items with the reasons',
  },
  local: true,
  async run(session, { args }, { view }) {
    const asObject = isStructured(session) || session.settings.fields !== undefined;
    await session.printer.check(asObject ? view : itemView);
    const folder = new JobFolder(session.io);
    const job = folder.find(String(args.job));
    const undoing = folder.undoing();
    const undone = undoneItems(job.header.job, undoing);
    const forecasts = outlooks(job, session.io.now());
    const items = job.items.map((record, at) => {
      return shownItem(record, undone.has(record.plan.item), forecasts[at] as Forecast);
    });
    const head = summary(job, folder.workers(), undoing);
    if (asObject) return session.printer.one({ ...head, items }, view);
    const format = session.settings.output?.value ?? (session.io.stdout.isTTY ? 'table' : 'tsv');
    if (format === 'table') await session.printer.one(head, { ...view, fields: [] });
    if (format === 'table') await session.printer.text('\n');
    await session.printer.list(items, itemView);
  },
});

function shownItem(record: ItemRecord, undone: boolean, { undo, why }: Forecast) {
  const { plan, state, before, error, at, requestId, restored, notRestored } = record;
  return defined({
    index: plan.item,
    id: plan.id,
    status: state === 'started' ? ('unknown' as const) : state,
    undo,
    why,
    undone: undone || undefined,
    at,
    requestId,
    before,
    error,
    restored,
    notRestored,
  });
}

const resume = manual({
  name: 'resume',
  summary: 'Resume an unfinished job',
  why:
    'Runs the items that are left and retries those that failed. An item sent without an answer is looked ' +
    'up first and sent again only if it had no effect.',
  args: jobArgument,
  options: [concurrencyOption, failFastOption],
  returns: Type.Array(UndoneItem),
  exits: ['partial'],
  examples: { 'jobs resume last': 'resume the last job' },
  danger: 'change',
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = folder.find(String(input.args.job));
    refuseOther(session, job);
    await checkResults(session, { undoes: undoes(job) });
    const left = job.items.filter(({ state }) => state !== 'ok');
    if (left.length === 0) {
      noteFinished(session, job);
      return;
    }
    if (session.globals.dryRun) return previewRest(session, left);
    await resumeJob(session, folder, job, input);
    noteFinished(session, job);
  },
});

/** `--dry-run`: the requests of all items that are left; a lookup may find some of them done. */
async function previewRest(session: Session, left: readonly ItemRecord[]): Promise<void> {
  await preview(session, requestsOf(left.map(toStep)), true);
  const sent = left.filter(({ state }) => state === 'started' || state === 'unknown').length;
  if (sent > 0)
    session.printer.note(`${counted(sent, 'request')} may have been sent before; each is looked up first.`);
}

function noteFinished({ printer, io }: Session, { header: { job, total, command, evidence } }: Job): void {
  printer.note(`Job ${job} is finished: all ${total} items are done.`);
  if (evidence === undefined) return;
  printer.note(`docs ${command} --resume ${shellWord(evidence, io.platform)} completes the evidence.`);
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
  local: true,
  async run(session, { options }) {
    const days = options.days === undefined ? keptMs / 86_400_000 : Number(options.days);
    if (!(days >= 0))
      throw usageError('not_a_number', `--days must be a number, not ${JSON.stringify(options.days)}.`);
    const folder = new JobFolder(session.io);
    const beforeMs = session.io.now() - days * 86_400_000;
    const old = folder.entries().filter(({ begunMs }) => begunMs < beforeMs).length;
    const removed = session.globals.dryRun ? old : folder.prune(beforeMs);
    const [status, words] = session.globals.dryRun ? ['kept', 'Would remove'] : ['pruned', 'Removed'];
    await session.printer.done(
      { id: folder.path, status, removed },
      `${words} ${counted(removed, 'journal')}.`,
    );
  },
});

export const jobs: Group = {
  name: 'jobs',
  noun: 'job',
  summary: 'List, show and resume changes made from this machine',
  why:
    'Every change is a job with a journal, so that it can be audited, resumed and undone. docs config set ' +
    'journal off turns the journal off.',
  commands: [list, show, resume, prune],
};
