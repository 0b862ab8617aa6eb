import type { DesiredItem, LiveItem } from '../model.js';
import type { LiveTree } from './live-tree.js';

/** The order of a list of a file with new items in it. */

/** An item of the list: of the file, of the platform, or both. */
export interface Member {
  item?: DesiredItem;
  live?: LiveItem;
  key: string;
}

/** Adds what comes into a list where the platform's order, or that of the keys, puts it. */
export function withIncoming(
  tree: LiveTree,
  members: readonly Member[],
  incoming: readonly LiveItem[],
): Member[] {
  const result = [...members];
  const sorted = [...incoming].sort((a, b) => tree.compare(a, b));
  for (const live of sorted) result.splice(placeOf(tree, result, live), 0, { live, key: tree.keyOf(live) });
  return result;
}

function placeOf(tree: LiveTree, members: readonly Member[], live: LiveItem): number {
  return (
    (tree.orderOf(live) === undefined || live.index < 0 ? undefined : besideNeighbour(tree, members, live)) ??
    byKey(tree, members, live)
  );
}

/** After the nearest item that comes before it on the platform, else before the nearest that comes after it. */
function besideNeighbour(tree: LiveTree, members: readonly Member[], live: LiveItem): number | undefined {
  const order = tree.orderOf(live);
  let before: { index: number; at: number } | undefined;
  let after: { index: number; at: number } | undefined;
  for (const [at, { live: other }] of members.entries()) {
    if (
      other === undefined ||
      other.index < 0 ||
      other.parent !== live.parent ||
      tree.orderOf(other) !== order
    )
      continue;
    if (other.index < live.index && (before === undefined || other.index > before.index))
      before = { index: other.index, at };
    if (other.index > live.index && (after === undefined || other.index < after.index))
      after = { index: other.index, at };
  }
  return before === undefined ? after?.at : before.at + 1;
}

/** Among items of its kind where those are sorted by key, else after them, else at the end. */
function byKey(tree: LiveTree, members: readonly Member[], live: LiveItem): number {
  const key = tree.keyOf(live);
  const alike = [...members.entries()].filter(
    ([, { item, live: other }]) => (item?.kind ?? other?.kind) === live.kind,
  );
  const isSorted = alike.every(
    ([, member], index) => index === 0 || (alike[index - 1]?.[1].key ?? '') <= member.key,
  );
  const next = isSorted ? alike.find(([, member]) => member.key > key) : undefined;
  if (next !== undefined) return next[0];
  const last = alike.at(-1);
  return last === undefined ? members.length : last[0] + 1;
}
