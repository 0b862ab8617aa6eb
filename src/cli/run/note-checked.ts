import { markedText, withMark } from '../../output/messages.js';
import { colorLevel, writeStandardError } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Notes about what was done, after its results. */

/**
 * Says what was done: on a terminal with the check mark, elsewhere as a plain note. Not with `--quiet`.
 * @param onTerminal where a person reads it, if that differs
 */
export async function noteSaid(
  { io, globals, printer }: Session,
  sentence: string,
  onTerminal = sentence,
): Promise<void> {
  if (io.stdout.isTTY !== true) return printer.note(sentence);
  if (globals.quiet === true) return;
  const text = await markedText(withMark(onTerminal), io.stderr, colorLevel(io, globals, 'stderr'));
  writeStandardError(io, text);
}
