import { markedText } from '../../output/check-mark.js';
import { writeStandardError } from '../../output/standard-error.js';
import { colorLevel } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Notes what was done, after its results: with the mark in green where there are colours. Not with `--quiet`. */
export async function noteChecked({ io, globals }: Session, text: string): Promise<void> {
  if (globals.quiet === true) return;
  writeStandardError(io, await markedText(text, io.stderr, colorLevel(io, globals, 'stderr')));
}
