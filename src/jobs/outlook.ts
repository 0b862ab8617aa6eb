import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { withCovered } from './covered.js';
import { dependent, pathOf } from './dependence.js';
import type { PlannedRequest, Reads } from './request.js';
import type { Forecast, Rule } from './rule.js';
import { sealedBack, sealedForecast } from './sealed-undo.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

/** A change that is planned. */
export interface PlannedChange extends PlannedRequest {
  /** Its index in the job; default: its place. */
  item?: number;
  after?: readonly number[] | undefined;
  /** The state before it, where it is known. */
  before?: State | undefined;
  /** Of a creation: what later changes call what it makes. */
  makes?: string | undefined;
}

/** What undo will be able to do about each change of a job that is not sent yet. */
export function forecasts(changes: readonly PlannedChange[]): Forecast[] {
  const considered = changes.map(({ before, makes, ...change }, at) => {
    const own = forecastOf(change.op, change.input, before);
    const removal = makes === undefined ? undefined : removalOf(change, makes);
    return { ...change, item: change.item ?? at, own, ...defined({ removal }) };
  });
  return dependent(withCovered(considered)).map(({ forecast }) => forecast);
}

/** The path of the request that deletes what a creation makes. */
function removalOf({ op, input }: PlannedRequest, id: string): string | undefined {
  const { makes, back } = ruleOf(op);
  const found = makes && back?.({ input, before: undefined, answer: { [makes.key]: id } });
  return found && found.undo !== 'none' ? pathOf(found.request) : undefined;
}

/** What undo will be able to do about one change alone: what its rule will say, where the state before it is known. */
export function forecastOf(op: AnyOperation, input: LooseInput, before: State | undefined): Forecast {
  const rule = ruleOf(op);
  const plain = rule.forecast(input, before);
  if (rule.creates || plain.undo === 'none' || !isWhole(rule, input, before))
    return sealedForecast(op, input, plain);
  const { undo, why } = sealedBack(rule, { input, before, answer: undefined });
  // A condition of an exact undo is not in the way back.
  const told = undo === 'exact' && plain.undo === 'exact' ? plain.why : why;
  return { undo, ...defined({ why: told }) };
}

/** Whether a state holds all that a way back is made from: a survey, or what a plan foresees, may know a part. */
function isWhole(rule: Rule, input: LooseInput, before: State | undefined): before is State {
  if (before === undefined || rule.back === undefined) return false;
  // Most changes of what does not exist are refused, so they leave nothing to undo.
  if (before === null) return rule.back({ input, before, answer: undefined }).undo !== 'none';
  const wanted = Object.keys(rule.wanted?.(input, before) ?? {});
  return (
    Object.values(before).every((value) => value !== undefined) && wanted.every((field) => field in before)
  );
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

/**
 * A single change with the state before it, where its forecast depends on what was not set before, and reads show that. The
 * forecast is then that of a plan.
 * @param reads may fail, where nobody is signed in: the request alone then has to do
 */
export async function withState(reads: () => Promise<Reads>, change: PlannedChange): Promise<PlannedChange> {
  const { op, input, before } = change;
  const { read } = ruleOf(op);
  if (before !== undefined || read === undefined || !dependsOnUnset(change)) return change;
  return { ...change, before: await unlessFailed(async () => read(await reads(), input), undefined) };
}

/** Whether undo could do less if none of the fields had been set before. */
function dependsOnUnset({ op, input }: PlannedRequest): boolean {
  const fields = Object.keys(ruleOf(op).wanted?.(input, undefined) ?? {});
  if (fields.length === 0) return false;
  const unset = Object.fromEntries(fields.map((field) => [field, null]));
  return forecastOf(op, input, unset).undo !== forecastOf(op, input, undefined).undo;
}

async function statesOf(reads: Reads, op: AnyOperation, changes: readonly PlannedChange[]) {
  const inputs = changes.map(({ input }) => input);
  return unlessFailed(async () => (await ruleOf(op).survey?.(reads, inputs)) ?? [], []);
}

/** What a read shows; `otherwise` where it fails, since forecasts do without it. @throws where a signal ended it */
async function unlessFailed<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const ends = cause instanceof DocsError && ['interrupted', 'terminated'].includes(cause.kind);
    if (ends || !(cause instanceof DocsError)) throw cause;
    return otherwise;
  }
}
