import type { GroupEntry } from '../cli/declare/command.js';
import type { SandboxControl } from '../sandbox/control.js';
import type { FaultRule } from '../sandbox/server/faults.js';
import type { PageParts } from '../sandbox/server/front.js';
import type { OtherSource } from '../sandbox/store/fill.js';
import type { Session } from './session.js';

/** What an action of the pages is, and what it works with. */

export interface PageSettings {
  /** All commands, to tell which one sends a request. */
  groups: readonly GroupEntry[];
  /** How commands reach the sandbox: their own flag, or the address of its server. */
  place: { sandbox: true } | { baseUrl: string };
  platform: NodeJS.Platform;
  /** The database, as commands of `docs sandbox` name it; undefined for the usual one. */
  file: string | undefined;
  /** Opens the database as those commands do. */
  control<T>(work: (control: SandboxControl) => Promise<T> | T): Promise<T>;
  /** The data of another source than a seed, for a reset. @throws DocsError where the command has to */
  otherOf(source: string): Promise<OtherSource | undefined>;
  /** What people type, as those commands read it. */
  typed: {
    shiftMs(text: string): number;
    faultRule(options: Fields): FaultRule | undefined;
    count(flag: string, value: unknown, least: number, most: number): number;
  };
}

/** What a form sent, without what is empty. */
export type Fields = Readonly<Record<string, string | undefined>>;

export interface Acting {
  parts: PageParts;
  session: Session;
  settings: PageSettings;
}

export interface Action {
  /** The names of its fields; any other is ignored. */
  fields: readonly string[];
  /** The command that does the same: its words after `docs`. */
  command(fields: Fields): readonly string[];
  /** Does it. @returns what was done, as a sentence @throws DocsError as the command */
  run(acting: Acting, fields: Fields): Promise<string> | string;
}
