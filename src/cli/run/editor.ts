import { startChild } from '../../child-process.js';
import { notSent } from '../../errors.js';
import type { Io } from '../../io.js';
import { shellWords } from '../../shell-word.js';

/** The editor that a person has chosen for texts. */

/** `$VISUAL`, else `$EDITOR`, as it is written there; undefined where neither is set. */
export function editorOf({ env }: Pick<Io, 'env'>): string | undefined {
  return [env.VISUAL, env.EDITOR].find((value) => value !== undefined && value.trim() !== '');
}

/** Opens a file in the editor and waits until it is closed. @throws DocsError local-io `editor_failed` */
export async function editFile(io: Io, path: string): Promise<void> {
  const [program = '', ...args] = shellWords(editorOf(io) ?? '');
  const giveBack = io.lendTerminal?.();
  try {
    const child = startChild(io, program, [...args, path], { stdio: 'inherit', isUsers: true });
    const ended = await new Promise<number | string | null>((done) => {
      child.once('error', ({ message }) => done(message));
      child.once('exit', (code, signal) => done(code ?? signal));
    });
    if (ended === 0) return;
    const why = typeof ended === 'number' ? `it exited with code ${ended}` : String(ended);
    throw notSent('local-io', 'editor_failed', `The editor ${program} failed: ${why}. Nothing was sent.`, {
      hint: 'docs comments create --help',
    });
  } finally {
    giveBack?.();
  }
}
