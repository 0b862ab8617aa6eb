import type { LooseInput } from '../api/client.js';
import { formatJson, parseJson } from '../api/transport/json-text.js';
import type { State } from './state.js';

/**
 * The lines of a journal (RELIABILITY.md, "Many items"): a header, one line an item that is planned,
 * then one line for each thing that happened. Each is one JSON value; the file only grows.
 */

/** The form of the file; another one is refused. */
export const journalFormat = 1;

/** The first line: what the job is, and where it belongs. */
export interface Header {
  journal: typeof journalFormat;
  job: string;
  /** When it was begun, ISO 8601. */
  at: string;
  /** Words of the command after `docs`, without ids and flags: `members update`. */
  command: string;
  /** Address of the platform; `sandbox:` and its file for the embedded one. */
  origin: string;
  profile: string;
  /** The organization that its requests name, where they name one. */
  org?: string;
  version: string;
  /** SHA-256 of the planned items. */
  input: string;
  /** The file that the items came from. */
  source?: Source;
  /** How many items are planned. */
  total: number;
  /** The job that this one takes back. */
  undoes?: string;
  /** Absolute path of the file that its command completes once the job is done. */
  evidence?: string;
}

export interface Source {
  /** Absolute path. */
  path: string;
  /** SHA-256 of its bytes. */
  hash: string;
}

/** An item as planned. */
export interface PlanLine {
  item: number;
  is: 'planned';
  id: string;
  op: string;
  input: LooseInput;
  /** The state that it must find; anything else was changed by others. */
  expect?: State;
  /** Index of the item of the other job that it takes back. */
  undoes?: number;
  /** Indexes of the items that must be done first: it is not sent where one of them is not. */
  after?: readonly number[];
}

/** The request is about to be sent. Durable before it is. */
export interface StartedLine {
  item: number;
  is: 'started';
  at: string;
  before?: State;
}

/** What came of it. */
export interface OutcomeLine {
  item: number;
  /** skipped: it was not sent after all, since the run was to end. */
  is: 'ok' | 'failed' | 'unknown' | 'skipped';
  at: string;
  /** The platform's own time, ISO 8601, where it told. */
  platformAt?: string;
  /** The platform's own name for the request that was answered. */
  requestId?: string;
  /** What the platform answered, without links and permissions. */
  answer?: unknown;
  /** It was found done when the job was resumed, or there was nothing left to do. */
  found?: true;
  error?: Record<string, unknown>;
}

export type ItemLine = PlanLine | StartedLine | OutcomeLine;

/** A journal as read: the header, and all whole lines of items. */
export interface ParsedJournal {
  header: Header;
  lines: ItemLine[];
  /** Bytes up to the end of the last whole line: what follows was torn. */
  wholeBytes: number;
}

export function writeLine(line: Header | ItemLine): string {
  return `${formatJson(line)}\n`;
}

/**
 * Reads a journal. A last line without its end, or one that is not JSON, was torn by a crash and is
 * left out.
 * @returns undefined where not even the header is whole; or a sentence that says what is wrong
 */
export function parseJournal(bytes: Uint8Array): ParsedJournal | string | undefined {
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const texts = Buffer.from(bytes.subarray(0, wholeBytes)).toString('utf8').split('\n').slice(0, -1);
  const values = texts.map((text) => parseJson(Buffer.from(text)));
  const [first] = values;
  if (first === undefined) return undefined;
  const header = first.ok ? (first.value as Header) : undefined;
  if (header?.journal === undefined) return 'its first line is not the header of a journal';
  if (header.journal !== journalFormat)
    return `it is of form ${header.journal}, which this version cannot read`;
  const broken = values.findIndex((value) => !value.ok);
  if (broken >= 0 && broken < values.length - 1) return `line ${broken + 1} is not JSON`;
  const lines = values.slice(1).flatMap((value) => (value.ok ? [value.value as ItemLine] : []));
  const torn = broken >= 0 ? Buffer.byteLength(texts.at(-1) ?? '') + 1 : 0;
  return { header, lines, wholeBytes: wholeBytes - torn };
}
