import type { JsonLines } from '../api/transport/json-lines.js';
import { DocsError, sentences, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { ColorLevel } from './colors.js';
import type { ColumnSource, Titles } from './columns.js';

export type { Column } from './columns.js';

export const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'] as const;
export type Format = (typeof formats)[number];

/** Formats that print keys, and not columns. */
export const keyed: readonly (Format | undefined)[] = ['json', 'ndjson', 'yaml'];

export interface PrinterOptions {
  io: Io;
  /** Default: a table on a terminal, TSV without header elsewhere. */
  format: Format | undefined;
  header?: boolean;
  /** Dotted paths of `--fields`. */
  fields?: readonly string[];
  /** What of these was asked for by a flag of this very command line, and so must not be ignored. */
  asked?: { format: boolean; fields: boolean };
  /** `--sort-by` as typed; its lists are read as a whole, and cut after that. */
  sort?: { by: string; limit?: number };
  jq?: string;
  /** The time that a run of `jq` may take; default: any. */
  jqLimitMs?: number;
  /** Whether a terminal gets the record of a change instead of a sentence: `--show`, `-o table`. */
  record?: boolean;
  csvRaw?: boolean;
  /** Whether the command changes nothing: `--dry-run`. */
  dryRun?: boolean;
  /** The colours of standard output. */
  color: ColorLevel;
  quiet: boolean;
  /** Called once a list is cut. @param count items in all, where the platform tells */
  onCut?(printed: number, count: number | undefined): void;
  /** Finds the titles of what items refer to by id; none where no person reads. */
  titles?: Titles;
  /** The clock of ages, in milliseconds since the epoch; default: that of `io`. */
  nowMs?(): number;
}

/** The output failed after what the command does was done (exit 13). */
export class OutputFailed extends DocsError {
  constructor({ code, message, failure }: DocsError, isPrinted: boolean) {
    const said = `the command is done, but its output failed: ${message}`;
    const whole = isPrinted ? sentences(said, 'The whole answer is printed as JSON instead') : said;
    super('local-io', code, whole, { ...failure, outcome: 'done' });
  }
}

/** How a kind of resource is shown. */
export interface View extends ColumnSource {
  /** Every known dotted path of the resource, to check `--fields`. */
  fields: readonly string[];
  /** Prefixes under which any key is allowed. */
  open?: readonly string[];
  /** What to say on a terminal where a list has no items: `No teams.` */
  empty?: string;
  /** What the items are called: `members`. */
  noun?: string;
  /** Where a single answer holds a tree: the key of its list, if any, and that of the children. */
  tree?: { list: string | undefined; children: string };
  /** Where the items of a list are a tree, depth first: dotted path of the depth. Default: that of an indented column. */
  depth?: string;
}

/** How one of the formats writes: one file a format, each gives one of these for one printing. */
export interface ItemFormat {
  /** The text before the items, such as a header; a table fits its columns to the first page. */
  begin?(firstPage: readonly unknown[], more: boolean): string;
  /** The text of some items; called with one part of a list after another. */
  items(values: readonly unknown[]): string;
  /** The same as bytes, of items that are printed as they came. */
  lines?(lines: JsonLines): Uint8Array;
  /** What closes a complete list. Never written when a list failed. */
  end?(): string;
  /** The text of a single resource. */
  one(value: unknown): string;
  /** Looks up what it shows of these items beside what they hold. @param whole whether all of them is shown */
  learn?: (items: readonly unknown[], whole: boolean) => Promise<void>;
}

/** A page of a list. */
export interface Page {
  items: readonly unknown[];
  /** Items in all pages, where the platform tells. */
  count?: number;
  /** Cursor of the next page; absent on the last one. */
  next?: string;
  /** Further members of the envelope, such as `stats`; shown on a terminal. */
  extra?: Record<string, unknown>;
}

/** A page whose items are printed as they came, before the next page is asked for. */
export type LinesPage = Omit<Page, 'items'> & { lines: JsonLines };

/** How many items a page has. */
export function sizeOf(page: Page | LinesPage): number {
  return 'lines' in page ? page.lines.count : page.items.length;
}

/** Work that goes on while its results are listed: shown instead of the spinner of a fetch. */
export interface Work {
  /** What is being done: `Deleting`. */
  text: string;
  /** How many there are in all, if known: gives a bar instead of a spinner. */
  total?: number;
  /** Called with the function that counts: how many items are done, how many of them failed, what one waits for. */
  watch(count: (done: number, failed: number, waitsFor?: string) => void): void;
}

export interface ListOptions {
  /** Most items in all. */
  limit?: number;
  /** What goes on meanwhile. */
  work?: Work;
}

/** Everything that a command prints (DESIGN.md, "What a person meets"). One call after another, each awaited. */
export interface Printer {
  /** Whether lists are printed as JSON in which nothing is changed, and so may come as lines. */
  readonly takesLines: boolean;
  /**
   * To be called before anything is sent.
   * @throws DocsError usage `unknown_field`, `mixed_fields`, `invalid_sort`, `no_id`, `bad_jq`
   */
  check(view: View): Promise<void>;
  /** Compiles `--jq`. @throws DocsError usage `bad_jq`, `jq_failed`; deadline `jq_timeout` */
  compileFilter(): Promise<void>;
  /**
   * To be called once something was changed: an output that fails then prints the plain answer, and throws
   * `OutputFailed` instead of a usage error.
   */
  changed(): void;
  /**
   * Prints a list: all items at once, or page by page as they come; with `--sort-by` once all are read.
   * Pages of lines are only for a printer that takes them.
   * @returns how many were printed, and whether there are more that were not read
   * @throws what the pages throw, after which a JSON array stays open; ReaderGone; DocsError (exit 13)
   */
  list(
    list: AsyncIterable<Page | LinesPage> | readonly unknown[],
    view: View,
    options?: ListOptions,
  ): Promise<{ printed: number; cut: boolean }>;
  /** Prints a single resource. */
  one(value: unknown, view: View): Promise<void>;
  /** Prints what was done, and so `changed`, but in a dry run: a sentence on a terminal, an object as JSON; in a pipe the view, or id and status. */
  done(
    result: { id: string; status: string } & Record<string, unknown>,
    sentence: string,
    view?: View,
  ): Promise<void>;
  /** Prints free text: sanitised on a terminal, a string as JSON. @throws DocsError usage `no_columns` */
  text(text: string): Promise<void>;
  /** Prints text that is sanitised already, with its colours. */
  painted(text: string): Promise<void>;
  /** Prints any JSON value: readable on a terminal, compact in a pipe, or in the format asked for. */
  value(value: unknown): Promise<void>;
  /** The same printer without `--fields`, for what replaces the result, such as the requests of a dry run. */
  whole(): Printer;
  /** The same printer for other streams. */
  onto(io: Io): Printer;
  /** A remark on stderr, not with `--quiet`. */
  note(line: string): void;
  /** A warning on stderr. */
  warn(line: string): void;
}

/** Characters of JSON beyond which jq cannot hold the values, in the 256 MB that it has. */
export const mostFiltered = 64 << 20;

/** A list that jq cannot hold. */
export function tooLargeToFilter(): DocsError {
  const message =
    '--jq filters the whole list at once, and this one does not fit into its memory. Nothing was printed. ' +
    'Pass --fields to read less of each item, or print the list with -o ndjson and filter that.';
  return usageError('jq_too_large', message);
}
