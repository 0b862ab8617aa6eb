import type { Io } from '../../base/io.js';
import type { GroupEntry } from '../declare/command.js';
import type { CommandOutline } from '../declare/outline.js';
import type { Globals, RunLine, RunOptions } from '../declare/session.js';

/** A parsed command line, and what the start of the program knows beside. */
export interface Line {
  io: Io;
  globals: Globals;
  argv: readonly string[];
  groups: readonly GroupEntry[];
  runLine: RunLine;
  options?: RunOptions;
  /** What the line was parsed by. */
  outline?: CommandOutline;
  /** Whether nothing but positionals and switches was typed (parse/plain-line.ts). */
  isPlain?: boolean;
}
