import type { ChalkInstance } from 'chalk';
import { type Painter, plain } from '../../output/colors.js';

/** How help looks: the width of the window, and colours by meaning. */
export interface HelpLook {
  width: number;
  heading: Painter;
  /** Names of commands and flags. */
  name: Painter;
  /** Required flags. */
  required: Painter;
  /** Secondary text, such as the comment of an example. */
  quiet: Painter;
  /** An HTTP method: reads, changes and deletions differ. */
  method: Painter;
}

/** The narrowest and the widest layout of help, in columns. */
const narrowest = 40;
const widest = 140;

/**
 * @param columns of the terminal; undefined where the stream is not one
 * @param chalk undefined for help without colour
 */
export function helpLook(columns: number | undefined, chalk?: ChalkInstance): HelpLook {
  const width = Math.min(widest, Math.max(narrowest, columns || 80));
  if (chalk === undefined) {
    return { width, heading: plain, name: plain, required: plain, quiet: plain, method: plain };
  }
  const methods: Readonly<Record<string, Painter>> = { GET: chalk.green, DELETE: chalk.red };
  return {
    width,
    heading: chalk.bold,
    name: chalk.cyan,
    required: chalk.yellow,
    quiet: chalk.dim,
    method: (text) => (methods[text.trim()] ?? chalk.yellow)(text),
  };
}
