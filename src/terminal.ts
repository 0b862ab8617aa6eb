import type { Io } from './io.js';

/** What a terminal allows. CI counts as no terminal: never a prompt, never colour, never progress. */

/** Whether the run is one of CI: `CI` is set to anything but nothing, `0` or `false`. */
export function isCi({ env }: Pick<Io, 'env'>): boolean {
  return env.CI !== undefined && !['', 'false', '0'].includes(env.CI);
}

/** Prompts need a terminal on both sides, and leave from flag (`--no-input`) and CI. */
export function isInteractive(io: Io, { input }: { input?: boolean }): boolean {
  return input !== false && !isCi(io) && io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Whether a stream gets colour: a terminal, and nobody said no. */
export function hasColor(io: Io, { color }: { color?: boolean }, stream: 'stdout' | 'stderr'): boolean {
  const { NO_COLOR, TERM } = io.env;
  if (color === false || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  return io[stream].isTTY === true && TERM !== 'dumb' && !isCi(io);
}
