import { prepare } from '../api/client.js';
import { usageError } from '../errors.js';
import { createJob } from '../jobs/create-job.js';
import type { Job } from '../jobs/job.js';
import { plannedRecord } from '../jobs/job.js';
import { JobFolder } from '../jobs/job-folder.js';
import { readStandings } from '../jobs/present-state.js';
import { JobRun, type Step } from '../jobs/run-job.js';
import { planUndo, type Undoing, undoneItems } from '../jobs/undo.js';
import type { View } from '../output/printer.js';
import { concurrencyOf } from './change.js';
import type { ManualInput } from './command.js';
import { notAsked } from './confirm.js';
import { manual } from './define.js';
import { factsOf, keepsJournal, refuseElsewhere } from './job-facts.js';
import { checkResults, type LeftOut, printResults } from './job-results.js';
import { undoSummary } from './preview.js';
import { askYes } from './prompts.js';
import type { Session } from './session.js';
import { manyOptions } from './standing-options.js';

/** `docs undo`: takes a job back, as a job of its own. */

export const undo = manual({
  name: 'undo',
  summary: 'Take back a job',
  why:
    'Brings back what each item of a job was before: exactly, as well as the platform allows, or not at all, ' +
    'which --dry-run tells with the reason. What was changed since stays as it is, unless you name it. ' +
    'It is a job itself, so it can be resumed and taken back.',
  args: {
    '<job>': 'Name of the job, the beginning of it, or last',
    '[id...]': 'Only these items, even if changed since',
  },
  options: manyOptions().filter(({ name }) => name !== 'allow-empty' && name !== 'again'),
  examples: [
    { run: 'undo last --dry-run', does: 'what can be taken back of the last job, and how it stands now' },
    { run: 'undo 20251120-102642-9f3ab2 --yes', does: 'take a whole job back' },
    {
      run: 'undo 20251120-102642-9f3ab2 u1 u2',
      does: 'two items of it, even if somebody changed them since',
    },
  ],
  danger: 'change',
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = folder.find(required(input));
    refuseElsewhere(session, job.header, `docs undo ${job.header.job}`);
    const items = chosen(job, remaining(folder, job, session.io.now()), [input.args.id ?? []].flat());
    if (items.length === 0) {
      session.printer.note(`Nothing is left to take back of job ${job.header.job}.`);
      return;
    }
    if (session.globals.dryRun) return show(session, items);
    await checkResults(session);
    await confirm(session, job, items);
    await takeBack(session, folder, job, items, input);
  },
});

function required({ args }: ManualInput): string {
  if (typeof args.job === 'string') return args.job;
  throw usageError('missing_argument', '<job> is required.', { hint: 'docs jobs list' });
}

/** What is left to take back, after jobs that did so before. */
function remaining(folder: JobFolder, job: Job, nowMs: number): Undoing[] {
  return planUndo(job, undoneItems(job.header.job, folder.undoing()), nowMs);
}

/** All items, or those that are named, of which nothing is expected. */
function chosen(job: Job, items: readonly Undoing[], named: readonly string[]): Undoing[] {
  if (named.length === 0) return [...items];
  const foreign = named.find((name) => !items.some(({ id }) => id === name));
  if (foreign !== undefined) {
    const message = `Job ${job.header.job} has no item ${JSON.stringify(foreign)} that could be taken back.`;
    throw usageError('unknown_item', message, { hint: `docs jobs show ${job.header.job}` });
  }
  return items.filter(({ id }) => named.includes(id)).map(({ expect: _, ...item }) => item);
}

const view: View = {
  columns: ['id', 'undo', 'now', 'why', 'method', 'path', 'body'].map((path) => ({ path })),
  fields: ['index', 'id', 'undo', 'why', 'now', 'method', 'path', 'body'],
  open: ['body'],
};

/** `--dry-run`: all reads happen, so it tells what was changed since. */
async function show(session: Session, items: readonly Undoing[]): Promise<void> {
  await session.printer.check(view);
  const standings = await readStandings(await session.client({ timeoutPerRequest: true }), items);
  const rows = items.map(({ index, id, undo: sureness, why, request }, at) => {
    const standing = standings[at];
    const how = standing?.now === 'changed' ? standing.how : undefined;
    const reason = how ?? why;
    return {
      ...{ index, id, undo: sureness, now: standing?.now ?? 'not known' },
      ...(reason !== undefined && { why: reason }),
      ...(request !== undefined && prepare(request.op, request.input)),
    };
  });
  await session.printer.list(rows, view);
  session.printer.note(`Dry run: nothing was sent. ${undoSummary(items)}`);
}

/** Asks where many items change, where something is deleted, or where it does not come back exactly. */
async function confirm(session: Session, job: Job, items: readonly Undoing[]): Promise<void> {
  const possible = items.filter(({ request }) => request !== undefined);
  if (possible.length === 0) {
    const message = `Nothing of job ${job.header.job} can be taken back: ${items[0]?.why}.`;
    throw usageError('nothing_to_undo', message, { hint: `docs undo ${job.header.job} --dry-run` });
  }
  const grave = possible.some(
    ({ request, undo: sureness }) => sureness !== 'exact' || request?.op.method === 'DELETE',
  );
  if ((!grave && possible.length <= 20) || session.globals.yes) return;
  const what = `Take back ${possible.length} of ${items.length} items of job ${job.header.job}`;
  if (!session.interactive) throw notAsked(what);
  session.printer.note(undoSummary(items));
  if (!(await askYes(session, `${what}?`)))
    throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

async function takeBack(
  session: Session,
  folder: JobFolder,
  job: Job,
  items: readonly Undoing[],
  input: ManualInput,
): Promise<void> {
  const { header } = job;
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const steps = items.flatMap((item, at) => stepOf(item, at, placesAfter(job, items, item)));
  const facts = factsOf(
    session,
    `undo ${header.command}`,
    items.flatMap(({ request }) => request ?? []),
    { undoes: header.job },
  );
  const open = keepsJournal(session) ? await createJob(session.io, folder, facts, steps, true) : undefined;
  try {
    const run = new JobRun({
      ...{ io: session.io, client, steps, journal: open?.journal },
      ...{ concurrency, failFast: input.options.failFast === true },
    });
    const leftOut = items.flatMap(refusal);
    await printResults(session, run, { job: open?.job, total: items.length, leftOut, doing: 'Taking back' });
  } finally {
    await open?.close();
  }
  session.printer.note(`${items.length} ${items.length === 1 ? 'item' : 'items'}: all as before.`);
}

/** Indexes are those of this listing, from the last change to the first. */
function stepOf({ request, expect, index }: Undoing, at: number, after: readonly number[]): Step[] {
  if (request === undefined) return [];
  const { op, input, id } = request;
  const order = after.length > 0 && { after };
  const plan = { item: at, is: 'planned' as const, id, op: op.id, input, undoes: index, ...order };
  return [{ op, record: plannedRecord({ ...plan, ...(expect !== undefined && { expect }) }) }];
}

/** What waited for an item is taken back before that item is. */
function placesAfter(job: Job, items: readonly Undoing[], { index }: Undoing): number[] {
  const later = job.items.filter(({ plan }) => plan.after?.includes(index)).map(({ plan }) => plan.item);
  return items.flatMap((item, at) => (item.request !== undefined && later.includes(item.index) ? at : []));
}

function refusal({ request, id, why }: Undoing, index: number): LeftOut[] {
  if (request !== undefined) return [];
  return [{ index, id, error: usageError('no_undo', `${id} cannot be taken back: ${why}.`) }];
}
