import type { AnyOperation } from '../api/operation.js';
import { formatJson, parseJson } from '../api/transport/json-text.js';
import type { Subject } from '../api/transport.js';
import type { DocsError } from '../base/errors.js';
import type { Actor } from './actor.js';
import {
  type Change,
  changeOf,
  findReferences,
  type JobChange,
  type LockChange,
  mayRefer,
  shownChange,
  withTakes,
} from './change.js';
import { nameIn, type State } from './state.js';

/**
 * Versions of the file format; journals of another one are refused. Of a job that refers to what its own items make it
 * is 2: a reader of 1 takes no references.
 */
const journalFormats = [1, 2] as const;

export interface Header {
  journal: (typeof journalFormats)[number];
  job: string;
  /** When it was created, ISO 8601. */
  at: string;
  /** Words of the command after `docs`, without ids and flags: `members update`. */
  command: string;
  /** Base URL of the platform; `sandbox:` and its file for the embedded one. */
  origin: string;
  profile: string;
  /** The organization in the paths of its requests, where they share one. */
  org?: string;
  version: string;
  /** SHA-256 of the planned items. */
  input: string;
  source?: Source;
  total: number;
  undoes?: string;
  /** Absolute path of the evidence file that its command completes once the job is done. */
  evidence?: string;
  /** The id of the plan that it applies. */
  plan?: string;
  /** The file of that plan, where it has one; absent from journals of versions without approvals. */
  planFile?: PlanSource;
  /** Absolute path of the folder of the organization as code, whose lock its items change. */
  folder?: string;
  /** What else it does to that lock, however often it is resumed. */
  settled?: readonly LockChange[];
  /** Who began it; absent from journals of versions without an audit chain. */
  actor?: Actor;
  /** The folders of the audit chains that have it, where they are not in the state folder. */
  chains?: readonly string[];
}

export interface Source {
  /** Absolute. */
  path: string;
  /** SHA-256 of its bytes. */
  hash: string;
}

export interface PlanSource {
  /** Absolute. */
  path: string;
  /** The hash that the plan has of itself. */
  hash: string;
}

/** A change as it stands in a journal. */
export interface PlannedLine extends Omit<JobChange, 'op'> {
  is: 'planned';
  op: string;
}

/** Written and synced before the request is sent. */
export interface StartedLine {
  item: number;
  is: 'started';
  at: string;
  /** The platform's clock of the last answer before it, ISO 8601. */
  platformAt?: string;
  before?: State;
  /** Of a creation: ids of the resources like it that were there before. */
  known?: readonly string[];
}

export interface OutcomeLine {
  item: number;
  /** skipped: interrupted after `started`, before anything was sent. */
  is: 'ok' | 'failed' | 'unknown' | 'skipped';
  at: string;
  /** The platform's clock, ISO 8601, from its `Date` header. */
  platformAt?: string;
  /** The platform's id of the request. */
  requestId?: string;
  /** The platform's answer, without links and permissions. */
  answer?: unknown;
  /** What the answer calls the resource, where neither the answer nor a title before it is kept. */
  title?: string;
  /** A read showed that nothing was left to do; nothing was sent. */
  found?: true;
  /** A person said so: `docs jobs settle`. */
  byHand?: true;
  error?: Record<string, unknown>;
  /** Of an undo, in a line of its own: what a read afterwards showed. */
  restored?: 'whole' | 'part' | 'unknown';
  /** Items that are not restored, or were not read. */
  notRestored?: string;
}

export type ItemLine = PlannedLine | StartedLine | OutcomeLine;

interface ParsedJournal {
  header: Header;
  lines: ItemLine[];
  /** Bytes up to the end of the last whole line; a crash tore the rest. */
  wholeBytes: number;
}

export function writeLine(line: Header | ItemLine): string {
  return `${formatJson(line)}\n`;
}

/** The format in which an older version reads these lines as well, if there is one. */
export function formatOf(changes: readonly JobChange[]): Header['journal'] {
  return changes.some((change) => mayRefer(change) && findReferences(plannedLine(change)).length > 0) ? 2 : 1;
}

