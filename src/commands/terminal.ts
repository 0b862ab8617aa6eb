import type { Io } from '../io.js';
import type { Globals } from './globals.js';

/** What a terminal allows. CI counts as no terminal: never a prompt, never colour, never progress. */

export function isCi({ env }: Pick<Io, 'env'>): boolean {
  return env.CI !== undefined && !['', 'false', '0'].includes(env.CI);
}

/** Prompts need a terminal on both sides, and leave from flag and CI. */
export function isInteractive(io: Io, globals: Globals): boolean {
  return globals.input !== false && !isCi(io) && io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Whether a stream gets colour: a terminal, and nobody said no. */
export function hasColor(io: Io, globals: Pick<Globals, 'color'>, stream: 'stdout' | 'stderr'): boolean {
  const { NO_COLOR, TERM } = io.env;
  if (globals.color === false || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  return io[stream].isTTY === true && TERM !== 'dumb' && !isCi(io);
}
