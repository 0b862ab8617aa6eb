import { type Considered, pathOf } from './dependence.js';
import { isFromEnvironment } from './environment.js';
import type { Covered, LockLine } from './journal.js';
import type { PlannedRequest } from './request.js';
import type { Forecast } from './rule.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

/**
 * Changes of what their own job created: deleting it undoes them. Those that have an exact undo of their own keep
 * it, since each request of an undo looks whether somebody changed the thing since.
 */

/** A change, and of a creation the path of the request that deletes what it made. */
type Changed = Considered & { removal?: string };

/** The undo of a change. */
interface Undone {
  index: number;
  change: Considered;
  request?: PlannedRequest;
  expect?: State | undefined;
  lock?: LockLine;
  covers?: readonly Covered[];
}

/** The forecasts of changes, in any order, where deleting what the job creates undoes some. */
export function withCovered<T extends Changed>(changes: readonly T[]): T[] {
  const covers = coversOf(changes);
  return changes.map((change) => {
    const own: Forecast = { undo: 'exact' };
    return covers.has(change) ? { ...change, own } : change;
  });
}

/** The undo of a job without what its deletions undo. @param items from the last change to the first */
export function withoutCovered<T extends Undone>(items: readonly T[]): T[] {
  const byChange = new Map(items.map((item) => [changedBy(item), item]));
  const covers = coversOf([...byChange.keys()]);
  if (covers.size === 0) return [...items];
  const covered = new Map<number, T[]>();
  for (const [change, creation] of covers) {
    const item = byChange.get(change);
    if (item) covered.set(creation.item, [item, ...(covered.get(creation.item) ?? [])]);
  }
  const isCovered = new Set([...covered.values()].flat());
  const left = items.filter((item) => !isCovered.has(item));
  return left.map((item) => covering(item, covered.get(item.index) ?? []));
}

function changedBy({ change, request }: Undone): Changed {
  return { ...change, ...(request && ruleOf(change.op).creates && { removal: pathOf(request) }) };
}

/** The creation that covers each change, the outermost one. */
function coversOf<T extends Changed>(changes: readonly T[]): ReadonlyMap<T, T> {
  const creations = new Map<string, T>();
  for (const change of changes)
    if (change.removal !== undefined && change.own.undo !== 'none' && !change.refused)
      creations.set(change.removal, change);
  const found = new Map<T, T>();
  if (creations.size === 0) return found;
  for (const change of changes) {
    if (change.own.undo === 'exact') continue;
    const creation = pathsTo(subjectOf(change)).flatMap((path) => creations.get(path) ?? [])[0];
    if (creation !== undefined && creation !== change) found.set(change, creation);
  }
  return found;
}

/** The path of what a change is about. */
function subjectOf({ op, input, id }: Considered): string {
  return pathOf(ruleOf(op).about?.(input) ?? { op, input, id });
}

/** `/v1/orgs/o` → `/v1`, `/v1/orgs`, `/v1/orgs/o` */
function pathsTo(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

/** A deletion, with what it undoes beside the creation, in the order of the job. */
function covering<T extends Undone>(item: T, covered: readonly T[]): T {
  if (covered.length === 0) return item;
  const more = covered.flatMap(({ index, lock, covers = [] }) => [
    { item: index, ...(lock && { lock }) } satisfies Covered,
    ...covers,
  ]);
  const expect = covered.reduce<State | undefined>(
    (state, { change }) => stateAfter(state, change, item.request && pathOf(item.request)),
    item.expect,
  );
  return { ...item, expect, covers: [...(item.covers ?? []), ...more] };
}

/** What the deletion must find: the creation as a change left it; undefined where the change is not so simple. */
function stateAfter(
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
    field in wanted ? wanted[field] : value,
  ]);
  return Object.fromEntries(known.filter(([, value]) => !isFromEnvironment(value)));
}
