import type { Header, ItemLine, PlanLine } from './journal-lines.js';
import type { State } from './state.js';

/** A job as its journal tells it. */

export type ItemState = 'planned' | 'started' | 'ok' | 'failed' | 'unknown';

export interface ItemRecord {
  plan: PlanLine;
  state: ItemState;
  /** The state before the change; undefined where it was not read. */
  before: State | undefined;
  answer: unknown;
  /** The platform's own name for the request that did it; undefined where its answer was lost. */
  requestId: string | undefined;
  /** When the last thing happened to it, ISO 8601; by the platform's clock where it told. */
  at: string | undefined;
  platformAt: string | undefined;
  /** Whether a request was, or may have been, sent for it. */
  sent: boolean;
  error: Record<string, unknown> | undefined;
}

export interface Job {
  header: Header;
  /** Path of the journal. */
  path: string;
  items: ItemRecord[];
  wholeBytes: number;
}

export interface Counts {
  ok: number;
  failed: number;
  /** Sent, and nobody knows what came of it. */
  unknown: number;
  /** Never sent. */
  left: number;
}

/** What happened to each item, from the lines in their order. */
export function replay(lines: readonly ItemLine[]): ItemRecord[] {
  const items: ItemRecord[] = [];
  for (const line of lines) {
    if (line.is === 'planned') items[line.item] = plannedRecord(line);
    const record = items[line.item];
    if (record === undefined || line.is === 'planned') continue;
    record.state = line.is === 'skipped' ? 'planned' : line.is;
    record.at = line.at;
    if (line.is === 'skipped') record.sent = false;
    if (line.is === 'started') {
      record.sent = true;
      if (line.before !== undefined) record.before = line.before;
      continue;
    }
    record.answer = line.answer;
    record.requestId = line.requestId;
    record.platformAt = line.platformAt;
    record.error = line.error;
  }
  return items.filter((item) => item !== undefined);
}

/** An item to which nothing has happened. */
export function plannedRecord(plan: PlanLine): ItemRecord {
  return {
    plan,
    state: 'planned',
    before: undefined,
    answer: undefined,
    requestId: undefined,
    at: undefined,
    platformAt: undefined,
    sent: false,
    error: undefined,
  };
}

export function countsOf({ header, items }: Pick<Job, 'header' | 'items'>): Counts {
  const of = (...states: ItemState[]) => items.filter(({ state }) => states.includes(state)).length;
  const [ok, failed, unknown] = [of('ok'), of('failed'), of('started', 'unknown')];
  return { ok, failed, unknown, left: header.total - ok - failed - unknown };
}

/** How a job stands; `running` is not told by its journal. */
export type JobState = 'done' | 'failed' | 'unfinished';

/** done: all items; failed: all were tried; unfinished: some were not, or nobody knows. */
export function stateOf(job: Pick<Job, 'header' | 'items'>): JobState {
  const { failed, unknown, left } = countsOf(job);
  if (left > 0 || unknown > 0) return 'unfinished';
  return failed > 0 ? 'failed' : 'done';
}
