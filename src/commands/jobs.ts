import { timestamp } from '../api/shapes.js';
import { Type } from '../api/type.js';
import type { Group, ManualInput } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { manyOptions, option } from '../cli/declare/standing-flags.js';
import { checkResults } from '../cli/run/job-results.js';
import { forecastOf, preview } from '../cli/run/preview.js';
import { refuseOther, resumeJob, toStep } from '../cli/run/resume-job.js';
import { usageError } from '../errors.js';
import { JobFolder, keptMs } from '../jobs/job-folder.js';
import { countsOf, type ItemRecord, type Job, stateOf } from '../jobs/journal.js';
import { requestsOf } from '../jobs/step.js';
import { operationOf, undoneItems } from '../jobs/undo.js';
import {
  closed,
  done,
  Failure,
  flag,
  forecast,
  ItemResult,
  maybe,
  oneOf,
  text,
} from '../output/printed-shapes.js';
import type { View } from '../output/printer.js';
import { shellWord } from '../settings/shell-word.js';

/** `docs jobs`: the changes made from this machine. */

const jobArgument = { '<job>': 'Name of the job, a unique beginning of it, or last' } as const;

function found(folder: JobFolder, { args }: ManualInput): Job {
  if (typeof args.job === 'string') return folder.find(args.job);
  throw usageError('missing_argument', '<job> is required.', { hint: 'docs jobs list' });
}

function summary(job: Job, workers: ReadonlyMap<string, string>, undoing: readonly Job[]) {
  const { job: id, command, at, profile, origin, org, undoes, total, source, evidence } = job.header;
  const undone = undoneItems(id, undoing);
  const { ok, ...others } = countsOf(job);
  const changed = job.items.filter(({ state }) => state === 'ok').length;
  const state = undone.size > 0 && undone.size >= changed ? 'undone' : stateOf(job);
  return {
    id,
    command,
    state: workers.has(id) ? 'running' : state,
    total,
    ok,
    ...others,
    at,
    profile,
    origin,
    ...(org !== undefined && { org }),
    ...(source !== undefined && { file: source.path }),
    ...(undoes !== undefined && { undoes }),
    ...(evidence !== undefined && { evidence }),
  };
}

