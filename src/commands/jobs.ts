import { usageError } from '../errors.js';
import { reopenJob } from '../jobs/create-job.js';
import { countsOf, type ItemRecord, type Job, stateOf } from '../jobs/job.js';
import { hashOfInput, JobFolder, keptMs } from '../jobs/job-folder.js';
import { JobRun, type Step } from '../jobs/run-job.js';
import { sourceIssue } from '../jobs/source.js';
import { operationOf, undoneItems } from '../jobs/undo.js';
import type { View } from '../output/printer.js';
import { shellWord } from '../settings/shell-word.js';
import { version } from '../version.js';
import { concurrencyOf } from './change.js';
import type { Group, ManualInput } from './command.js';
import { manual } from './define.js';
import { refuseElsewhere } from './job-facts.js';
import { checkResults, printResults } from './job-results.js';
import { forecastOf, preview } from './preview.js';
import type { Session } from './session.js';
import { manyOptions } from './standing-options.js';

/** `docs jobs`: what was changed from here, and what is left of it. */

const jobArgument = { '<job>': 'Name of the job, the beginning of it, or last' } as const;

function found(folder: JobFolder, { args }: ManualInput): Job {
  if (typeof args.job === 'string') return folder.find(args.job);
  throw usageError('missing_argument', '<job> is required.', { hint: 'docs jobs list' });
}

/** A line of the list. */
function summary(job: Job, workers: ReadonlyMap<string, string>, undoing: readonly Job[]) {
  const { job: id, command, at, profile, origin, org, undoes, total, source, evidence } = job.header;
  const undone = undoneItems(id, undoing);
  const { ok, ...others } = countsOf(job);
  const changed = job.items.filter(({ state }) => state === 'ok').length;
  const state = undone.size > 0 && undone.size >= changed ? 'undone' : stateOf(job);
  return {
    ...{ id, command, state: workers.has(id) ? 'running' : state, total, ok, ...others, at, profile, origin },
    ...(org !== undefined && { org }),
    ...(source !== undefined && { file: source.path }),
    ...(undoes !== undefined && { undoes }),
    ...(evidence !== undefined && { evidence }),
  };
}

const fields = [
  'id',
  'command',
  'state',
  'total',
  'ok',
  'failed',
  'unknown',
  'left',
  'at',
  'profile',
  'origin',
];
const listView: View = {
  columns: [
    { path: 'id', keep: true },
    { path: 'command' },
    { path: 'state', as: 'state' },
    { path: 'total' },
    { path: 'ok' },
    { path: 'failed' },
    { path: 'unknown' },
    { path: 'left' },
    { path: 'at' },
  ],
  fields: [...fields, 'org', 'file', 'undoes', 'evidence'],
  empty: 'No jobs.',
};

