import { prepare } from '../../api/client.js';
import { defined } from '../../defined.js';
import { usageError } from '../../errors.js';
import { refuseDamaged } from '../../jobs/damage.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job } from '../../jobs/journal.js';
import { type Step, stepOf } from '../../jobs/step.js';
import { planUndo, readStandings, type Undoing, undoneItems } from '../../jobs/undo.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { askYes } from '../resolve/prompts.js';
import { notAsked } from './confirm.js';
import { changedSomething, findJob, notePassed } from './find-job.js';
import { concurrencyOf } from './gather.js';
import { checkResults, type LeftOut, printResults } from './job-results.js';
import { undoSummary } from './preview.js';
import { beginJob, refuseElsewhere, runJob } from './session-job.js';

/**
 * `docs undo`: undoes a job, as a job of its own.
 * @throws DocsError usage: nothing was sent; as `printResults`
 */
export async function undoJob(session: Session, input: ManualInput): Promise<void> {
  const folder = new JobFolder(session.io);
  const { job, passed } = findJob(session, folder, String(input.args.job), 'undoable');
  notePassed(session, passed);
  const { job: name } = job.header;
  refuseElsewhere(session, job.header, `docs undo ${name}`);
  refuseDamaged(job, 'undone');
  const left = planUndo(job, undoneItems(name, folder.undoing()), session.io.now());
  const items = chosen(job, left, [input.args.id ?? []].flat());
  if (items.length === 0) return session.printer.note(`Nothing left to undo in job ${name}.`);
  if (session.globals.dryRun) return show(session, items);
  await checkResults(session);
  await confirm(session, job, items, passed.some(changedSomething));
  await undoItems(session, job, items, input);
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

const shown = ['id', 'undo', 'now', 'why', 'method', 'path', 'body'];
const view: View = {
  columns: shown.map((path) => ({ path })),
  fields: ['index', ...shown],
  open: ['body'],
};

/** `--dry-run`: reads the current states, so it shows what was changed since. */
async function show(session: Session, items: readonly Undoing[]): Promise<void> {
  await session.printer.check(view);
  const standings = await readStandings(await session.client({ timeoutPerRequest: true }), items);
  const rows = items.map(({ index, id, undo: sureness, why, request }, at) => {
    const standing = standings[at];
    const reason = (standing?.now === 'changed' ? standing.how : undefined) ?? why;
    return {
      ...defined({ index, id, undo: sureness, now: standing?.now ?? 'not known', why: reason }),
      ...(request !== undefined && prepare(request.op, request.input)),
    };
  });
  await session.printer.list(rows, view);
  session.printer.note(`Dry run: nothing was sent. ${undoSummary(items)}`);
}

/**
 * Asks before many items, before a deletion, where the undo is not exact, and and where `last` passed over a newer change.
 */
async function confirm(
  session: Session,
  job: Job,
  items: readonly Undoing[],
  isOlder: boolean,
): Promise<void> {
  const possible = items.filter(({ request }) => request !== undefined);
  if (possible.length === 0) {
    const message = `Job ${job.header.job} cannot be undone: ${items[0]?.why}.`;
    throw usageError('nothing_to_undo', message, { hint: `docs undo ${job.header.job} --dry-run` });
  }
  const grave = possible.some(
    ({ request, undo: sureness }) => sureness !== 'exact' || request?.op.method === 'DELETE',
  );
  if ((!grave && !isOlder && possible.length <= 20) || session.globals.yes) return;
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
  session.printer.note(`${counted(items.length, 'item')} undone.`);
}

/** @param at index among all items to undo, from the last change to the first */
function undoStep({ request, expect, index }: Undoing, at: number, after: readonly number[]): Step[] {
  if (request === undefined) return [];
  return [stepOf(request, at, { undoes: index, ...(after.length > 0 && { after }), ...defined({ expect }) })];
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
