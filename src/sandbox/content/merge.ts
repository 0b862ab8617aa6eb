import type { Contents, PageNode } from './revisions.js';

interface Divergence {
  /** The common base. */
  base: Contents;
  /** The space's. */
  main: Contents;
  /** The change request's. */
  change: Contents;
}

/** Names of versions, unique among siblings: slugs of pages, paths of the others. */
export interface Names {
  page(version: number): string;
  file(version: number): string;
  reusable(version: number): string;
}

interface Spot {
  version: number;
  parent: string;
}
type Spots = Map<string, Spot>;

const top = '';

/**
 * Three-way merge: takes changes, additions and removals of one side, and changes that both made alike. Pages
 * keep the order of the main content; those new in the change request follow their neighbour there.
 * @returns undefined on a conflict: both sides changed one item, or one removed what the other changed; a
 *   page lost its parent; or both added something at one path
 */
export function mergeContents({ base, main, change }: Divergence, names: Names): Contents | undefined {
  const pages = mergeTrees(base.pages, main.pages, change.pages, names.page);
  const files = mergeTrees(base.files, main.files, change.files, names.file);
  const reusables = mergeTrees(base.reusables, main.reusables, change.reusables, names.reusable);
  return pages && files && reusables && { pages, files, reusables };
}

/** Merges trees of pages, or lists, which are trees of one level. */
function mergeTrees(
  base: readonly PageNode[],
  main: readonly PageNode[],
  change: readonly PageNode[],
  name: (version: number) => string,
): PageNode[] | undefined {
  const [ours, theirs] = [spotsOf(main), spotsOf(change)];
  const merged = mergeSpots(spotsOf(base), ours, theirs);
  if (merged === undefined) return undefined;
  const orphaned = [...merged.values()].some(({ parent }) => parent !== top && !merged.has(parent));
  if (orphaned) return undefined;
  const [mainOrder, changeOrder] = [byParent(ours), byParent(theirs)];
  const children = (parent: string): PageNode[] =>
    mergeOrder(
      mainOrder.get(parent) ?? [],
      changeOrder.get(parent) ?? [],
      (id) => merged.get(id)?.parent === parent,
    ).map((id) => {
      const pages = children(id);
      return { id, version: merged.get(id)?.version ?? 0, ...(pages.length > 0 && { pages }) };
    });
  const pages = children(top);
  return distinct(pages, name) ? pages : undefined;
}

/** Undefined where both sides changed the same thing differently. */
function mergeSpots(base: Spots, main: Spots, change: Spots): Spots | undefined {
  const merged: Spots = new Map();
  for (const id of new Set([...main.keys(), ...change.keys()])) {
    const [old, ours, theirs] = [base.get(id), main.get(id), change.get(id)];
    const taken = same(ours, old) ? theirs : ours;
    if (!same(ours, old) && !same(theirs, old) && !same(ours, theirs)) return undefined;
    if (taken !== undefined) merged.set(id, taken);
  }
  return merged;
}

function same(a: Spot | undefined, b: Spot | undefined): boolean {
  return a?.version === b?.version && a?.parent === b?.parent;
}

/** The main order, with the other side's additions after the items they follow there. */
function mergeOrder(
  main: readonly string[],
  change: readonly string[],
  stays: (id: string) => boolean,
): string[] {
  const order = main.filter(stays);
  const known = new Set(order);
  let index = 0;
  for (const id of change.filter(stays)) {
    if (known.has(id)) index = order.indexOf(id);
    else order.splice(index, 0, id);
    index += 1;
  }
  return order;
}

function spotsOf(nodes: readonly PageNode[], parent = top, spots: Spots = new Map()): Spots {
  for (const { id, version, pages = [] } of nodes) {
    spots.set(id, { version, parent });
    spotsOf(pages, id, spots);
  }
  return spots;
}

function byParent(spots: Spots): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const [id, { parent }] of spots) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  return children;
}

/** Whether names differ among siblings. */
function distinct(nodes: readonly PageNode[], name: (version: number) => string): boolean {
  const names = new Set(nodes.map(({ version }) => name(version)));
  return names.size === nodes.length && nodes.every(({ pages = [] }) => distinct(pages, name));
}