const list = manual({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the jobs of the last 90 days, the newest first',
  why: 'Every change made from this machine is a job, a single one too, unless config set journal off.',
  options: [{ name: 'limit', value: '<n>', number: true, description: 'Only the newest so many' }],
  examples: [
    { run: 'jobs list', does: 'what was changed from here' },
    { run: 'jobs list --jq \'.[] | select(.state == "unfinished") | .id\'', does: 'what can be resumed' },
  ],
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
  columns: fields.map((path) => ({ path })),
  fields: [...fields, 'org', 'file', 'undoes', 'evidence', 'items'],
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
  summary: 'Show a job: each item, what came of it, and what undo can do',
  why: 'What was sent and what is known of it, with the state before each change where one was read.',
  args: jobArgument,
  examples: [
    { run: 'jobs show last', does: 'the last job' },
    { run: 'jobs show last --jq \'.items[] | select(.status == "failed")\'', does: 'what failed, and why' },
  ],
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

/** People get the job and then its items as a list; a program gets one object. */
function isObjectWanted({ settings, globals }: Session): boolean {
  const format = settings.output?.value;
  const asked = globals.jq !== undefined || settings.fields !== undefined;
  return asked || format === 'json' || format === 'ndjson' || format === 'yaml';
}

function shownItem({ plan, state, before, error, at, requestId }: ItemRecord, undone: boolean) {
  const { undo, why } = forecastOf({ op: operationOf(plan.op), input: plan.input });
  return {
    ...{ index: plan.item, id: plan.id, status: state === 'started' ? 'unknown' : state, undo },
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
  summary: 'Go on with a job that was cut short',
  why:
    'Does what was not done, and tries again what was refused. What was sent without an answer is looked up ' +
    'first: it is sent again only where it certainly did nothing.',
  args: jobArgument,
  options: manyOptions().filter(({ name }) => name !== 'allow-empty' && name !== 'again'),
  examples: [{ run: 'jobs resume last', does: 'go on with the last job' }],
  danger: 'change',
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = found(folder, input);
    refuseOther(session, job);
    await checkResults(session);
    const left = job.items.filter(({ state }) => state !== 'ok');
    if (left.length === 0) {
      session.printer.note(`Job ${job.header.job} is finished: all ${job.header.total} items are done.`);
      noteEvidence(session, job);
      return;
    }
    if (session.globals.dryRun) return previewRest(session, left);
    await goOn(session, folder, job, input);
  },
});

/**
 * A job is gone on with where it was begun, by the same version, with the same input.
 * @throws DocsError usage `job_mismatch`: nothing was sent
 */
export function refuseOther(session: Session, { header, items }: Job): void {
  const doing = `docs jobs resume ${header.job}`;
  refuseElsewhere(session, header, doing);
  const hint = `docs jobs show ${header.job}`;
  const plan = items.map((item) => item.plan);
  const issue =
    header.version !== version
      ? `It was begun by docs ${header.version}, and this is ${version}`
      : plan.length !== header.total || hashOfInput(header, plan) !== header.input
        ? 'Its journal was changed since'
        : sourceIssue(header.source);
  if (issue === undefined) return;
  throw usageError('job_mismatch', `Job ${header.job} cannot be resumed. ${issue}; nothing was sent.`, {
    hint,
  });
}

/** `--dry-run`: what would be sent; what was sent before is looked up first, and may need nothing. */
async function previewRest(session: Session, left: readonly ItemRecord[]): Promise<void> {
  const calls = left.map(({ plan }) => ({ op: operationOf(plan.op), input: plan.input, id: plan.id }));
  await preview(session, calls, true);
  const sent = left.filter(({ state }) => state === 'started' || state === 'unknown').length;
  if (sent > 0) session.printer.note(`${sent} of them were sent before: each is looked up first.`);
}

async function goOn(session: Session, folder: JobFolder, job: Job, input: ManualInput): Promise<void> {
  await resumeJob(session, folder, job, input);
  session.printer.note(`Job ${job.header.job} is finished: all ${job.header.total} items are done.`);
  noteEvidence(session, job);
}

/** Does what is left of a job, and prints it. @throws DocsError as `printResults`, `reopenJob` */
export async function resumeJob(
  session: Session,
  folder: JobFolder,
  job: Job,
  input: ManualInput,
): Promise<void> {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const open = await reopenJob(session.io, folder, job);
  const left = job.items.filter(({ state }) => state !== 'ok');
  const steps = left.map((record): Step => ({ record, op: operationOf(record.plan.op) }));
  try {
    const run = new JobRun({
      ...{ io: session.io, client, steps, journal: open.journal },
      ...{ concurrency, failFast: input.options.failFast === true },
    });
    await printResults(session, run, { job: open.job, total: steps.length, doing: 'Going on' });
  } finally {
    await open.close();
  }
}

/** A job may have a file that its own command completes. */
function noteEvidence({ printer, io }: Session, { header: { command, evidence } }: Job): void {
  if (evidence === undefined) return;
  printer.note(`docs ${command} --resume ${shellWord(evidence, io.platform)} completes the evidence.`);
}

const prune = manual({
  name: 'prune',
  summary: 'Remove the journals of old jobs',
  why: 'Journals are removed by themselves after 90 days. Without its journal a job can be neither resumed nor undone.',
  options: [
    { name: 'days', value: '<n>', number: true, description: 'Remove those older than this', default: 90 },
  ],
  examples: [{ run: 'jobs prune --days 30', does: 'keep the last month alone' }],
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
  summary: 'Changes made from here: list, show, resume',
  why:
    'Every change is a job with a journal, also that of a single thing, so that it can be proven, resumed and ' +
    'taken back. docs config set journal off turns that off.',
  commands: [list, show, resume, prune],
};
