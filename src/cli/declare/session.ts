import type { Client, LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import type { Encoding } from '../../base/encodings.js';
import type { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { Printer } from '../../output/printer.js';
import type { Counts } from '../../policy/effects.js';
import type { Cause, Gate } from '../../policy/policy.js';
import type { Settings } from '../../settings/settings.js';

/** What a command works with: settings, the platform, the printer. Opened once a run, closed at its end. */
export interface Session {
  readonly io: Io;
  readonly globals: Globals;
  readonly settings: Settings;
  readonly printer: Printer;
  /** The words of the command line after `docs`, as they were typed. */
  readonly line: readonly string[];
  /** The file of `--save-plan`, as typed: a plan is made, and nothing but reads is sent. */
  readonly savePlan?: string;
  /** Whether what is listed is printed in an order of its own: `--sort-by`. */
  readonly sorts?: true;
  /** The encoding of the texts that are read, where `--encoding` names it. */
  readonly encoding?: Encoding;
  /** Name and version of the agent's client that asked for this command, where it said so. */
  readonly agentClient?: string;
  /** Texts that were written in an editor for this command: kept until it has succeeded. */
  readonly drafts?: KeptText[];
  /** What was shown of a change without making it: the command ends with the other previews of the last one. */
  readonly previewed?: Previewed[];
  /** Whether questions may be asked. */
  readonly interactive: boolean;
  /** Whether somebody is at the terminal, even where standard input is redirected: texts may be titles. */
  readonly attended: boolean;
  /** What a policy lets through, where there is one; none with `--sandbox`, but for what it writes on this machine. */
  readonly gate?: Gate;
  /** With `--watch`: what the command reports to the watch. */
  readonly watch?: Watching;
  /** Why no request can be made, where no platform is known. */
  readonly signedOut?: DocsError;
  /**
   * The platform; connects at first use. Where a plan is made it can only read: any other request throws before
   * a byte is sent. Without a token: exit 4, naming the two ways on.
   */
  client(use?: ClientUse): Promise<Client>;
  /** A client for one base URL and token, whatever the settings say: for signing in. */
  clientFor(baseUrl: string, token: string): Promise<Client>;
  /** Whether an answer of the platform had the token in it. */
  sawToken(): boolean;
  /** Whether a text has the token of the client that was made; false before that. */
  hasToken(text: string): boolean;
  /** The clock of the platform, once it has answered, until then that of this machine; milliseconds since the epoch. */
  nowMs(): number;
  /** Why it ended, where it failed: leaving the pager is not a failure. To be asked before `close`. */
  outcome(cause: unknown): unknown;
  /** Prints what was held back, and waits until the reader has left the pager. */
  close(): Promise<void>;
}

/** A preview of a change. */
export interface Previewed {
  /** Which one, by its name in the table of previews. */
  shown: PreviewName;
  /** The command that makes the change, as the words after `docs`; default: what was typed, without the preview. */
  words?: readonly string[];
  /** The requests, as far as they are known. */
  changes?: readonly { op: AnyOperation; input: LooseInput }[];
  /** Whether the change would be asked about; default: whether the command always asks. */
  asks?: boolean;
  /** Whether a plan cannot hold these requests although the command takes `--save-plan`. */
  unplannable?: boolean;
}

/** The ways to look at a change before it is made. */
export type PreviewName = '--dry-run' | 'docs impact' | 'docs rehearse' | '--save-plan';

/** A text in a file of its own, which outlives the command until what it says has been done. */
export interface KeptText {
  readonly path: string;
  /** Removes the file where it says nothing new. @returns whether the file stays */
  keep(): Promise<boolean>;
  remove(): Promise<void>;
}

/** What the platform is used for; it holds for the first use, which connects. */
export interface ClientUse {
  /** A client that can only read, whatever others of the session may do: for `docs plan`. */
  readOnly?: true;
  /** Requests under way at once. */
  connections?: number;
  /** Whether `--timeout` holds for each request, as it does in jobs of many items. */
  timeoutPerRequest?: boolean;
  /** Whether one read is all that is expected of it. */
  single?: boolean;
  /** Whether a few requests are expected of it, one after the other: a change, and what is read for it. */
  series?: boolean;
}

/** Flags that every command takes (command-tree, "Grammar"). */
export interface Globals {
  output?: string;
  json?: boolean;
  fields?: string;
  jq?: string;
  header?: boolean;
  csvRaw?: boolean;
  profile?: string;
  baseUrl?: string;
  policy?: string;
  sandbox?: boolean;
  timeout?: string;
  byTitle?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  quiet?: boolean;
  /** false with `--no-input`. */
  input?: boolean;
  /** false with `--no-color`. */
  color?: boolean;
  /** false with `--no-pager`. */
  pager?: boolean;
  debug?: boolean;
  retry?: boolean;
  maxAttempts?: string;
  caFile?: string;
}

/** What a watched command and its session tell the watch. */
export interface Watching {
  /** Called by a command that prints other rows than what moves: with the resource that does. */
  moves?(resource: unknown): void;
  /** Called instead of a line on the terminal, while a request waits. */
  waits?(ms: number, reason: string): void;
}

/** What another program of this process says of a command line beside its words. */
export interface RunOptions {
  /** Whether requests other than GET are refused in the transport. */
  readOnly?: true;
  /** Whether it is only tested: its files are docs' own, and are removed. */
  trial?: boolean;
  /** Name and version of the program that asks, as an agent's client gives them: `inspector 1.0`. */
  client?: string;
  /** What budgets per run have counted: the calls of a server are one run, and share it. Raised as they count. */
  spent?: Counts;
  /** Called once a list is cut. @param count items in all, where the platform tells */
  onCut?(printed: number, count: number | undefined): void;
  /** Called before each request that may change something. */
  onChange?(): void;
  /** Called with what a policy denies, where it is only tested. */
  onDenied?(denial: { request?: string; cause: Cause }): void;
}

/** Runs a command line. @param argv the words after `docs` @returns the exit code; never throws */
export type RunLine = (argv: readonly string[], io: Io, options?: RunOptions) => Promise<number>;
