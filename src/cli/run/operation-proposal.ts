import type { Client } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pluralOf } from '../../base/name.js';
import { shellWord } from '../../base/shell-word.js';
import type { Change } from '../../jobs/change.js';
import { type JobItem, jobItem } from '../../jobs/journal.js';
import { rulesOf } from '../../jobs/rule-book.js';
import type { View } from '../../output/printer.js';
import { untilText } from '../../output/text.js';
import type { Command, ManualInput } from '../declare/command.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { statusOf } from '../declare/told.js';
import type { Assembled } from './assemble.js';
import { answerOf, beginChange, carryOut } from './carry-out.js';
import { noteSaid, tellsSentence } from './output.js';
import type { Proposal, Question, Sent } from './proposal.js';
import { subjectsOf } from './view.js';

/** What a command of an operation proposes: one change, or many of one kind, those of `docs bulk` too. */

/** A change of more items than this is confirmed, whatever it does. */
const manyItems = 20;

/** A change that a row of a file asks for. */
export interface AskedChange {
  /** The index of the row. */
  index: number;
  call: Change;
  input: ManualInput;
}

/** Where many changes come from: of rows, what each asks for. */
interface Many extends Pick<Proposal, 'source' | 'leftOut'> {
  asked?: readonly AskedChange[];
}

/**
 * Changes what a command comes to, as `carryOut`.
 * @returns the answer to a single change; undefined for plans, previews and many items
 */
export async function changeByOperation(
  session: Session,
  command: Command,
  { calls, many }: Assembled,
  input: ManualInput,
  more: Many = {},
): Promise<unknown> {
  const proposal = operationProposal(session, command, calls, input, more);
  const [first] = calls;
  if (many || first === undefined) {
    await beginChange(session, { results: {} });
    const done = (sent: Sent) => noteChanged(session, command, calls, { input, sent });
    return carryOut(session, input, { ...proposal, done });
  }
  if (session.savePlan === undefined) await session.printer.check(await shownAs(command, first.op));
  const done = (sent: Sent) => printChanged(session, command, first, { input, sent });
  return carryOut(session, input, { ...proposal, isSingle: true, done });
}

/** The changes of a command, without what is said once they are made. */
export function operationProposal(
  session: Session,
  command: Command,
  calls: readonly Change[],
  input: ManualInput,
  { asked = [], ...more }: Many = {},
): Proposal<unknown> {
  const { name, danger } = command;
  const { platform } = session.io;
  const subjects = subjectsOf(command, input, platform);
  const steps = calls.map((call, at): JobItem => {
    const { index = at, input: own } = asked[at] ?? {};
    const subject = own === undefined ? subjects(call) : subjectsOf(command, own, platform)(call);
    return { ...jobItem(call, index), subject };
  });
  return {
    ...more,
    command: [input.groupPath, name].filter(Boolean).join(' '),
    steps,
    by: command,
    question: {
      what: changeText(command, input, calls, 'ask'),
      isChosen: input.chosen !== undefined,
      ...howGrave(danger, calls.length),
    },
    titles: Object.assign({}, input.titles, ...asked.map((one) => one.input.titles)),
  };
}

/** What is easily mended is asked about only where it is much of it. */
export function howGrave(danger: Command['danger'], count: number): Pick<Question, 'isGrave' | 'typed'> {
  const isHarmless = danger === 'read' || danger === 'change';
  const isGrave = count > 0 && (!isHarmless || count > manyItems);
  if (count > 1) return { isGrave, typed: isHarmless ? undefined : count };
  return { isGrave, typed: danger === 'type-title' ? 'title' : undefined };
}

/** What was changed. */
interface Changed {
  input: ManualInput;
  sent: Sent;
}

