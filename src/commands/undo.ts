import { prepare } from '../api/client.js';
import { Type } from '../api/type.js';
import type { ManualInput } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { manyOptions } from '../cli/declare/standing-flags.js';
import { askYes } from '../cli/resolve/prompts.js';
import { notAsked } from '../cli/run/confirm.js';
import { concurrencyOf } from '../cli/run/gather.js';
import { checkResults, type LeftOut, printResults } from '../cli/run/job-results.js';
import { undoSummary } from '../cli/run/preview.js';
import { beginJob, refuseElsewhere, runJob } from '../cli/run/session-job.js';
import { usageError } from '../errors.js';
import { JobFolder } from '../jobs/job-folder.js';
import type { Job } from '../jobs/journal.js';
import { type Step, stepOf } from '../jobs/step.js';
import { planUndo, readStandings, type Undoing, undoneItems } from '../jobs/undo.js';
import { ItemResult } from '../output/printed-shapes.js';
import type { View } from '../output/printer.js';

/** `docs undo`: undoes a job, as a job of its own. */

export const undo = manual({
  name: 'undo',
  summary: 'Undo a job',
  why:
    'Restores the state of each item before the job where the platform allows it; --dry-run shows what is ' +
    'exact, best effort or impossible, and why. Skips what was changed since unless you name it; the undo ' +
    'is itself a job.',
  args: {
    '<job>': 'Name of the job, a unique beginning of it, or last',
    '[id...]': 'Only these items, even if somebody changed them since',
  },
  options: manyOptions().filter(({ name }) => name !== 'allow-empty' && name !== 'again'),
  returns: Type.Array(ItemResult),
  exits: ['partial'],
  examples: {
    'undo last --dry-run': 'show what can be undone in the last job',
    'undo 20251120-102642-9f3ab2 --yes': 'undo a whole job',
    'undo 20251120-102642-9f3ab2 u1 u2': 'undo two items, even if they were changed since',
  },
  danger: 'change',
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = folder.find(required(input));
    refuseElsewhere(session, job.header, `docs undo ${job.header.job}`);
    const items = chosen(job, remaining(folder, job, session.io.now()), [input.args.id ?? []].flat());
    if (items.length === 0) {
      session.printer.note(`Nothing left to undo in job ${job.header.job}.`);
      return;
    }
    if (session.globals.dryRun) return show(session, items);
    await checkResults(session);
    await confirm(session, job, items);
    await undoItems(session, job, items, input);
  },
});

function required({ args }: ManualInput): string {
  if (typeof args.job === 'string') return args.job;
  throw usageError('missing_argument', '<job> is required.', { hint: 'docs jobs list' });
}

/** The items that no earlier job has undone. */
function remaining(folder: JobFolder, job: Job, nowMs: number): Undoing[] {
  return planUndo(job, undoneItems(job.header.job, folder.undoing()), nowMs);
}

/** All items; or the named ones, whatever their current state. */
function chosen(job: Job, items: readonly Undoing[], named: readonly string[]): Undoing[] {
  if (named.length === 0) return [...items];
  const foreign = named.find((name) => !items.some(({ id }) => id === name));
  if (foreign !== undefined) {
    const message = `Item ${JSON.stringify(foreign)} not found among those of job ${job.header.job} that can be undone.`;
    throw usageError('unknown_item', message, { hint: `docs jobs show ${job.header.job}` });
  }
  return items.filter(({ id }) => named.includes(id)).map(({ expect: _, ...item }) => item);
}

const view: View = {
  columns: ['id', 'undo', 'now', 'why', 'method', 'path', 'body'].map((path) => ({ path })),
  fields: ['index', 'id', 'undo', 'why', 'now', 'method', 'path', 'body'],
  open: ['body'],
};

/** `--dry-run`: reads the current states, so it shows what was changed since. */
async function show(session: Session, items: readonly Undoing[]): Promise<void> {
  await session.printer.check(view);
  const standings = await readStandings(await session.client({ timeoutPerRequest: true }), items);
  const rows = items.map(({ index, id, undo: sureness, why, request }, at) => {
    const standing = standings[at];
    const how = standing?.now === 'changed' ? standing.how : undefined;
    const reason = how ?? why;
    return {
      index,
      id,
      undo: sureness,
      now: standing?.now ?? 'not known',
      ...(reason !== undefined && { why: reason }),
      ...(request !== undefined && prepare(request.op, request.input)),
    };
  });
  await session.printer.list(rows, view);
  session.printer.note(`Dry run: nothing was sent. ${undoSummary(items)}`);
}

/** Asks before many items, before a deletion, and where the undo is not exact. */
async function confirm(session: Session, job: Job, items: readonly Undoing[]): Promise<void> {
  const possible = items.filter(({ request }) => request !== undefined);
  if (possible.length === 0) {
    const message = `Job ${job.header.job} cannot be undone: ${items[0]?.why}.`;
    throw usageError('nothing_to_undo', message, { hint: `docs undo ${job.header.job} --dry-run` });
  }
  const grave = possible.some(
    ({ request, undo: sureness }) => sureness !== 'exact' || request?.op.method === 'DELETE',
  );
  if ((!grave && possible.length <= 20) || session.globals.yes) return;
  const what = `Undo ${possible.length} of ${items.length} items of job ${job.header.job}`;
  if (!session.interactive) throw notAsked(what);
  session.printer.note(undoSummary(items));
  if (!(await askYes(session, `${what}?`)))
    throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

async function undoItems(
  session: Session,
  job: Job,
  items: readonly Undoing[],
  input: ManualInput,
): Promise<void> {
  const { header } = job;
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const steps = items.flatMap((item, at) => undoStep(item, at, placesAfter(job, items, item)));
  const facts = { undoes: header.job, again: true };
  const begun = await beginJob(session, `undo ${header.command}`, steps, facts);
  const parts = { client, steps, concurrency, failFast: input.options.failFast === true };
  await runJob(session, begun, parts, (run) =>
    printResults(session, run, { job: begun?.job, leftOut: items.flatMap(refusal), doing: 'Undoing' }),
  );
  session.printer.note(`${items.length} ${items.length === 1 ? 'item' : 'items'} undone.`);
}

/** @param at index among all items to undo, from the last change to the first */
function undoStep({ request, expect, index }: Undoing, at: number, after: readonly number[]): Step[] {
  if (request === undefined) return [];
  const order = { ...(after.length > 0 && { after }), ...(expect !== undefined && { expect }) };
  return [stepOf(request, at, { undoes: index, ...order })];
}

/** An item is undone after all items that depended on it. */
function placesAfter(job: Job, items: readonly Undoing[], { index }: Undoing): number[] {
  const later = job.items.filter(({ plan }) => plan.after?.includes(index)).map(({ plan }) => plan.item);
  return items.flatMap((item, at) => (item.request !== undefined && later.includes(item.index) ? at : []));
}

function refusal({ request, id, why }: Undoing, index: number): LeftOut[] {
  if (request !== undefined) return [];
  return [{ index, id, error: usageError('no_undo', `${id} cannot be undone: ${why}.`) }];
}
