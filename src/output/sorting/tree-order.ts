/**
 * The places of a tree, depth first, where siblings stand in the order of `sorted`.
 * @param sorted all places, in order
 * @param depths of each place, whose parts follow it
 */
export function depthFirst(sorted: readonly number[], depths: readonly number[]): number[] {
  const parents = parentsOf(depths);
  const below = new Map<number, number[]>();
  for (const place of sorted) {
    const parent = parents[place] ?? root;
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [place]);
    else siblings.push(place);
  }
  const places: number[] = [];
  const waiting = (below.get(root) ?? []).toReversed();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    places.push(place);
    for (const child of (below.get(place) ?? []).toReversed()) waiting.push(child);
  }
  return places;
}

const root = -1;

function parentsOf(depths: readonly number[]): number[] {
  const open: { place: number; depth: number }[] = [];
  return depths.map((depth, place) => {
    while ((open.at(-1)?.depth ?? Number.NEGATIVE_INFINITY) >= depth) open.pop();
    const parent = open.at(-1)?.place ?? root;
    open.push({ place, depth });
    return parent;
  });
}

/** Compares two siblings. */
type Compare = (one: unknown, other: unknown) => number;

/** A tree with the siblings of every level in order. A stack: depth has no limit. */
export function sortedTree(roots: readonly unknown[], children: string, compare: Compare): unknown[] {
  const all = [...roots].sort(compare);
  const waiting: { into: unknown[] }[] = [{ into: all }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { into } = next;
    for (const [index, item] of into.entries()) {
      if (typeof item !== 'object' || item === null) continue;
      const below = (item as Record<string, unknown>)[children];
      if (!Array.isArray(below)) continue;
      const ordered: unknown[] = [...below].sort(compare);
      into[index] = { ...item, [children]: ordered };
      waiting.push({ into: ordered });
    }
  }
  return all;
}
