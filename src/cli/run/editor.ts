import type { StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startChild } from '../../base/child-process.js';
import { notSent } from '../../base/errors.js';
import type { Io } from '../../base/io.js';

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
 * @param hint the command to run next where the editor fails
 * @throws DocsError local-io `editor_failed`
 */
export async function editFile(
  io: Io,
  path: string,
  hint: string,
  editor = editorOf(io) ?? plainEditor(io),
): Promise<void> {
  const giveBack = io.lendTerminal?.();
  const modes = await terminalModes(io);
  try {
    const ended = await runEditor(io, editor, path);
    if (ended === 0) return;
    // It may have been killed before it could tidy up.
    await modes?.restore();
    if (ended === 'SIGINT' || ended === interrupted)
      throw notSent('interrupted', 'interrupted', 'Interrupted; nothing was sent.');
    const why = notFound.includes(ended)
      ? 'it was not found'
      : typeof ended === 'number'
        ? `it exited with code ${ended}`
        : String(ended);
    throw notSent('local-io', 'editor_failed', `The editor ${editor} failed: ${why}. Nothing was sent.`, {
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

function stty(io: Io, args: readonly string[]): Promise<string> {
  const child = startChild(io, 'stty', args, { stdio: ['inherit', 'pipe', 'ignore'] });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return new Promise((done) => {
    child.once('error', () => done(''));
    child.once('close', () => done(printed));
  });
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
  const child = startChild(io, program, args, { stdio, isUsers: true, ...verbatim });
  return new Promise((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', (code, signal) => done(code ?? signal));
  });
}
