import { timestamp } from '../../api/shapes.js';
import { DocsError } from '../../base/errors.js';
import { defined, isObject } from '../../base/values.js';
import type { FailureOf, Watched } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { findJob } from '../../cli/run/find-job.js';
import { isForPerson, isStructured, outputFormat } from '../../cli/run/output.js';
import { option, report, Type } from '../../cli/run/report.js';
import type { Report, Session, View } from '../../cli/run/run-report.js';
import { Actor } from '../../jobs/actor.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { summarizeJob } from '../../jobs/job-summary.js';
import { commandWords, type Job, type JobItem, titleOfItem } from '../../jobs/journal.js';
import { damageOf, wayOn } from '../../jobs/journal-folder.js';
import { addressesOf } from '../../jobs/made.js';
import { type Outlook, outlooks, undoneItems } from '../../jobs/undo.js';
import {
  closed,
  Failure,
  fieldPaths,
  flag,
  forecast,
  lockedItem,
  maybe,
  restoring,
  stateOf as state,
  text,
} from '../../output/printed-shapes.js';
import { counted, doneOf } from '../../output/text.js';
import { jobArgument } from './argument.js';

/** `--watch` of a job that another process runs: until no process does. */
const watchedJob: Watched = {
  field: 'state',
  moving: ['running'],
  final: ['done', 'failed', 'unfinished', 'undone'],
  failure: async () => failed,
  exits: ['partial'],
};

/** The list is the history of 90 days, of which most ended long ago. */
const watchedJobs: Watched = { ...watchedJob, history: true };

const failed: FailureOf = ({ io: { platform }, globals }, jobs) => {
  const open = jobs.filter(isObject).filter(({ state }) => state === 'failed' || state === 'unfinished');
  const [first] = open;
  if (first === undefined) return undefined;
  const ids = open.map(({ id }) => String(id));
  const message =
    ids.length === 1
      ? `job ${ids[0]} is ${String(first.state)}: ${doneOf(Number(first.ok), Number(first.total))}`
      : `${counted(ids.length, 'job')} ended without finishing: ${ids.join(', ')}`;
  const hint = atPlace(`docs jobs ${ids.length === 1 ? `resume ${ids[0]}` : 'list'}`, globals, platform);
  return new DocsError('partial', 'job_not_finished', message, {
    outcome: 'done',
    hint,
    details: { jobs: ids },
  });
};

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
  plan: Type.Optional(Type.String({ description: 'Id of the plan that it applies' })),
  actor: Type.Optional(Actor),
};

const counts = ['total', 'ok', 'failed', 'unknown', 'left'] as const;

const ItemShape = closed({
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
  item: lockedItem,
});

export const list = report({
  name: 'list',
  summary: 'List the jobs of the last 90 days, newest first',
  why: 'Includes every change made from this machine while the journal was on.',
  options: [option('-L, --limit <n>', 'Only the newest n jobs', { number: 'count' })],
  returns: Type.Array(closed(jobSummary)),
  columns: [
    { path: 'id', keep: true },
    { path: 'command', lead: true },
    { path: 'state', lead: true },
    ...counts,
    'at',
    'plan',
  ],
  empty: 'No jobs.',
  watch: watchedJobs,
  examples: {
    'jobs list': 'list the changes made from this machine',
    'jobs list --jq \'.[] | select(.state == "unfinished") | .id\'':
      'print the ids of jobs that can be resumed',
  },
  local: true,
  load: async () => jobsReport,
});

const jobsReport: Report<object[]> = {
  one: 'job',
  async read({ session }) {
    const folder = new JobFolder(session.io);
    // Before the journals, so that a job which ends meanwhile is running, not unfinished.
    const workers = folder.workers();
    const jobs = folder.readAll(({ message }) => session.printer.warn(message));
    const undoing = jobs.filter(({ header }) => header.undoes !== undefined);
    const forPerson = isForPerson(session);
    return jobs.map((job) => {
      const facts = summarizeJob(job, workers, undoing);
      return forPerson ? { ...facts, command: commandWords(job) } : facts;
    });
  },
  rows: (items, { input: { options } }) => ({
    items,
    limit: options.limit === undefined ? undefined : Number(options.limit),
  }),
};

