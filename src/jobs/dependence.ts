import { prepare } from '../api/client.js';
import type { PlannedRequest } from './request.js';
import type { Forecast } from './rule.js';
import { ruleOf } from './undo-rules.js';

/** A change among those of a job, and what undo could do about it alone. */
export interface Considered extends PlannedRequest {
  /** Its index in the job. */
  item: number;
  /** Indexes of the items that had to come first. */
  after?: readonly number[] | undefined;
  /** Index of the item that it completes. */
  partOf?: number | undefined;
  own: Forecast;
  /** It was refused, so nothing depends on it. */
  refused?: boolean;
}

export interface Outlook<T> {
  forecast: Forecast;
  /** The change that cannot be undone, on which this one depends. */
  by?: T;
}

/**
 * What undo can do about each change of a job. What depends on a change that cannot be undone cannot be
 * undone either: the changes that had to come before it, and those of what it removed.
 * @param present indexes of removals whose resource exists again
 * @returns in the same order
 */
export function dependent<T extends Considered>(
  changes: readonly T[],
  present: ReadonlySet<number> = new Set(),
): Outlook<T>[] {
  const lost = (change: T) => change.own.undo === 'none' && !change.refused && !present.has(change.item);
  const waiting = followersOf(changes);
  const removals = removalsOf(changes.filter(lost));
  const known = new Map<T, T | undefined>();
  const obstacle = (change: T): T | undefined => {
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
function followersOf<T extends Considered>(changes: readonly T[]): ReadonlyMap<number, T[]> {
  const found = new Map<number, T[]>();
  for (const change of changes) {
    if (change.refused) continue;
    for (const item of change.after ?? []) {
      if (item !== change.partOf) found.set(item, [...(found.get(item) ?? []), change]);
    }
  }
  return found;
}

/** The removals by the path of what they removed. */
function removalsOf<T extends Considered>(changes: readonly T[]): ReadonlyMap<string, T> {
  const deletions = changes.filter(({ op }) => op.method === 'DELETE');
  return new Map(deletions.map((change) => [pathOf(change), change]));
}

/** The removals of what a change is about, of what contains it, and of what its rule names. */
function removedWith<T extends Considered>(change: T, removals: ReadonlyMap<string, T>): T[] {
  if (removals.size === 0) return [];
  const needed = [change, ...(ruleOf(change.op).needs?.(change.input) ?? [])].map(pathOf);
  const paths = new Set(needed.flatMap(withParents));
  return [...paths].flatMap((path) => {
    const removal = removals.get(path);
    return removal === undefined || removal === change ? [] : removal;
  });
}

/** `/v1/orgs/o/teams/t` → `/v1`, `/v1/orgs`, … */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

/** The path of a request, without the host. */
export function pathOf({ op, input }: Pick<PlannedRequest, 'op' | 'input'>): string {
  return prepare(op, { path: input.path ?? {} }).path;
}
