import type { Io } from '../../base/io.js';

/** What another program of this process says of a command line beside its words. */
export interface RunOptions {
  /** Whether requests other than GET are refused in the transport. */
  readOnly?: true;
  /** Name and version of the program that asks, as an agent's client gives them: `inspector 1.0`. */
  client?: string;
  /** Called once a list is cut. @param count items in all, where the platform tells */
  onCut?(printed: number, count: number | undefined): void;
}

/** Runs a command line. @param argv the words after `docs` @returns the exit code; never throws */
export type RunLine = (argv: readonly string[], io: Io, options?: RunOptions) => Promise<number>;
