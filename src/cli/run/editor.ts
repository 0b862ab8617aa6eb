import { startChild } from '../../child-process.js';
import { notSent } from '../../errors.js';
import type { Io } from '../../io.js';

/** The editor that a person has chosen for texts. */

/** `$VISUAL`, else `$EDITOR`, as it is written there; undefined where neither is set. */
export function editorOf({ env }: Pick<Io, 'env'>): string | undefined {
  return [env.VISUAL, env.EDITOR].find((value) => value !== undefined && value.trim() !== '');
}

/** The editor that every system has, for those who chose none. */
export function plainEditor({ platform }: Pick<Io, 'platform'>): string {
  return platform === 'win32' ? 'notepad' : 'vi';
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
  try {
    const ended = await runEditor(io, editor, path);
    if (ended === 0) return;
    const why =
      ended === notFound
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

/** What the shell exits with where it finds no such program. */
const notFound = 127;

/** As git does it: the shell reads the editor's own flags and variables, as in `code --wait`. */
function runEditor(io: Io, editor: string, path: string): Promise<number | string | null> {
  const isWindows = io.platform === 'win32';
  const [program, args] = isWindows
    ? (['cmd', ['/d', '/s', '/c', `"${editor} "${path}""`]] as const)
    : (['sh', ['-c', `${editor} "$1"`, 'sh', path]] as const);
  const verbatim = isWindows && { windowsVerbatimArguments: true };
  const child = startChild(io, program, args, { stdio: 'inherit', isUsers: true, ...verbatim });
  return new Promise((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', (code, signal) => done(code ?? signal));
  });
}
