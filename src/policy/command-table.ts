import type { Subject } from './policy.js';

/** What rules can name, made of the command tree by cli/run/command-table.ts: this room knows no commands. */

export type Danger = NonNullable<Subject['danger']>;

export interface CommandTable {
  /** The words of every command after `docs`: `members update`. */
  commands: readonly string[];
  /** By id of the operation, the one command that is made of it. */
  operations: ReadonlyMap<string, OperationCommand>;
}

export interface OperationCommand {
  words: string;
  danger: Danger;
}
