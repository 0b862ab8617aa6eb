import type { Space } from '../../api/resources/spaces.js';
import type { Found } from './found.js';
import { byTitle, latest, type MapNode } from './nodes.js';

/** A collection while spaces and collections are put into it. */
interface Open extends MapNode {
  spaces: number;
  children: MapNode[];
}

/** Collections, each with those inside it before its spaces; then the spaces that are in none. */
export function spaceNodes(found: Found): MapNode[] {
  const collections = openCollections(found);
  const top: MapNode[] = [];
  const order = nest(found, collections, top);
  const listed = new Map(
    [...found.inCollections].flatMap(([id, ids]) => ids.map((space) => [space, id] as const)),
  );
  const ordered = [...new Set([...found.inCollections.values()].flat())].flatMap(
    (id) => found.spaces.get(id) ?? [],
  );
  const others = [...found.spaces.values()].filter(({ id }) => !listed.has(id)).sort(byTitle);
  const outside: MapNode[] = [];
  for (const space of [...ordered, ...others]) {
    const home = collections.get(space.parent ?? '') ?? collections.get(listed.get(space.id) ?? '');
    (home?.children ?? outside).push(spaceNode(space, found));
  }
  // From the innermost outwards: each sums up those inside it.
  for (const node of order.toReversed()) sumUp(node);
  return [...top, ...outside];
}

function spaceNode(space: Space, { pages }: Found): MapNode {
  const { id, title, visibility, changeRequestsOpen: openChangeRequests, updatedAt } = space;
  const count = pages.get(id);
  const more = count === undefined ? {} : { pages: count };
  return { kind: 'space', id, title, visibility, ...more, openChangeRequests, updatedAt, children: [] };
}

/** Those that are listed, in their order; then those that only a space or a collection names. */
function openCollections({ collections, spaces }: Found): Map<string, Open> {
  const open = (id: string, title: string): Open => ({
    kind: 'collection',
    id,
    title,
    spaces: 0,
    children: [],
  });
  const all = new Map([...collections.values()].map(({ id, title }) => [id, open(id, title)]));
  const named = [...collections.values(), ...spaces.values()].flatMap(({ parent }) => parent ?? []);
  for (const id of named.sort()) if (!all.has(id)) all.set(id, open(id, id));
  return all;
}

/**
 * Puts collections into those around them. One of a circle, which no platform should have, goes to the top.
 * @returns all, each after the one around it
 */
function nest({ collections }: Found, open: ReadonlyMap<string, Open>, top: MapNode[]): Open[] {
  const inside = new Map<string | undefined, Open[]>();
  for (const [id, node] of open) {
    const around = collections.get(id)?.parent;
    const own = inside.get(around);
    if (own === undefined) inside.set(around, [node]);
    else own.push(node);
  }
  const placed = new Set<Open>();
  const place = (root: Open) => {
    top.push(root);
    const waiting = [root];
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
      placed.add(node);
      const own = (inside.get(node.id) ?? []).filter((one) => !placed.has(one));
      node.children.push(...own);
      waiting.push(...own);
    }
  };
  for (const root of inside.get(undefined) ?? []) place(root);
  for (const node of open.values()) if (!placed.has(node)) place(node);
  return [...placed];
}

function sumUp(node: Open): void {
  const counts = node.children.map((child) => (child.kind === 'space' ? 1 : (child.spaces ?? 0)));
  node.spaces = counts.reduce((sum, count) => sum + count, 0);
  const updatedAt = latest(node.children);
  if (updatedAt !== undefined) node.updatedAt = updatedAt;
}
