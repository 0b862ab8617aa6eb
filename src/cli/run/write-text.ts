import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { safeLine } from '../../output/text.js';
import type { Option } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { askYes } from '../resolve/prompts.js';
import { Draft, emptyText, withNotes } from './drafts.js';
import { editFile, editorOf, plainEditor } from './editor.js';

/** Texts from an editor: opened with what is there, and sent only where something was written. */

export interface Asked {
  /** The words of the command: `comments create`. */
  command: string;
  option: Option;
  /** What tells the text from others of that command: ids. */
  about: unknown;
  /** What it is now, or what was typed; '' where it is new. */
  before: string;
  /** Further lines below the text. */
  notes?: readonly string[];
}

/** The text was saved as it was opened: the command ends without an error, and the person knows. */
export class LeftAsItWas extends Error {}

/**
 * Has a text written in the editor. It is kept in a file until the command has succeeded (`settleDrafts`).
 * @returns the text without empty lines around it
 * @throws LeftAsItWas; DocsError usage `empty_text`; local-io `editor_failed`, or where the text cannot be read
 */
export async function writeText(session: Session, asked: Asked): Promise<string> {
  const { io, printer, settings } = session;
  const { command, option, about, before } = asked;
  const place = [settings.baseUrl?.value, settings.org?.value, settings.space?.value];
  const suffix = option.variadic ? '.txt' : '.md';
  const draft = await Draft.begin(io, { command, about: [place, option.name, about], suffix });
  session.drafts?.push(draft);
  const { leftover } = draft;
  if (leftover !== undefined) printer.note('The editor opens with your text that was not sent.');
  await draft.write(withNotes(leftover ?? before, notesFor(session, asked)), before);
  tellHowToLeave(session);
  await editFile(io, draft.path, `EDITOR=nano ${lineOf(session)}`);
  const text = await draft.read();
  if (text === '') {
    await draft.remove();
    throw emptyText();
  }
  await draft.write(`${text}\n`);
  if (leftover === undefined && !(await draft.keep())) {
    printer.note('The text was not changed, so nothing was sent.');
    throw new LeftAsItWas();
  }
  if (text === leftover && !(await askYes(session, 'The text is as it was kept. Go on with it?')))
    throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
  return text;
}

function notesFor(session: Session, { command, option, before, notes = [] }: Asked): string[] {
  const what = option.variadic ? `Values of --${option.name}, one on a line` : `--${option.name}`;
  const verb = before === '' ? '' : ' Save it as it is to change nothing.';
  return [
    `${what}, for docs ${command}.`,
    `An empty text cancels.${verb}`,
    ...notes,
    safeLine(lineOf(session)),
  ];
}

/** Nobody should be trapped in an editor that they did not choose. */
function tellHowToLeave({ io, printer }: Session): void {
  if (editorOf(io) === undefined && plainEditor(io) === 'vi')
    printer.note(
      'This opens vi: Esc and :wq saves the text, Esc and :cq cancels. $EDITOR names another editor.',
    );
}

/** The command line, to be typed again. */
function lineOf({ io, line }: Session): string {
  return ['docs', ...line.map((word) => shellWord(word, io.platform))].join(' ');
}

/** After the command: texts that were sent are removed. */
export async function settleDrafts(session: Session): Promise<void> {
  const { drafts = [], globals } = session;
  for (const draft of drafts) {
    if (globals.dryRun !== true) await draft.remove();
    else if (await draft.keep()) session.printer.note(keptNote(session, draft.path));
  }
}

/** After a failure: texts stay where they say something new. @returns the failure, with the way to go on */
export async function keepDrafts(session: Session, cause: unknown): Promise<unknown> {
  const kept: string[] = [];
  for (const draft of session.drafts ?? []) if (await draft.keep()) kept.push(draft.path);
  for (const path of kept) session.printer.warn(keptNote(session, path));
  if (kept.length === 0 || !(cause instanceof DocsError)) return cause;
  const { kind, code, message, failure } = cause;
  const next = [{ command: lineOf(session), when: 'to go on with your text' }, ...(failure.next ?? [])];
  return new DocsError(kind, code, message, { ...failure, next });
}

function keptNote(session: Session, path: string): string {
  return `Your text is in ${path}; "${lineOf(session)}" opens it again.`;
}
