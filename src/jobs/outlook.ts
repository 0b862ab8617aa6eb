import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../errors.js';
import { dependent } from './dependence.js';
import type { PlannedRequest, Reads } from './request.js';
import type { Forecast } from './rule.js';
import { sealedForecast } from './sealed-undo.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

/** A change that is planned. */
export interface PlannedChange extends PlannedRequest {
  /** Its index in the job; default: its place. */
  item?: number;
  after?: readonly number[] | undefined;
  /** The state before it, where it is known. */
  before?: State | undefined;
}

/** What undo will be able to do about each change of a job that is not sent yet. */
export function forecasts(changes: readonly PlannedChange[]): Forecast[] {
  const considered = changes.map(({ before, ...change }, at) => {
    const plain = ruleOf(change.op).forecast(change.input, before);
    const own = sealedForecast(change.op, change.input, plain);
    return { ...change, item: change.item ?? at, own };
  });
  return dependent(considered).map(({ forecast }) => forecast);
}

/** Whether forecasts of these changes depend on the state before them. */
export function needsSurvey(changes: readonly PlannedChange[]): boolean {
  return changes.some(({ op, before }) => before === undefined && ruleOf(op).survey !== undefined);
}

/** The changes with the states that their forecasts depend on; without them where they cannot be read. */
export async function surveyed(reads: Reads, changes: readonly PlannedChange[]): Promise<PlannedChange[]> {
  const found = new Map<PlannedChange, State | undefined>();
  const open = changes.filter(({ before }) => before === undefined);
  for (const op of new Set(open.map((change) => change.op))) {
    const own = open.filter((change) => change.op === op);
    const states = await statesOf(reads, op, own);
    for (const [at, change] of own.entries()) found.set(change, states[at]);
  }
  return changes.map((change) => ({ ...change, before: change.before ?? found.get(change) }));
}

async function statesOf(reads: Reads, op: AnyOperation, changes: readonly PlannedChange[]) {
  const inputs = changes.map(({ input }) => input);
  try {
    return (await ruleOf(op).survey?.(reads, inputs)) ?? [];
  } catch (cause) {
    const ends = cause instanceof DocsError && ['interrupted', 'terminated'].includes(cause.kind);
    if (ends || !(cause instanceof DocsError)) throw cause;
    return [];
  }
}
