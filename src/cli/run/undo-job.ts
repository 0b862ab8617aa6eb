import { prepare } from '../../api/client.js';
import { type DocsError, usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { Change } from '../../jobs/change.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { type Job, titleOfItem } from '../../jobs/journal.js';
import { refuseDamaged } from '../../jobs/journal-folder.js';
import type { JobRun } from '../../jobs/run-job.js';
import {
  appraise,
  type CurrentState,
  planUndo,
  readStandings,
  type Undoing,
  undoneItems,
  undoSteps,
} from '../../jobs/undo.js';
import { allRules } from '../../jobs/undo-rules.js';
import type { View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { beginChange, carryOut } from './carry-out.js';
import { findJob, olderUndoable } from './find-job.js';
import { tellExposed } from './guard.js';
import { withAddress } from './job-results.js';
import { isForPerson, isStructured, noteSaid } from './output.js';
import { undoSummary } from './preview.js';
import type { LeftOut, Proposal } from './proposal.js';
import { jobWords } from './sentence.js';
import { refuseElsewhere } from './session-job.js';

/**
 * `docs undo`: undoes a job, as a job of its own.
 * @throws DocsError usage: nothing was sent; as `printResults`
 */
export async function undoJob(session: Session, input: ManualInput): Promise<void> {
  const folder = new JobFolder(session.io);
  const word = String(input.args.job);
  const job = findJob(session, folder, word);
  const { job: name } = job.header;
  refuseElsewhere(session, job.header, `docs undo ${name}`);
  refuseDamaged(job, 'undone');
  const undoing = folder.undoing();
  const left = planUndo(job, undoneItems(name, undoing), session.io.now());
  // `last` means no other job, so an older one is only named.
  const older = () => (word === 'last' ? olderUndoable(session, folder, job) : undefined);
  const instead = isPossible(left) ? undefined : older();
  if (instead !== undefined) throw impossible(job, left, instead);
  const planned = chosen(job, left, [input.args.id ?? []].flat());
  noteUnfinished(session, name, undoing);
  const plans = session.savePlan !== undefined;
  if (planned.length === 0 && !plans) return tellNothingLeft(session, name);
  await beginChange(session, { results: { undoes: true } });
  const items = await appraise(await session.client({ timeoutPerRequest: true }), planned);
  const proposal = undoProposal(session, job, items, input.chosen?.includes('job') === true);
  if (!session.globals.dryRun && !plans && !isPossible(items)) throw impossible(job, items, older());
  await carryOut(session, input, proposal);
}

/** A program gets the same form as otherwise, without rows. */
async function tellNothingLeft(session: Session, job: string): Promise<void> {
  if (isStructured(session)) await session.printer.list([], view);
  session.printer.note(`Nothing left to undo in job ${job}.`);
}

/** @param isChosen whether the job was chosen from a list: whoever did may have pressed Enter too soon */
function undoProposal(session: Session, job: Job, items: readonly Undoing[], isChosen: boolean): Proposal {
  const { header } = job;
  const { steps, leftOut } = undoSteps(job, items);
  const possible = items.filter(({ requests }) => requests.length > 0);
  const isInexact = possible.some(
    ({ requests: [first], undo: sureness }) => sureness !== 'exact' || first?.op.method === 'DELETE',
  );
  return {
    command: `undo ${header.command}`,
    steps,
    undoes: header.job,
    folder: header.folder,
    again: true,
    leftOut: leftOut.map(refusal),
    doing: 'Undoing',
    looks: { dryRun: ['guard', 'exposure'] },
    risks: leftOut.map(({ item: { id, why } }) => `${id} cannot be undone: ${why}.`),
    question: {
      what: `Undo ${possible.length} of ${items.length} items of job ${header.job}`,
      isGrave: isInexact || isChosen || possible.length > 20,
      forecasts: items,
    },
    show: () => show(session, job, items),
    // The guard only refuses: what an undo exposes again says as much.
    tell({ exposed }) {
      tellExposed(session, exposed);
      return { risks: [], exposed: [] };
    },
    done: ({ run }) => noteUndone(session, job, items, run),
  };
}

/** Names undo jobs that stopped halfway: those must be resumed, since a second undo would create things twice. */
function noteUnfinished({ printer }: Session, name: string, undoing: readonly Job[]): void {
  const parts = undoing.filter(({ header: { undoes }, items }) => {
    return (
      undoes === name && items.some(({ change, state }) => change.partOf !== undefined && state !== 'ok')
    );
  });
  for (const { header } of parts)
    printer.note(`Job ${header.job} undid a part of it; docs jobs resume ${header.job} continues.`);
}

/** All items; or the named ones, whatever their current state. */
function chosen(job: Job, items: readonly Undoing[], named: readonly string[]): Undoing[] {
  if (named.length === 0) return [...items];
  const foreign = named.find((name) => !items.some(({ id }) => id === name));
  if (foreign !== undefined) {
    const message = `item ${JSON.stringify(foreign)} not found among those of job ${job.header.job} that can be undone`;
    throw usageError('unknown_item', message, { hint: `docs jobs show ${job.header.job}` });
  }
  return items
    .filter(({ id }) => named.includes(id))
    .map((item) => {
      const [first, ...others] = item.requests;
      return { ...item, requests: first === undefined ? [] : [{ ...first, expect: undefined }, ...others] };
    });
}

const shown = ['id', 'undo', 'now', 'why', 'method', 'path', 'body'];
const view: View = {
  columns: shown.map((path) => ({ path })),
  fields: ['index', 'item', ...shown],
  open: ['body'],
};

/** `--dry-run`: reads the current states, so it shows what was changed since. */
async function show(session: Session, job: Job, items: readonly Undoing[]): Promise<void> {
  await session.printer.check(view);
  const standings = await readStandings(await session.client({ timeoutPerRequest: true }), items);
  const rows = items.flatMap((item, at) => rowsOf(item, standings[at] ?? { now: 'not known' }));
  const known = items.some(({ lock }) => lock !== undefined);
  const own = known ? withAddress(view) : view;
  if (!isForPerson(session)) await session.printer.list(rows, own);
  else
    await session.printer.list(titled(rows, job), { ...own, columns: [{ path: 'title' }, ...own.columns] });
  session.printer.note(`Dry run: nothing was sent. ${undoSummary(items)}`);
}

/** The rows, each with the title of what it restores. */
function titled(rows: readonly object[], { items }: Job): object[] {
  return rows.map((row) => {
    const record = 'index' in row ? items[Number(row.index)] : undefined;
    return { ...row, title: record === undefined ? undefined : titleOfItem(record) };
  });
}

/** Placeholder for an id that is known only after the undo. */
const newId = 'NEW-ID';

/** One row for each request of an item. */
function rowsOf(
  { index, id, undo, why, requests: [request, ...further], remakes, lock }: Undoing,
  standing: CurrentState,
): object[] {
  const { now } = standing;
  const item = lock?.item;
  const reason = (now === 'changed' ? standing.how : undefined) ?? why;
  const own = { ...defined({ index, id, undo, now, why: reason, item }), ...(request && prepared(request)) };
  const parts = further.map((part) => {
    const sent = JSON.stringify(prepared(part));
    const text = remakes === undefined ? sent : sent.replaceAll(remakes, newId);
    const shared = defined({ index, id: part.id, undo, item });
    return { ...shared, ...(JSON.parse(text) as object) };
  });
  return [own, ...parts];
}

function prepared({ op, input }: Change) {
  return prepare(op, input);
}

function isPossible(items: readonly Undoing[]): boolean {
  return items.some(({ requests }) => requests.length > 0);
}

/** @param older the job that can be undone instead, where `last` was meant */
function impossible({ header, items }: Job, left: readonly Undoing[], older: Job | undefined): DocsError {
  const { job, command } = header;
  if (older === undefined) {
    const message = `job ${job} cannot be undone: ${left[0]?.why}`;
    return usageError('nothing_to_undo', message, { hint: `docs undo ${job} --dry-run` });
  }
  const hasChanged = items.some(({ sent, state }) => sent && state !== 'failed');
  const why = left[0]?.why ?? (hasChanged ? 'it has been undone' : 'it changed nothing');
  const next = older.header;
  const message =
    `the last job, ${job} (${command}), cannot be undone: ${why}. Nothing was undone. ` +
    `The job before it that can be undone is ${next.job} (${next.command}).`;
  return usageError('nothing_to_undo', message, {
    hint: `docs undo ${next.job}`,
    details: { last: job, older: next.job },
  });
}

async function noteUndone(
  session: Session,
  { header, items: all }: Job,
  items: readonly Undoing[],
  { restored }: JobRun,
): Promise<void> {
  const count = counted(items.length, 'item');
  const records = all.filter(({ change }) => items.some(({ index }) => index === change.item));
  const what = items.length === all.length ? jobWords(header.command, records, allRules) : count;
  const read = readWords(restored);
  const said = `Undid job ${header.job}: ${what}. ${read}`;
  const isWhole = restored.part + restored.unknown === 0;
  if (isWhole) await noteSaid(session, `${count} undone. ${read}`, said);
  else session.printer.note(session.io.stdout.isTTY === true ? said : `${count} undone. ${read}`);
}

/** Summarizes the reads that follow an undo. */
export function readWords({ whole, part, unknown }: Record<'whole' | 'part' | 'unknown', number>): string {
  if (part + unknown === 0) return 'Read again: all as before.';
  const counts = [
    [whole, 'as before'],
    [part, 'restored in part'],
    [unknown, 'not confirmed'],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `Read again: ${told.join(', ')}.`;
}

function refusal({ index, item: { id, why, lock } }: { index: number; item: Undoing }): LeftOut {
  return {
    index,
    id,
    ...(lock && { item: lock.item }),
    error: usageError('no_undo', `${id} cannot be undone: ${why}`),
  };
}
