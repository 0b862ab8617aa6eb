import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Change } from '../../jobs/change.js';
import { type ItemResult, type JobItem, jobItem, type Source } from '../../jobs/journal.js';

import { ruleOf } from '../../jobs/undo-rules.js';
import { untilText } from '../../output/text.js';
import type { Command, ManualInput } from '../declare/command.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { statusOf } from '../declare/traits.js';
import type { Assembled } from './assemble.js';
import { confirmChange, confirmLasting, previewGuarded, risksOf } from './confirm.js';
import { concurrencyOf } from './gather.js';
import { checkResults, type LeftOut, noteAlreadyDone } from './job-results.js';
import { noteSaid, tellsSentence } from './output.js';
import { sendListed, sendSteps } from './runner.js';
import type { ChangeMade } from './sentence.js';
import { changeText, subjectOf, viewOf } from './view.js';

/** The end of the pipeline for changes: each is sent as a job with a journal, a single one too. */

/**
 * Carries out what a command comes to: saves it as a plan, shows it, or asks, sends it as a job, and prints.
 * @returns the answer to a single change; undefined for plans, previews and many items
 * @throws DocsError as `planChanges`, `previewGuarded`, `confirmChange`, `changeOne`, `changeMany`
 */
export async function carryOut(
  session: Session,
  command: Command,
  { calls, many }: Assembled,
  input: ManualInput,
  more: Many = {},
): Promise<unknown> {
  const [first] = calls;
  if (session.savePlan !== undefined) return planChanges(session, command, calls, input, more);
  const isOne = !many && first !== undefined;
  if (isOne) await session.printer.check(viewOf(command, first.op));
  // An answer takes time, so --timeout then applies to each request, as it does in a job of many.
  const timeoutPerRequest = many || session.interactive;
  const client = () =>
    session.client({ timeoutPerRequest, ...(many && { connections: concurrencyOf(input) }) });
  if (session.globals.dryRun) return previewGuarded(session, client, command, calls, many);
  if (!isOne) await checkResults(session);
  const what = changeText(command, input, calls, 'ask');
  const isAsked = await confirmChange(session, client, command, calls, what);
  if (!isAsked && input.chosen !== undefined) await confirmLasting(session, calls, what);
  return isOne ? changeOne(session, command, first, input) : changeMany(session, command, calls, input, more);
}

/** Sends one change and prints its answer. @returns the answer */
async function changeOne(
  session: Session,
  command: Command,
  call: Change,
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
async function tell({ printer }: Session, made: ChangeMade): Promise<void> {
  const { saidOf } = await import('./sentence.js');
  const { text, contradictions } = saidOf(made);
  await printer.done({ id: made.call.id, status: statusOf(made.command, made.call.op) }, text);
  for (const line of contradictions) printer.warn(line);
}

/** Sends one change and prints nothing, for commands that print what it leads to. @returns the answer */
export async function sendOne(
  session: Session,
  command: Command,
  call: Change,
  input: ManualInput,
): Promise<unknown> {
  return answerOf(await sendItem(session, command, call, input));
}

async function sendItem(
  session: Session,
  command: Command,
  call: Change,
  input: ManualInput,
): Promise<ItemResult> {
  const client = await session.client();
  const step = stepFor(session, command, call, 0, input);
  const sending = { command: wordsOf(command, input), steps: [step], ...againOf(input) };
  return sendSteps(session, sending, { client, single: true }, async (run) => {
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
async function changeMany(
  session: Session,
  command: Command,
  calls: readonly Change[],
  input: ManualInput,
  { source, indexes, leftOut = [], inputs }: Many = {},
): Promise<void> {
  const steps = calls.map((call, at) =>
    stepFor(session, command, call, indexes?.[at] ?? at, inputs?.[at] ?? input),
  );
  const sending = { command: wordsOf(command, input), steps, ...againOf(input), source };
  const sent = await sendListed(session, input, sending, { leftOut, doing: 'Changing' });
  await noteDone(session, command, calls, { input, job: sent.job });
  noteRestore(session, sent.client, calls, sent.job);
}

/**
 * Makes a plan of changes instead of sending them. What a guard refuses is refused here, too; what it and a
 * confirmation would tell are the risks of the plan.
 * @throws DocsError as `cautionOf`, `savePlan`
 */
export async function planChanges(
  session: Session,
  command: Command,
  calls: readonly Change[],
  input: ManualInput,
  { inputs }: Pick<Many, 'inputs'> = {},
): Promise<void> {
  const { savePlan } = await import('./save-plan.js');
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
  calls: readonly Change[],
  { input, job }: { input: ManualInput; job: string | undefined },
): Promise<void> {
  const { printer } = session;
  const [first] = calls;
  if (first === undefined) {
    printer.note('No items; nothing was sent.');
    return;
  }
  const [{ forecasts }, { doneWord, saidOf }] = await Promise.all([
    import('../../jobs/outlook.js'),
    import('./sentence.js'),
  ]);
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
  calls: readonly Pick<Change, 'op' | 'id'>[],
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

function stepFor({ io }: Session, command: Command, call: Change, item: number, input: ManualInput): JobItem {
  return { ...jobItem(call, item), ...subjectOf(command, input, call, io.platform) };
}

function wordsOf({ name }: Command, { groupPath }: ManualInput): string {
  return [groupPath, name].filter(Boolean).join(' ');
}

function againOf({ options }: ManualInput): { again: boolean } {
  return { again: options.again === true };
}