const jobSummary = {
  id: text,
  command: text,
  state: oneOf('done', 'failed', 'unfinished', 'running', 'undone'),
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

/** In the order in which they are shown; the last four only some jobs have. */
const fields = Object.keys(jobSummary);
const shown = fields.slice(0, -4);
const listView: View = {
  columns: shown
    .filter((path) => path !== 'profile' && path !== 'origin')
    .map((path) => ({
      path,
      ...(path === 'id' && { keep: true }),
      ...(path === 'state' && { as: 'state' }),
    })),
  fields,
  empty: 'No jobs.',
};

const JobItem = closed({
  index: Type.Integer(),
  id: text,
  status: oneOf('planned', 'ok', 'failed', 'unknown'),
  ...forecast,
  undone: Type.Optional(flag),
  at: Type.Optional(timestamp),
  requestId: maybe,
  before: Type.Optional(Type.Unknown({ description: 'The state before the change' })),
  error: Type.Optional(Failure),
});

const list = manual({
  name: 'list',
  summary: 'List the jobs of the last 90 days, newest first',
  why: 'Includes every change made from this machine while the journal was on.',
  options: [option('--limit <n>', 'Only the newest so many', { number: true })],
  returns: Type.Array(closed(jobSummary)),
  examples: {
    'jobs list': 'list the changes made from this machine',
    'jobs list --jq \'.[] | select(.state == "unfinished") | .id\'':
      'print the ids of jobs that can be resumed',
  },
  local: true,
  async run(session, { options }) {
    await session.printer.check(listView);
    const folder = new JobFolder(session.io);
    const limit = options.limit === undefined ? undefined : Number(options.limit);
    const jobs = folder.readAll(({ message }) => session.printer.warn(message));
    const undoing = jobs.filter(({ header }) => header.undoes !== undefined);
    const workers = folder.workers();
    const items = jobs.map((job) => summary(job, workers, undoing));
    await session.printer.list(items, listView, limit === undefined ? {} : { limit });
  },
});

const shownView: View = {
  columns: shown.map((path) => ({ path })),
  fields: [...fields, 'items'],
  open: ['items'],
  kinds: { state: 'state' },
};

const itemView: View = {
  columns: [
    { path: 'id', keep: true },
    { path: 'status', as: 'state' },
    { path: 'undo' },
    { path: 'undone' },
    { path: 'before' },
    { path: 'error.message', label: 'ERROR' },
  ],
  fields: ['index', 'id', 'status', 'undo', 'why', 'undone', 'at', 'requestId', 'before', 'error'],
  open: ['before', 'error'],
};

const show = manual({
  name: 'show',
  summary: 'Show a job with the outcome of each item',
  why: 'Shows each request, its outcome, the state before the change where one was read, and what undo can do.',
  args: jobArgument,
  returns: closed({ ...jobSummary, items: Type.Array(JobItem) }),
  examples: {
    'jobs show last': 'show the last job',
    'jobs show last --jq \'.items[] | select(.status == "failed")\'':
      'print the failed items with the reasons',
  },
  local: true,
  async run(session, input) {
    const asObject = isObjectWanted(session);
    await session.printer.check(asObject ? shownView : itemView);
    const folder = new JobFolder(session.io);
    const job = found(folder, input);
    const undoing = folder.undoing();
    const undone = undoneItems(job.header.job, undoing);
    const items = job.items.map((record) => shownItem(record, undone.has(record.plan.item)));
    const head = summary(job, folder.workers(), undoing);
    if (asObject) return session.printer.one({ ...head, items }, shownView);
    const format = session.settings.output?.value ?? (session.io.stdout.isTTY ? 'table' : 'tsv');
    if (format === 'table') await session.printer.one(head, { ...shownView, fields: [] });
    if (format === 'table') await session.printer.text('\n');
    await session.printer.list(items, itemView);
  },
});

/** JSON, YAML, --fields and --jq get one object; text formats get the items as a list. */
function isObjectWanted({ settings, globals }: Session): boolean {
  const format = settings.output?.value;
  const asked = globals.jq !== undefined || settings.fields !== undefined;
  return asked || format === 'json' || format === 'ndjson' || format === 'yaml';
}

function shownItem({ plan, state, before, error, at, requestId }: ItemRecord, undone: boolean) {
  const { undo, why } = forecastOf({ op: operationOf(plan.op), input: plan.input });
  return {
    index: plan.item,
    id: plan.id,
    status: state === 'started' ? 'unknown' : state,
    undo,
    ...(why !== undefined && { why }),
    ...(undone && { undone }),
    ...(at !== undefined && { at }),
    ...(requestId !== undefined && { requestId }),
    ...(before !== undefined && { before }),
    ...(error !== undefined && { error }),
  };
}

const resume = manual({
  name: 'resume',
  summary: 'Resume an unfinished job',
  why:
    'Runs the items that are left and retries those that failed. An item sent without an answer is looked ' +
    'up first and sent again only if it had no effect.',
  args: jobArgument,
  options: manyOptions().filter(({ name }) => name !== 'allow-empty' && name !== 'again'),
  returns: Type.Array(ItemResult),
  exits: ['partial'],
  examples: { 'jobs resume last': 'resume the last job' },
  danger: 'change',
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = found(folder, input);
    refuseOther(session, job);
    await checkResults(session);
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

/** `--dry-run`: the requests of all items that are not done, some of which a lookup may find done. */
async function previewRest(session: Session, left: readonly ItemRecord[]): Promise<void> {
  await preview(session, requestsOf(left.map(toStep)), true);
  const sent = left.filter(({ state }) => state === 'started' || state === 'unknown').length;
  if (sent > 0) session.printer.note(`${sent} of them were sent before; each is looked up first.`);
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
  options: [option('--days <n>', 'Remove those older than this', { number: true, default: 90 })],
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
    const what = `${removed} ${removed === 1 ? 'journal' : 'journals'}`;
    const status = session.globals.dryRun ? 'kept' : 'pruned';
    await session.printer.done(
      { id: folder.path, status, removed },
      `${session.globals.dryRun ? 'Would remove' : 'Removed'} ${what}.`,
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
