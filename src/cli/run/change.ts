import { DocsError } from '../../errors.js';
import { createJob, type OpenJob } from '../../jobs/create-job.js';
import { plannedRecord } from '../../jobs/job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Source } from '../../jobs/journal-lines.js';
import { type ItemResult, JobRun, type Step } from '../../jobs/run-job.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { wholeNumber } from '../parse/values.js';
import type { PlannedCall } from './assemble.js';
import { factsOf, keepsJournal } from './job-facts.js';
import { type LeftOut, printResults } from './job-results.js';
import { sentence, statusOf } from './sentence.js';
import { subjectOf } from './subject.js';
import { viewOf } from './view.js';
import { noteWayBack } from './way-back.js';

/** Changes: each one is a job with a journal, also the one that changes a single thing. */

/** Sends one change and prints its answer. @returns the answer */
export async function changeOne(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<unknown> {
  const client = await session.client();
  const steps = stepsOf(session, [call], [input]);
  const open = await begin(session, command, steps, input, {});
  let result: ItemResult | undefined;
  try {
    const run = new JobRun({
      ...{ io: session.io, client, steps, journal: open?.journal },
      ...{ concurrency: 1, failFast: false, single: true },
    });
    for await (const each of run.results()) result = each;
    if (run.journalFailure !== undefined && result?.status === 'ok')
      session.printer.warn(unwritten(run.journalFailure));
  } finally {
    await open?.close();
  }
  const { answer } = answered(result);
  if (call.op.returns.kind === 'none') {
    const status = statusOf(command, call.op);
    await session.printer.done({ id: call.id, status }, `${sentence(command, input, [call], 'done')}.`);
  } else {
    await session.printer.one(answer, viewOf(command, call.op));
  }
  noteWayBack(session, client, [call], undefined);
  return answer;
}

/** The result of a change that came through; else its failure is thrown. */
function answered(result: ItemResult | undefined): ItemResult {
  if (result !== undefined && (result.status === 'ok' || result.answer !== undefined)) return result;
  throw (
    result?.failure ??
    new DocsError('interrupted', 'interrupted', 'Interrupted; nothing was sent.', { outcome: 'not-sent' })
  );
}

function unwritten({ message }: DocsError): string {
  return `The change is done, but its outcome is not in the journal. ${message}`;
}

/** Where many changes come from, beside the calls themselves. */
export interface Many {
  source?: Source;
  /** The index of each call among all rows, where some are left out. */
  indexes?: readonly number[];
  leftOut?: readonly LeftOut[];
  /** What was typed for each call, where that differs from call to call. */
  inputs?: readonly ManualInput[];
}

/**
 * Sends many changes and prints one result a line and item, in input order.
 * @throws DocsError as `printResults`, `createJob`
 */
export async function changeMany(
  session: Session,
  command: Command,
  calls: readonly PlannedCall[],
  input: ManualInput,
  many: Many = {},
): Promise<void> {
  const { leftOut = [] } = many;
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const steps = stepsOf(session, calls, many.inputs ?? calls.map(() => input), many.indexes);
  const open = steps.length === 0 ? undefined : await begin(session, command, steps, input, many);
  const total = steps.length + leftOut.length;
  try {
    const run = new JobRun({
      ...{ io: session.io, client, steps, journal: open?.journal },
      ...{ concurrency, failFast: input.options.failFast === true },
    });
    await printResults(session, run, { job: open?.job, total, leftOut, doing: 'Changing' });
  } finally {
    await open?.close();
  }
  noteDone(session, command, calls, open?.job);
  noteWayBack(session, client, calls, open?.job);
}

/** `--concurrency`, 8 unless given. */
export function concurrencyOf({ options }: ManualInput): number {
  return options.concurrency === undefined ? 8 : wholeNumber('--concurrency', options.concurrency);
}

function noteDone(
  session: Session,
  command: Command,
  calls: readonly PlannedCall[],
  job: string | undefined,
): void {
  const [first] = calls;
  if (first === undefined) {
    session.printer.note('No items: nothing was done.');
    return;
  }
  const count = `${calls.length} ${calls.length === 1 ? 'item' : 'items'}`;
  const undoable = calls.some(({ op, input }) => ruleOf(op).forecast(input).undo !== 'none');
  const back = job !== undefined && undoable ? ` docs undo ${job} takes it back.` : '';
  session.printer.note(`${count}: all ${statusOf(command, first.op)}.${back}`);
}

function stepsOf(
  session: Session,
  calls: readonly PlannedCall[],
  inputs: readonly ManualInput[],
  indexes?: readonly number[],
): Step[] {
  return calls.map(({ op, input, id }, at) => {
    const typed = inputs[at];
    const item = indexes?.[at] ?? at;
    return {
      op,
      record: plannedRecord({ item, is: 'planned', id, op: op.id, input }),
      ...(typed !== undefined && subjectOf(typed, { op, input, id }, session.io.platform)),
    };
  });
}

async function begin(
  session: Session,
  command: Command,
  steps: readonly Step[],
  input: ManualInput,
  { source }: Many,
): Promise<OpenJob | undefined> {
  if (!keepsJournal(session)) return undefined;
  const words = [input.groupPath, command.name].filter(Boolean).join(' ');
  const requests = steps.map(({ op, record }) => ({ op, input: record.plan.input, id: record.plan.id }));
  const facts = factsOf(session, words, requests, source === undefined ? {} : { source });
  return createJob(session.io, new JobFolder(session.io), facts, steps, input.options.again === true);
}
