import type { Contents, Entry, PageNode } from './revisions.js';

/** Two contents and their common base. */
export interface Divergence {
  base: Contents;
  /** The space's. */
  main: Contents;
  /** The change request's. */
  change: Contents;
}

/** The slug of a page version, or the path of another version, which is unique among siblings. */
export interface Names {
  page(version: number): string;
  file(version: number): string;
  reusable(version: number): string;
}

/** A page without its children: its version and its parent. */
interface Spot {
  version: number;
  parent: string;
}

const top = '';

/**
 * Merges two contents three ways: takes changes, additions and removals of one side, and changes that
 * both made alike. Pages keep the order of the main content; those new in the change request follow
 * their neighbour there.
 * @returns undefined on a conflict: both sides changed something, or one removed what the other changed;
 *   a page lost its parent; or both added a page or file at one path
 */
export function mergeContents({ base, main, change }: Divergence, names: Names): Contents | undefined {
  const pages = mergePages(base.pages, main.pages, change.pages, names);
  const files = mergeEntries(base.files, main.files, change.files, names.file);
  const reusables = mergeEntries(base.reusables, main.reusables, change.reusables, names.reusable);
  return pages && files && reusables && { pages, files, reusables };
}

function mergeEntries(
  base: readonly Entry[],
  main: readonly Entry[],
  change: readonly Entry[],
  name: (version: number) => string,
): Entry[] | undefined {
  const [old, ours, theirs] = [base, main, change].map(
    (entries) => new Map(entries.map(({ id, version }) => [id, { version, parent: top }])),
  ) as [Spots, Spots, Spots];
  const merged = mergeSpots(old, ours, theirs);
  if (merged === undefined) return undefined;
  const order = mergeOrder([...ours.keys()], [...theirs.keys()], (id) => merged.has(id));
  const entries = order.map((id) => ({ id, version: merged.get(id)?.version ?? 0 }));
  return distinct(entries, name) ? entries : undefined;
}

type Spots = Map<string, Spot>;

function mergePages(
  base: readonly PageNode[],
  main: readonly PageNode[],
  change: readonly PageNode[],
  names: Names,
): PageNode[] | undefined {
  const [ours, theirs] = [spotsOf(main), spotsOf(change)];
  const merged = mergeSpots(spotsOf(base), ours, theirs);
  if (merged === undefined) return undefined;
  for (const { parent } of merged.values()) {
    if (parent !== top && !merged.has(parent)) return undefined;
  }
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
  return distinctBelow(pages, names.page) ? pages : undefined;
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
    if (known.has(id)) index = order.indexOf(id) + 1;
    else {
      order.splice(index, 0, id);
      index += 1;
    }
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

function distinct(entries: readonly Entry[], name: (version: number) => string): boolean {
  return new Set(entries.map(({ version }) => name(version))).size === entries.length;
}

function distinctBelow(nodes: readonly PageNode[], name: (version: number) => string): boolean {
  return distinct(nodes, name) && nodes.every(({ pages = [] }) => distinctBelow(pages, name));
}
