import type { Io } from '../../base/io.js';
import type { Command, GroupEntry } from '../../cli/declare/command.js';
import type { Globals, RunLine } from '../../cli/declare/session.js';

/** What the MCP server is given by the command that starts it. */
export interface McpWorld {
  io: Io;
  groups: readonly GroupEntry[];
  runLine: RunLine;
  /** @throws DocsError usage, as the command line itself */
  parse(argv: readonly string[]): Promise<TypedLine>;
  /** Flags of every command that were given to the server, as words: `--profile=work`. */
  flags: readonly string[];
  /** Context that was given to the server, by the name of its flag: `org`. */
  context: Readonly<Record<string, string>>;
  /** The folder of `--files`, absolute and without links. */
  files?: string;
  allowWrites: boolean;
  /** Whether a policy is in force; the two tools that change something need one. */
  hasPolicy: boolean;
}

/** A command line as it was parsed. */
export interface TypedLine {
  /** The words of the command. */
  path: string;
  /** Where in the line the words of the command end: flags may be put there. */
  end: number;
  command: Command;
  args: Readonly<Record<string, string | string[] | undefined>>;
  options: Readonly<Record<string, unknown>>;
  globals: Globals;
}

/** Where a call comes from. */
export interface Caller {
  /** Aborted when the call is cancelled or its connection ends. */
  signal: AbortSignal;
  /** Name and version of the client, where it says so. */
  client?: string;
}
