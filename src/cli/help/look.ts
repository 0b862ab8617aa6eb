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

/** The look of help, 40 to 140 columns wide; columns are undefined where there is no terminal. */
export function helpLook(columns: number | undefined, chalk?: ChalkInstance): HelpLook {
  const width = Math.min(140, Math.max(40, columns || 80));
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
