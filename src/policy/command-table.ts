import type { Subject } from './policy.js';

/** What rules can name, made of the command tree by cli/help/command-table.ts: this room knows no commands. */

export type Danger = NonNullable<Subject['danger']>;

export interface CommandTable {
  /** The words of every command after `docs`: `members update`. */
  commands: readonly string[];
  /** By id of the operation, the one command that is made of it. */
  operations: ReadonlyMap<string, OperationCommand>;
  /** The kinds of resources that paths name. */
  kinds: readonly ResourceKind[];
}

export interface OperationCommand {
  words: string;
  danger: Danger;
}

/** A kind of resource that `protect` can name. */
export interface ResourceKind {
  /** `user`. */
  name: string;
  /** What a policy may call it, the name first: `user`, `member`. */
  words: readonly string[];
  /** The path parameter that holds its id. */
  parameter: string;
  /** Dotted path of the id in an item of its list. */
  id: string;
  /** Dotted paths of its titles and names in what the platform answers. */
  titles: readonly string[];
  /** Ids of the operations that read one, and of those that list it. */
  gets: readonly string[];
  lists: readonly string[];
}
