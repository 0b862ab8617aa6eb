import type { StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runChild, startChild } from '../../base/child-process.js';
import { DocsError, localIoError, notSent, onDisk, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { isAlive } from '../../base/lock.js';
import { makeFolders } from '../../base/own-files.js';
import { commandLine } from '../../base/shell-word.js';
import { decodeText } from '../../base/text-encoding.js';
import { writeFileAtomically } from '../../base/write-file.js';
import { safeLine } from '../../output/text.js';
import { stateFolder } from '../../settings/paths.js';
import type { Option } from '../declare/command.js';
import type { KeptText, Session } from '../declare/session.js';
import { askToGoOn } from '../resolve/prompts.js';

/** Texts from an editor: opened with what is there, and sent only where something was written. */

interface Asked {
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
  const instead = `Pass --${option.name} ${option.longText ? '@file, or - for standard input,' : option.value} instead.`;
  await editFile(io, draft.path, { hint: `EDITOR=nano ${lineOf(session)}`, instead });
  const text = await draft.read();
  if (text === '') {
    await draft.remove();
    throw usageError('empty_text', 'the text is empty; nothing was sent');
  }
  await draft.write(`${text}\n`);
  if (leftover === undefined && !(await draft.keep())) {
    printer.note('The text was not changed, so nothing was sent.');
    throw new LeftAsItWas();
  }
  if (text === leftover) await askToGoOn(session, 'The text is as it was kept. Go on with it?', 'sent');
  return text;
}

function notesFor(session: Session, { command, option, before, notes = [] }: Asked): string[] {
  const what = option.variadic ? `Values of --${option.name}, one on a line` : `--${option.name}`;
  const verb = before === '' ? '' : ' Save it unchanged to change nothing.';
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
  return commandLine(line, io.platform);
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
  const { next = [] } = cause.failure;
  return cause.changed({ next: [{ command: lineOf(session), when: 'to go on with your text' }, ...next] });
}

function keptNote(session: Session, path: string): string {
  return `Your text is in ${path}; "${lineOf(session)}" opens it again.`;
}

/**
 * Texts that somebody writes in an editor. Each is a file that only its owner reads, in the state folder, and is
 * removed once what it says has been done. Whatever ends the command before, even a kill, leaves the file, and the
 * next editor for the same thing opens with it.
 */

/** What a text is for. */
interface DraftOf {
  /** The words of the command: `comments create`. */
  command: string;
  /** What tells it from others of that command: platform, ids. */
  about: unknown;
  suffix: '.md' | '.txt';
}

/** The folder of all of them; made where it is missing. @throws DocsError local-io */
export async function draftsFolder(io: Io): Promise<string> {
  const folder = join(stateFolder(io), 'drafts');
  await onDisk(`cannot write ${folder}; nothing was changed`, async () => makeFolders(folder, 0o700));
  return folder;
}

/** Below this line everything is ignored; a comment in Markdown, so that editors show it as one. */
const marker = '<!-- ------------------------ >8 ------------------------';
const ignored = 'Everything from the line above on is ignored.';

/** A text, and below it what somebody who writes it should know. */
function withNotes(text: string, notes: readonly string[]): string {
  const lines = [ignored, ...notes].map((line) => line.replaceAll('-->', '-- >'));
  return [text, '', marker, ...lines, '-->', ''].join('\n');
}

/** What was written above the notes: lines that end as on every system, and neither begin nor end with empty ones. */
function withoutNotes(written: string): string {
  const text = written.replaceAll(/\r\n?/g, '\n');
  const ends = [`\n${marker}`, `\n${ignored}`].map((line) => `\n${text}`.lastIndexOf(line));
  const end = ends.find((at) => at >= 0) ?? text.length;
  return text
    .slice(0, Math.max(0, end))
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

class Draft implements KeptText {
  readonly path: string;
  /** What an earlier command left of the same text. */
  readonly leftover: string | undefined;
  /** What it was opened with: nothing is lost with it. */
  #opened = '';

  private constructor(path: string, leftover: string | undefined) {
    this.path = path;
    this.leftover = leftover;
  }

  /** Takes what was left of the same text, or makes a new file. @throws DocsError local-io */
  static async begin(io: Io, of: DraftOf): Promise<Draft> {
    const folder = await draftsFolder(io);
    const hash = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12);
    const stem = join(folder, `${of.command.replaceAll(' ', '-')}-${hash}`);
    const path = `${stem}-${process.pid}${of.suffix}`;
    const left = await claim(stem, of.suffix, path);
    const text = left === undefined ? undefined : withoutNotes(left);
    return new Draft(path, text === '' ? undefined : text);
  }

  /** @param opened what somebody has elsewhere as well, which is not worth keeping */
  async write(text: string, opened?: string): Promise<void> {
    if (opened !== undefined) this.#opened = withoutNotes(opened);
    await writeFileAtomically(this.path, text);
  }

  /** What was written, as UTF-8 unless a byte order mark says otherwise. @throws DocsError local-io; usage `bad_encoding` */
  async read(): Promise<string> {
    const doing = `cannot read the edited text ${this.path}; nothing was changed`;
    const bytes = await onDisk(doing, () => fs.readFile(this.path));
    return withoutNotes(decodeText(bytes, this.path));
  }

  async keep(): Promise<boolean> {
    const bytes = await fs.readFile(this.path).catch(() => undefined);
    const text = bytes === undefined ? '' : withoutNotes(bytes.toString('utf8'));
    if (text !== '' && text !== this.#opened) return true;
    await this.remove();
    return false;
  }

  remove(): Promise<void> {
    return fs.rm(this.path, { force: true });
  }
}

/** Renames the newest file that no running process writes, so that of two commands only one takes it. */
async function claim(stem: string, suffix: string, path: string): Promise<string | undefined> {
  const folder = join(stem, '..');
  const names = (await fs.readdir(folder)).map((name) => join(folder, name));
  const own = names.filter((name) => name.startsWith(`${stem}-`) && name.endsWith(suffix));
  const left = own.filter((name) => {
    const pid = Number(name.slice(stem.length + 1, -suffix.length));
    return pid === process.pid || !isAlive(pid);
  });
  const dated = await Promise.all(
    left.map(async (name) => ({ name, at: (await fs.stat(name).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  for (const { name } of dated.sort((a, b) => b.at - a.at)) {
    try {
      if (name !== path) await fs.rename(name, path);
      return await fs.readFile(path, 'utf8');
    } catch (cause) {
      if (systemCode(cause) !== 'ENOENT') throw localIoError(cause, `cannot read the kept text ${name}`);
    }
  }
  return undefined;
}

/** The editor that a person has chosen for texts. */

/** `$VISUAL`, else `$EDITOR`, as it is written there; undefined where neither is set. */
export function editorOf({ env }: Pick<Io, 'env'>): string | undefined {
  return [env.VISUAL, env.EDITOR].find((value) => value !== undefined && value.trim() !== '');
}

/** For those who chose none: nano, which tells on its screen how to leave it; vi, which every system has, if need be. */
export function plainEditor({ platform, env }: Pick<Io, 'platform' | 'env'>): string {
  if (platform === 'win32') return 'notepad';
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, 'nano'))) ? 'nano' : 'vi';
}

/**
 * Opens a file in the editor and waits until it is closed.
 * @param otherwise.hint the command to run next where the editor fails
 * @param otherwise.instead how to do without an editor, as a sentence
 * @throws DocsError local-io `editor_failed`; forbidden `policy_denied`
 */
export async function editFile(
  io: Io,
  path: string,
  { hint, instead }: { hint: string; instead: string },
  editor = editorOf(io) ?? plainEditor(io),
): Promise<void> {
  await io.guard?.program(`the editor ${editor}`, instead);
  const giveBack = io.lendTerminal?.();
  const modes = await terminalModes(io);
  try {
    const ended = await runEditor(io, editor, path);
    if (ended === 0) return;
    // It may have been killed before it could tidy up.
    await modes?.restore();
    if (ended === 'SIGINT' || ended === interrupted)
      throw notSent('interrupted', 'interrupted', 'interrupted; nothing was sent');
    const why = notFound.includes(ended)
      ? 'it was not found'
      : typeof ended === 'number'
        ? `it exited with code ${ended}`
        : String(ended);
    throw notSent('local-io', 'editor_failed', `the editor ${editor} failed: ${why}. Nothing was sent.`, {
      hint,
    });
  } finally {
    giveBack?.();
  }
}

/** What sh and cmd exit with where they find no such program, and sh where Ctrl-C ended the program. */
const notFound: readonly unknown[] = [127, 9009];
const interrupted = 130;

/** How the terminal is set, to be set so again; undefined where there is no `stty`. */
async function terminalModes(io: Io): Promise<{ restore: () => Promise<unknown> } | undefined> {
  if (io.platform === 'win32' || io.stdin.isTTY !== true) return undefined;
  const saved = (await stty(io, ['-g'])).trim();
  return /^[\w:=]+$/.test(saved) ? { restore: () => stty(io, [saved]) } : undefined;
}

async function stty(io: Io, args: readonly string[]): Promise<string> {
  const ended = await runChild(io, 'stty', args, { stdin: 'inherit' }).catch(() => undefined);
  return ended?.stdout.toString('utf8') ?? '';
}

/** Whether the shell can become the editor, so that Ctrl-C, which is for the editor, does not end the shell. */
function isPlain(editor: string): boolean {
  return !/[|&;<>()\n]|^\s*\w+=/.test(editor);
}

/**
 * What cmd is given: all of it in quotation marks, which `/s` takes away. A path with spaces needs no more, since it
 * names a file as it stands, as in `C:\Program Files\Vim\gvim.exe`.
 */
export function windowsLine(editor: string, path: string, isFile: (path: string) => boolean = existsSync) {
  const isPath = /\s/.test(editor) && !editor.includes('"') && isFile(editor);
  return `"${isPath ? `"${editor}"` : editor} "${path}""`;
}

/** As git does it: the shell reads the editor's own flags and variables, as in `code --wait`. */
function runEditor(io: Io, editor: string, path: string): Promise<number | string | null> {
  const isWindows = io.platform === 'win32';
  const [program, args] = isWindows
    ? (['cmd', ['/d', '/s', '/c', windowsLine(editor, path)]] as const)
    : (['sh', ['-c', `${isPlain(editor) ? 'exec ' : ''}${editor} "$1"`, 'sh', path]] as const);
  const verbatim = isWindows && { windowsVerbatimArguments: true };
  // A standard output that is a pipe is for the result.
  const screen = io.stdout.isTTY === true ? 'inherit' : 2;
  const stdio: StdioOptions = ['inherit', screen, 'inherit'];
  const child = startChild(io, program, args, { stdio, ...verbatim });
  return new Promise((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', (code, signal) => done(code ?? signal));
  });
}
