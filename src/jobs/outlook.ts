import { type LooseInput, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { addTo } from '../base/values.js';
import type { Change, JobChange } from './change.js';
import { isFromEnvironment, sealedBack, sealedForecast } from './environment.js';
import { changesIn, type Job, type PlannedChange } from './journal.js';
import type { Reads } from './reads.js';
import type { Forecast, Rule } from './rule.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

/** What undo can do about changes, before they are sent and afterwards. */

/** A change among those of a job, and what undo could do about it alone. */
export interface Considered extends JobChange {
  own: Forecast;
  /** The state before it, where it is known. */
  before?: State;
  /** Of a creation: the path of the request that deletes what it made. */
  removal?: string;
  /** It was refused, so nothing depends on it. */
  refused?: boolean;
  /** Ids of the groups that had no sections then, so that no read shows where they stand. */
  hidden?: ReadonlySet<string>;
}

/** What undo will be able to do about each change of a job that is not sent yet. */
export function forecasts(changes: readonly PlannedChange[]): Forecast[] {
  return forecastsOf(
    changes.map(({ makes, ...change }, at) => ({
      ...change,
      item: change.item ?? at,
      own: forecastOf(change.op, change.input, change.before),
      removal: makes === undefined ? undefined : removalOf(change, makes),
    })),
  );
}

/** The forecasts of changes, in any order, where deleting what the job creates undoes some. */
export function forecastsOf(changes: readonly Considered[]): Forecast[] {
  const covers = coversOf(changes);
  const own: Forecast = { undo: 'exact' };
  const free = changes.map((change) => (covers.has(change) ? { ...change, own } : change));
  return dependent(withHiddenGroups(free)).map(({ forecast }) => forecast);
}

const hiddenGroup = 'the group had no sections then, and the API does not show the position of such a group';

/**
 * Sections and groups that change places while a group of their site has no sections go back to the neighbours that were
 * shown. The hidden group may then stand elsewhere among them, so it is not known whether all at the top stands as before.
 * @returns the changes in the same order
 */
export function withHiddenGroups(changes: readonly Considered[]): Considered[] {
  const emptied = emptiedGroups(changes);
  if (emptied.length === 0) return [...changes];
  const moves = changes.filter(({ op }) => ruleOf(op).movesAmongGroups || ruleOf(op).regroups);
  const isUnsure = (site: string | undefined) =>
    emptied.some(({ siteId, item }) =>
      moves.some(({ input, item: later }) => siteId === site && input.path?.siteId === site && later > item),
    );
  return changes.map((change) => {
    const { input, item, own } = change;
    const { siteId } = input.path ?? {};
    if (own.undo !== 'exact' || !standsAtTop(change) || !isUnsure(siteId)) return change;
    const before = emptied.filter((one) => one.item < item && one.siteId === siteId);
    const hidden = new Set(before.map(({ group }) => group));
    return { ...change, own: { undo: 'best-effort', why: hiddenGroup }, hidden };
  });
}

/** Whether it changes a place among groups. */
function standsAtTop({ op, input, before }: Considered): boolean {
  const { movesAmongGroups, regroups } = ruleOf(op);
  return movesAmongGroups === true || regroups?.(input, before)?.from === null;
}

interface EmptiedGroup {
  siteId: string | undefined;
  group: string;
  /** The change that takes its last section out. */
  item: number;
}

function emptiedGroups(changes: readonly Considered[]): EmptiedGroup[] {
  const groups = new Map<string, { left: Set<string>; inside: Set<string> }>();
  const groupAt = (id: string) => groups.get(id) ?? { left: new Set<string>(), inside: new Set<string>() };
  const found: EmptiedGroup[] = [];
  for (const { op, input, before, item } of [...changes].sort((a, b) => a.item - b.item)) {
    const { section, from, into, beside } = ruleOf(op).regroups?.(input, before) ?? {};
    if (section === undefined || from === into) continue;
    if (into) {
      const group = groupAt(into);
      group.left.delete(section);
      group.inside.add(section);
      groups.set(into, group);
    }
    if (!from) continue;
    const { left, inside } = groupAt(from);
    left.add(section);
    for (const other of beside ?? []) if (!left.has(other)) inside.add(other);
    inside.delete(section);
    groups.set(from, { left, inside });
    if (inside.size === 0) found.push({ siteId: input.path?.siteId, group: from, item });
  }
  return found;
}

/** The path of the request that deletes what a creation makes. */
function removalOf({ op, input }: Change, id: string): string | undefined {
  const { makes, back } = ruleOf(op);
  const found = makes && back?.({ input, before: undefined, answer: { [makes.key]: id } });
  return found && found.undo !== 'none' ? pathOf(found.request) : undefined;
}

/** What undo will be able to do about one change alone: what its rule will say, where the state before it is known. */
export function forecastOf(op: AnyOperation, input: LooseInput, before: State | undefined): Forecast {
  const rule = ruleOf(op);
  const plain = rule.forecast(input, before);
  if (rule.creates || plain.undo === 'none' || !isWhole(rule, input, before))
    return sealedForecast(rule, input, plain);
  const { undo, why } = sealedBack(rule, { input, before, answer: undefined });
  // A condition of an exact undo is not in the way back.
  const told = undo === 'exact' && plain.undo === 'exact' ? plain.why : why;
  return { undo, ...(told !== undefined && { why: told }) };
}

/** Whether a state holds all that a way back is made from: a survey, or what a plan foresees, may know a part. */
function isWhole(rule: Rule, input: LooseInput, before: State | undefined): before is State {
  if (before === undefined || rule.back === undefined) return false;
  // Most changes of what does not exist are refused, so they leave nothing to undo.
  if (before === null) return rule.back({ input, before, answer: undefined }).undo !== 'none';
  const wanted = Object.keys(rule.wanted?.(input, before) ?? {});
  return (
    Object.values(before).every((value) => value !== undefined) &&
    wanted.every((field) => Object.hasOwn(before, field))
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
function dependsOnUnset({ op, input }: Change): boolean {
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

/**
 * What undo can do about each change of a job. What depends on a change that cannot be undone cannot be
 * undone either: the changes that had to come before it, and those of what it removed.
 * @param present indexes of removals whose resource exists again
 * @returns in the same order; `by` is the change that cannot be undone, on which it depends
 */
export function dependent(
  changes: readonly Considered[],
  present: ReadonlySet<number> = new Set(),
): { forecast: Forecast; by?: Considered }[] {
  const lost = (change: Considered) =>
    change.own.undo === 'none' && !change.refused && !present.has(change.item);
  const waiting = followersOf(changes);
  const deletions = changes.filter((change) => lost(change) && change.op.method === 'DELETE');
  const removals = new Map(deletions.map((change) => [pathOf(change), change]));
  const known = new Map<Considered, Considered | undefined>();
  const obstacle = (change: Considered): Considered | undefined => {
    if (known.has(change)) return known.get(change);
    known.set(change, undefined); // Changes that wait for each other do not stop each other.
    const next = [...(waiting.get(change.item) ?? []), ...removedWith(change, removals)];
    const found = lost(change) ? change : next.map(obstacle).find((one) => one !== undefined);
    known.set(change, found);
    return found;
  };
  return changes.map((change) => {
    const by = change.own.undo === 'none' ? undefined : obstacle(change);
    if (by === undefined) return { forecast: change.own };
    return { forecast: { undo: 'none', why: `it depends on ${by.id}: ${by.own.why}` }, by };
  });
}

/** By item, the changes that had to wait for it. A part of a change is undone with it. */
function followersOf(changes: readonly Considered[]): ReadonlyMap<number, Considered[]> {
  const found = new Map<number, Considered[]>();
  for (const change of changes) {
    if (change.refused) continue;
    for (const item of change.after ?? []) {
      if (item !== change.partOf) addTo(found, item, change);
    }
  }
  return found;
}

/** The removals of what a change is about, of what contains it, and of what its rule names. */
function removedWith(change: Considered, removals: ReadonlyMap<string, Considered>): Considered[] {
  if (removals.size === 0) return [];
  const needed = [change, ...(ruleOf(change.op).needs?.(change.input) ?? [])].map(pathOf);
  const paths = new Set(needed.flatMap(withParents));
  return [...paths].flatMap((path) => removals.get(path) ?? []).filter((removal) => removal !== change);
}

/** `/v1/orgs/o/teams/t` → `/v1`, `/v1/orgs`, … */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

/** The path of a request, without the host. */
export function pathOf({ op, input }: Pick<Change, 'op' | 'input'>): string {
  return prepare(op, { path: input.path ?? {} }).path;
}

/**
 * The outermost creation that covers each change of what the job created: deleting it undoes them. Those that have an
 * exact undo of their own keep it, since each request of an undo looks whether somebody changed the thing since.
 */
export function coversOf(changes: readonly Considered[]): ReadonlyMap<Considered, Considered> {
  const creations = new Map<string, Considered>();
  for (const change of changes)
    if (change.removal !== undefined && change.own.undo !== 'none' && !change.refused)
      creations.set(change.removal, change);
  const found = new Map<Considered, Considered>();
  if (creations.size === 0) return found;
  for (const change of changes) {
    if (change.own.undo === 'exact') continue;
    const creation = withParents(subjectOf(change)).flatMap((path) => creations.get(path) ?? [])[0];
    if (creation !== undefined && creation !== change) found.set(change, creation);
  }
  return found;
}

/** The path of what a change is about. */
function subjectOf({ op, input, id }: Considered): string {
  return pathOf(ruleOf(op).about?.(input) ?? { op, input, id });
}

/** What the deletion must find: the creation as a change left it; undefined where the change is not so simple. */
export function stateAfter(
  state: State | undefined,
  change: Considered,
  removal: string | undefined,
): State | undefined {
  const { op, input } = change;
  const rule = ruleOf(op);
  if (!state || rule.inOrder) return state;
  if (subjectOf(change) !== removal) return undefined;
  const wanted = rule.wanted?.(input, undefined) ?? {};
  const known = Object.entries(state).map(([field, value]) => [
    field,
    Object.hasOwn(wanted, field) ? wanted[field] : value,
  ]);
  return Object.fromEntries(known.filter(([, value]) => !isFromEnvironment(value)));
}

/** The changes of a job that are not known to have succeeded. */
export function restOf({ items }: Job): PlannedChange[] {
  return changesIn(items.filter(({ state }) => state !== 'ok'));
}