/** Prints the answer to a single change. @returns it @throws DocsError why it was refused */
async function printChanged(
  session: Session,
  command: Command,
  call: Change,
  { input, sent: { result } }: Changed,
): Promise<unknown> {
  const { printer } = session;
  const answer = answerOf(result);
  const status = statusOf(command, call.op);
  if (tellsSentence(session, input)) {
    // What was refused in an answer has its error.
    if (result?.status === 'ok') {
      const [rules, { saidOf }] = await Promise.all([rulesOf([call.op]), import('./sentence.js')]);
      const rule = rules.ruleOf(call.op);
      const { text, contradictions } = saidOf({ command, input, call, rule, ...result });
      await printer.done({ id: call.id, status }, text);
      for (const line of contradictions) printer.warn(line);
    }
  } else if (call.op.returns.kind === 'none') {
    await printer.done({ id: call.id, status }, `${changeText(command, input, [call], 'done')}.`);
  } else {
    await printer.one(answer, await shownAs(command, call.op));
  }
  await noteRestore(session, await session.client(), [call], undefined);
  return answer;
}

/** How the answer of an operation is shown; nothing of the schemas is loaded where a record has it. */
async function shownAs(command: Command, op: AnyOperation): Promise<View> {
  const known = command.views?.[command.operations.indexOf(op)];
  return known ?? (await import('../declare/shown.js')).viewOf(command, op);
}

/** Says how many items were changed, and how to undo it. */
async function noteChanged(
  session: Session,
  command: Command,
  calls: readonly Change[],
  { input, sent: { job } }: Changed,
): Promise<void> {
  const [first] = calls;
  if (first === undefined) {
    session.printer.note('No items; nothing was sent.');
    return;
  }
  const [{ forecastOf }, { doneWord, saidOf }, rules] = await Promise.all([
    import('../../jobs/outlook.js'),
    import('./sentence.js'),
    rulesOf([first.op]),
  ]);
  const rule = rules.ruleOf(first.op);
  const undoable = calls.some(({ op, input: sent }) => forecastOf(op, sent, undefined).undo !== 'none');
  const undo = job !== undefined && undoable ? undoSentence(session, job) : '';
  const { length } = calls;
  const { text } = saidOf({ command, input, call: first, rule, count: length });
  const plain = `${length} ${length === 1 ? 'item' : 'items'} ${doneWord(command, first, rule)}`;
  await noteSaid(session, `${plain}.${undo}`, `${text}.${undo}`);
  await noteRestore(session, await session.client(), calls, job);
}

/** How to undo a job, after a sentence; nothing in a rehearsal, whose jobs are gone with it. */
export function undoSentence({ globals, io, settings }: Session, job: string): string {
  if (settings.rehearsal !== undefined) return '';
  return ` To undo, run ${atPlace(`docs undo ${job}`, globals, io.platform)}.`;
}

/** Notes the command that restores what was deleted, alone or by a job, and until when it can. */
export async function noteRestore(
  { io, printer, globals, settings }: Session,
  client: Client,
  calls: readonly Pick<Change, 'op' | 'id'>[],
  job: string | undefined,
): Promise<void> {
  const [first] = calls;
  if (first === undefined) return;
  const rules = await rulesOf([first.op]);
  const { withinMs, restoredBy } = rules.ruleOf(first.op);
  if (withinMs === undefined || settings.rehearsal !== undefined) return;
  const until = untilText(withinMs, { platformMs: client.platformNowMs, ownMs: io.now() });
  const here = (command: string) => atPlace(command, globals, io.platform);
  const one = here(`${restoredBy} ${shellWord(first.id, io.platform)}`);
  if (calls.length === 1) printer.note(`${one} brings it back until ${until}.`);
  else if (job !== undefined) printer.note(`${here(`docs undo ${job}`)} brings them back until ${until}.`);
}

/** `Delete space s1` in a question, `Deleted space s1` after; with the title that was typed: `Handbook (s1)`. */
function changeText(
  command: Command,
  { group, titles }: Pick<ManualInput, 'group' | 'titles'>,
  calls: readonly Change[],
  when: 'ask' | 'done',
): string {
  const noun = group?.noun ?? 'item';
  const id = calls[0]?.id ?? '';
  const title = titles?.[id];
  const one = title === undefined || title === id ? id : `${title} (${id})`;
  const what = calls.length === 1 ? `${noun} ${one}` : `${calls.length} ${pluralOf(noun)}`;
  const verb =
    when === 'ask' ? command.name.replaceAll('-', ' ') : statusOf(command, (calls[0] as Change).op);
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${what}`;
}