const itemView: View = {
  columns: [
    { path: 'id', keep: true },
    { path: 'status', lead: true },
    ...['undo', 'undone', 'before'].map((path) => ({ path })),
    { path: 'error.message', label: 'ERROR', lead: true },
  ],
  ...fieldPaths(ItemShape),
};

/** A table begins with the index, by which an item is settled; the columns of TSV keep their places. */
const tableView: View = { ...itemView, columns: [{ path: 'index', label: 'ITEM' }, ...itemView.columns] };

/** For a person, the title of what each item changed. */
const personsView: View = {
  ...tableView,
  columns: [...tableView.columns.slice(0, 1), { path: 'title', keep: true }, ...tableView.columns.slice(1)],
};

/** Last, where a job of the organization as code changes items of a lock. */
const address = { path: 'item', keep: true };

const ShownJob = closed({ ...jobSummary, items: Type.Array(ItemShape) });

export const show = report({
  name: 'show',
  summary: 'Show a job with the outcome of each item',
  why: 'Shows each request, its outcome, the state before the change where one was read, and whether it can be undone.',
  args: jobArgument('jobs', async () => (await import('./offers.js')).anyJob),
  returns: ShownJob,
  columns: [
    ...(['id', 'command', 'state', ...counts, 'at', 'profile', 'origin', 'plan'] as const),
    { path: 'actor.name', label: 'ACTOR' },
    { path: 'actor.client', label: 'CLIENT' },
  ],
  examples: {
    'jobs show last': 'show the last job',
    'jobs show last --jq \'.items[] | select(.status == "failed")\'':
      'print the failed items with the reasons',
    'jobs show last --watch': 'watch the job that another process runs',
  },
  local: true,
  watch: watchedJob,
  load: async () => jobReport,
});

interface JobRead {
  job: Job;
  head: ReturnType<typeof summarizeJob>;
  items: ReturnType<typeof shownItem>[];
  /** Whether it changes items of a lock. */
  isOfFiles: boolean;
}

const jobReport: Report<JobRead> = {
  // Fields are those of the whole.
  formOf: (session) => (isStructured(session) || session.settings.fields !== undefined ? 'value' : 'rows'),
  async read({ session, input: { args } }) {
    const folder = new JobFolder(session.io);
    // As in the list: before the journal.
    const workers = folder.workers();
    const job = findJob(session, folder, String(args.job));
    tellDamage(session, job);
    const undoing = folder.undoing();
    const undone = undoneItems(job.header.job, undoing);
    const all = outlooks(job, session.io.now());
    const addresses = addressesOf(job.items.map(({ change }) => change));
    const items = job.items.map((record, at) => {
      const facts = { undone: undone.has(record.change.item), item: addresses.get(at) };
      return shownItem(record, facts, all[at] as Outlook);
    });
    const head = summarizeJob(job, workers, undoing);
    session.watch?.moves?.(head);
    return { job, head, items, isOfFiles: addresses.size > 0 };
  },
  value: ({ head, items }) => ({ ...head, items }),
  valueView: { columns: [], ...fieldPaths(ShownJob) },
  page: async ({ job, head, items }, { session: { globals, io } }) =>
    (await import('./page.js')).jobPage(job, head, {
      items,
      at: (command) => atPlace(command, globals, io.platform),
    }),
  rowView: itemView,
  rows({ job, head, items, isOfFiles }, { session, view }) {
    const forPerson = isForPerson(session);
    const own = forPerson ? personsView : outputFormat(session) === 'table' ? tableView : itemView;
    const titled = items.map((item, at) => ({ ...item, title: titleOfItem(job.items[at] as JobItem) }));
    return {
      items: forPerson ? titled : items,
      view: isOfFiles ? { ...own, columns: [...own.columns, address] } : own,
      head: { value: head, view: { ...view, fields: [] } },
    };
  },
};

function tellDamage(session: Session, job: Job): void {
  const damage = damageOf(job);
  if (damage === undefined) return;
  const { words, hint } = wayOn(job);
  session.printer.warn(`${damage}; ${words} (${hint}).`);
}

function shownItem(
  record: JobItem,
  { undone, item }: { undone: boolean; item: string | undefined },
  { id, undo, why }: Outlook,
) {
  const { change, state, before, error, at, requestId, restored, notRestored } = record;
  return defined({
    index: change.item,
    id,
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
    item,
  });
}
