import type { Client } from '../../api/client.js';
import { defined } from '../../defined.js';
import { DocsError } from '../../errors.js';
import type { Source } from '../../jobs/journal.js';
import { forecasts } from '../../jobs/outlook.js';
import { type ItemResult, type Step, stepOf } from '../../jobs/step.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { untilText } from '../../output/age.js';
import { shellWord } from '../../settings/shell-word.js';
import type { Command, ManualInput } from '../declare/command.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';
import { statusOf } from '../declare/traits.js';
import type { PlannedCall } from './assemble.js';
import { subjectOf } from './error-subject.js';
import { concurrencyOf } from './gather.js';
import { type LeftOut, noteAlreadyDone, printResults } from './job-results.js';
import { noteSaid } from './note-checked.js';
import { doneWord, saidOf } from './said.js';
import { beginJob, runJob } from './session-job.js';
import { tellsSentence } from './tells.js';
import { viewOf } from './view.js';
import { changeText } from './wording.js';

/** The end of the pipeline for changes: each is sent as a job with a journal, a single one too. */

/** Sends one change and prints its answer. @returns the answer */
export async function changeOne(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<unknown> {
  const result = await sendItem(session, command, call, input);
  const answer = answerOf(result);
  if (tellsSentence(session, input)) {
    // What was refused in an answer has its error.
    if (result.status === 'ok') await tell(session, { command, input, call, ...result });
  } else if (call.op.returns.kind === 'none') {
    const status = statusOf(command, call.op);
    await session.printer.done({ id: call.id, status }, `${changeText(command, input, [call], 'done')}.`);
  } else {
    await session.printer.one(answer, viewOf(command, call.op));
  }
  noteRestore(session, await session.client(), [call], undefined);
  return answer;
}

/** Says what was changed, and where the answer contradicts what was sent. */
async function tell({ printer }: Session, made: Parameters<typeof saidOf>[0]): Promise<void> {
  const { text, contradictions } = saidOf(made);
  await printer.done({ id: made.call.id, status: statusOf(made.command, made.call.op) }, text);
  for (const line of contradictions) printer.warn(line);
}

/** Sends one change and prints nothing, for commands that print what it leads to. @returns the answer */
export async function sendOne(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<unknown> {
  return answerOf(await sendItem(session, command, call, input));
}

async function sendItem(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<ItemResult> {
  const client = await session.client();
  const step = stepFor(session, command, call, 0, input);
  const job = await beginJob(session, wordsOf(command, input), [step], againOf(input));
  const parts = { client, steps: [step], concurrency: 1, failFast: false, single: true };
  return runJob(session, job, parts, async (run) => {
    const result = await run.item(step);
    if (run.journalFailure !== undefined && result.status === 'ok')
      session.printer.warn(
        `The change was made but not recorded in the journal. ${run.journalFailure.message}`,
      );
    noteAlreadyDone(session, run);
    return result;
  });
}

/** The answer of a change that was not refused. @throws DocsError why it was, or `interrupted` */
function answerOf({ status, answer, failure }: ItemResult): unknown {
  if (status === 'ok' || answer !== undefined) return answer;
  if (failure !== undefined) throw failure;
  throw new DocsError('interrupted', 'interrupted', 'Interrupted; nothing was sent.', {
    outcome: 'not-sent',
  });
}

/** Where many changes come from. */
export interface Many {
  source?: Source;
  /** The index of each call among all rows, where some rows are left out. */
  indexes?: readonly number[];
  leftOut?: readonly LeftOut[];
  /** The input of each call, where it differs from call to call. */
  inputs?: readonly ManualInput[];
}

/** Sends many changes and prints one result each, in input order. @throws as `printResults`, `createJob` */
export async function changeMany(
  session: Session,
  command: Command,
  calls: readonly PlannedCall[],
  input: ManualInput,
  { source, indexes, leftOut = [], inputs }: Many = {},
): Promise<void> {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const steps = calls.map((call, at) =>
    stepFor(session, command, call, indexes?.[at] ?? at, inputs?.[at] ?? input),
  );
  const facts = { ...againOf(input), ...defined({ source }) };
  const job = steps.length === 0 ? undefined : await beginJob(session, wordsOf(command, input), steps, facts);
  const parts = { client, steps, concurrency, failFast: input.options.failFast === true };
  await runJob(session, job, parts, (run) =>
    printResults(session, run, { job: job?.job, leftOut, doing: 'Changing' }),
  );
  await noteDone(session, command, calls, { input, job: job?.job });
  noteRestore(session, client, calls, job?.job);
}

/**
 * Makes a plan of changes instead of sending them. What a guard refuses is refused here, too; what it and a
 * confirmation would tell are the risks of the plan.
 * @throws DocsError as `cautionOf`, `savePlan`
 */
export async function planChanges(
  session: Session,
  command: Command,
  calls: readonly PlannedCall[],
  input: ManualInput,
  { inputs }: Pick<Many, 'inputs'> = {},
): Promise<void> {
  const [{ risksOf }, { savePlan }] = await Promise.all([import('./confirm.js'), import('./save-plan.js')]);
  const client = () => session.client({ connections: concurrencyOf(input), timeoutPerRequest: true });
  const { risks, impact } = await risksOf(session, client, command, calls);
  const steps = calls.map((call, at) => stepFor(session, command, call, at, inputs?.[at] ?? input));
  const titles = Object.assign({}, input.titles, ...(inputs ?? []).map((one) => one.titles));
  await savePlan(session, { command: wordsOf(command, input), steps, risks, titles, impact });
}

/** How to undo a job, after a sentence; nothing in a rehearsal, whose jobs are gone with it. */
export function undoSentence({ globals, io, settings }: Session, job: string): string {
  if (settings.rehearsal !== undefined) return '';
  return ` To undo, run ${atPlace(`docs undo ${job}`, globals, io.platform)}.`;
}

async function noteDone(
  session: Session,
  command: Command,
  calls: readonly PlannedCall[],
  { input, job }: { input: ManualInput; job: string | undefined },
): Promise<void> {
  const { printer } = session;
  const [first] = calls;
  if (first === undefined) {
    printer.note('No items; nothing was sent.');
    return;
  }
  const undoable = forecasts(calls).some(({ undo }) => undo !== 'none');
  const undo = job !== undefined && undoable ? undoSentence(session, job) : '';
  const { length } = calls;
  const { text } = saidOf({ command, input, call: first, count: length });
  const plain = `${length} ${length === 1 ? 'item' : 'items'} ${doneWord(command, first)}`;
  await noteSaid(session, `${plain}.${undo}`, `${text}.${undo}`);
}

/** Notes the command that restores what was deleted, alone or by a job, and until when it can. */
export function noteRestore(
  { io, printer, globals, settings }: Session,
  client: Client,
  calls: readonly Pick<PlannedCall, 'op' | 'id'>[],
  job: string | undefined,
): void {
  const [first] = calls;
  const { withinMs, restoredBy } = first === undefined ? {} : ruleOf(first.op);
  if (first === undefined || withinMs === undefined || settings.rehearsal !== undefined) return;
  const until = untilText(withinMs, { platformMs: client.platformNowMs, ownMs: io.now() });
  const here = (command: string) => atPlace(command, globals, io.platform);
  const one = here(`${restoredBy} ${shellWord(first.id, io.platform)}`);
  if (calls.length === 1) printer.note(`${one} brings it back until ${until}.`);
  else if (job !== undefined) printer.note(`${here(`docs undo ${job}`)} brings them back until ${until}.`);
}

function stepFor(
  { io }: Session,
  command: Command,
  call: PlannedCall,
  item: number,
  input: ManualInput,
): Step {
  const { flags } = call;
  return { ...stepOf(call, item, defined({ flags })), ...subjectOf(command, input, call, io.platform) };
}

function wordsOf({ name }: Command, { groupPath }: ManualInput): string {
  return [groupPath, name].filter(Boolean).join(' ');
}

function againOf({ options }: ManualInput): { again: boolean } {
  return { again: options.again === true };
}