/**
 * Parses a journal. A last line without a line feed, or one that is not JSON, was torn by a crash and is
 * ignored.
 * @returns undefined where the header is not whole; the reason where the file is corrupt
 */
export function parseJournal(bytes: Uint8Array): ParsedJournal | string | undefined {
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const texts = Buffer.from(bytes.subarray(0, wholeBytes)).toString('utf8').split('\n').slice(0, -1);
  const values = texts.map((text) => parseJson(Buffer.from(text)));
  const [first] = values;
  if (first === undefined) return undefined;
  const header = first.ok ? (first.value as Header) : undefined;
  if (header?.journal === undefined) return 'its first line is not a journal header';
  if (!journalFormats.includes(header.journal))
    return `its format ${header.journal} is not supported by this version`;
  const broken = values.findIndex((value) => !value.ok);
  if (broken >= 0 && broken < values.length - 1) return `line ${broken + 1} is not JSON`;
  const lines = values.slice(1).flatMap((value) => (value.ok ? [value.value as ItemLine] : []));
  const torn = broken >= 0 ? Buffer.byteLength(texts.at(-1) ?? '') + 1 : 0;
  return { header, lines, wholeBytes: wholeBytes - torn };
}

type ItemState = 'planned' | 'started' | 'ok' | 'failed' | 'unknown';

/** A change of a job, and what became of it. */
export interface JobItem {
  change: JobChange;
  /** Its line as it stands in the journal, where that is of format 1 and differs. */
  filed?: PlannedLine;
  /** What the request is about, for its errors. */
  subject?: Subject;
  /** Replaces the call of the operation; resolves with the platform's answer. */
  send?(): Promise<unknown>;
  state: ItemState;
  /** The state before the change; undefined where it was not read. */
  before?: State | undefined;
  answer?: unknown;
  title?: string | undefined;
  /** The platform's id of the request; undefined where its answer was lost. */
  requestId?: string | undefined;
  /** Time of the last event, ISO 8601. */
  at?: string | undefined;
  /** The same by the platform's clock. */
  platformAt?: string | undefined;
  /** Whether its request was, or may have been, sent. */
  sent: boolean;
  /** The last time it was about to be sent. */
  started?: Pick<StartedLine, 'at' | 'platformAt' | 'known'> | undefined;
  error?: Record<string, unknown> | undefined;
  /** Of an undo: what a read afterwards showed, and what is not restored. */
  restored?: 'whole' | 'part' | 'unknown' | undefined;
  notRestored?: string | undefined;
}

type ItemStatus = 'ok' | 'failed' | 'unknown' | 'skipped';

export interface Outcome {
  status: ItemStatus;
  failure?: DocsError;
  answer?: unknown;
  /** The state before it, where it was read. */
  before?: State;
  /** Of an undo: what a read afterwards shows of the state before the change. */
  restored?: 'whole' | 'part' | 'unknown';
  /** Items that are not restored, or were not read; without a full stop. */
  notRestored?: string;
}

export interface ItemResult extends Outcome {
  index: number;
  id: string;
}

export type Tally = Record<ItemStatus, number>;

export interface Job {
  header: Header;
  path: string;
  items: JobItem[];
  wholeBytes: number;
}

export interface Counts {
  ok: number;
  failed: number;
  /** Sent, with unknown outcome. */
  unknown: number;
  left: number;
}

/** @param operationIn the operation that a line names */
export function replay(lines: readonly ItemLine[], operationIn: (id: string) => AnyOperation): JobItem[] {
  const items: JobItem[] = [];
  for (const line of lines) {
    if (line.is === 'planned') items[line.item] = itemIn(line, items, operationIn(line.op));
    const record = items[line.item];
    if (record === undefined || line.is === 'planned') continue;
    record.state = line.is === 'skipped' ? 'planned' : line.is;
    record.at = line.at;
    if (line.is === 'skipped') record.sent = false;
    if (line.is === 'started') {
      record.sent = true;
      record.started = line;
      if (line.before !== undefined) record.before = line.before;
      continue;
    }
    const { answer, title, requestId, platformAt, error, restored, notRestored } = line;
    if (restored === undefined) Object.assign(record, { answer, title, requestId, platformAt, error });
    else Object.assign(record, { restored, notRestored, error });
  }
  return items.filter((item) => item !== undefined);
}

/** A line of format 1 has texts in place of references, and `takes` tells where they are. */
interface FormerLine extends PlannedLine {
  takes?: readonly { from: number; into: readonly string[]; path?: string }[];
}

function itemIn(filed: FormerLine, earlier: readonly JobItem[], op: AnyOperation): JobItem {
  const { takes, is: _, ...line } = filed;
  const change: JobChange = { ...line, op };
  if (takes === undefined) return { ...planned, change };
  const named = takes.flatMap(({ from, ...take }) => {
    const maker = from === line.item ? change : earlier[from]?.change;
    // The id of an item stays a text.
    return maker === undefined || take.into[0] === 'id' ? [] : [{ from: changeOf(maker), ...take }];
  });
  return { ...planned, change: withTakes(change, named), filed };
}

/** The line of a change, with its keys in the order that journals have had from the beginning. */
export function plannedLine({ item, id, op, input, ...rest }: JobChange): PlannedLine {
  return { ...rest, item, is: 'planned', id, op: op.id, input };
}

const planned = { state: 'planned', sent: false } as const;

/** A change as an item of a job that was not begun. */
export function jobItem(change: Omit<JobChange, 'item'>, item: number): JobItem {
  return { ...planned, change: { ...change, item } };
}

/** A change that is planned. */
export interface PlannedChange extends Change {
  /** Its index in the job; default: its place. */
  item?: number;
  /** The state before it, where it is known. */
  before?: State;
  /** Of a creation: what later changes call what it makes. */
  makes?: string;
}

/** What the items of a job send, as it is known before: with former ids, or `{o3.id}`, for those to come. */
export function changesIn(items: readonly JobItem[]): PlannedChange[] {
  return items.map(({ change, before }) => {
    const shown = shownChange(change);
    return { ...shown, before: shown.expect ?? before };
  });
}

export function countsOf({ header, items }: Pick<Job, 'header' | 'items'>): Counts {
  return countStates(
    items.map(({ state }) => state),
    header.total,
  );
}

/** @param states of the items, by their last event @param total of the plan, of which some may have none */
export function countStates(states: readonly string[], total: number): Counts {
  const of = (...some: string[]) => states.filter((state) => some.includes(state)).length;
  const [ok, failed, unknown] = [of('ok'), of('failed'), of('started', 'unknown')];
  return { ok, failed, unknown, left: total - ok - failed - unknown };
}

/** The journal alone does not show whether a process is working on the job. */
type JobState = 'done' | 'failed' | 'unfinished';

/** unfinished: some items were not tried, or their outcome is unknown. */
export function stateOf(job: Pick<Job, 'header' | 'items'>): JobState {
  const { failed, unknown, left } = countsOf(job);
  if (left > 0 || unknown > 0) return 'unfinished';
  return failed > 0 ? 'failed' : 'done';
}

/** What a job changed, in a few words for a list: `Legal +11`. From its journal alone. */

/** The name of what an item changes: as it was before, else as the request or its answer has it. */
export function titleOfItem({ change, before, answer, title }: JobItem): string | undefined {
  return nameIn(before) ?? title ?? nameIn(answer) ?? nameIn(change.input.body);
}

/** The words of its command with what it changed: `spaces delete Legal +11`. */
export function commandWords(job: Job): string {
  return [job.header.command, subjectOf(job)].filter((part) => part !== undefined).join(' ');
}

/** The first thing that a job changed, by its name or else its id, and how many more. */
function subjectOf({ items }: Pick<Job, 'items'>): string | undefined {
  const changing = items.filter(({ change }) => change.proves === undefined && change.partOf === undefined);
  const [first] = changing;
  if (first === undefined) return undefined;
  const name = titleOfItem(first) ?? first.change.id;
  const others = new Set(changing.map(({ change }) => change.id)).size - 1;
  return others > 0 ? `${name} +${others}` : name;
}
