import { distances, longestRun } from '../organization/planner/fewest.js';
import type { Node } from './sites.js';

/** How few requests can make one tree of another, by definition and not as the planner counts. */

export interface Counts {
  /** Moves within a list, by the list: `top`, the id of a group, of a section. */
  moves: Map<string, { least: number; most: number }>;
  enters: number;
  leaves: number;
  /** Spaces that go to another section: removed and added again. */
  again: number;
}

export function minimum(now: readonly Node[], wanted: readonly Node[]): Counts {
  const [from, to] = [parentsOf(now), parentsOf(wanted)];
  const went = [...to].filter(([id, { parent }]) => from.get(id)?.parent !== parent);
  const isSection = ([, { node }]: (typeof went)[number]) => node.kind === 'section';
  const moves: Counts['moves'] = new Map();
  moves.set('top', leastOfTop(now, wanted, from));
  const gone = new Set(went.map(([id]) => id));
  const isEmptied = [...from.values()].some(
    ({ node: { kind, children } }) =>
      kind === 'section' && children.length > 0 && children.every(({ id }) => gone.has(id)),
  );
  for (const [id, { node }] of to)
    if (node.kind !== 'space') {
      const before = from.get(id)?.node.children.map((one) => one.id) ?? [];
      const least = leastOf(
        arrived(
          before,
          node.children.map((one) => one.id),
        ),
        node.children.map((one) => one.id),
      );
      // Where sections exchange all their spaces, what must be there first decides who comes when.
      const most = isEmptied ? Math.max(least, node.children.length - 1) : least;
      moves.set(id, { least, most });
    }
  return {
    moves,
    enters: went.filter((one) => isSection(one) && one[1].parent !== 'top').length,
    leaves: went.filter((one) => isSection(one) && one[1].parent === 'top').length,
    again: went.filter((one) => one[1].node.kind === 'space').length,
  };
}

function parentsOf(nodes: readonly Node[], parent = 'top'): Map<string, { node: Node; parent: string }> {
  return new Map(
    nodes.flatMap((node) => [[node.id, { node, parent }] as const, ...parentsOf(node.children, node.id)]),
  );
}

/** Who stays in its order, then those that come, in the order in which they shall stand. */
function arrived(before: readonly string[], wanted: readonly string[]): string[] {
  return [...before.filter((id) => wanted.includes(id)), ...wanted.filter((id) => !before.includes(id))];
}

function leastOf(list: readonly string[], wanted: readonly string[]): number {
  return wanted.length - longestRun(wanted.map((id) => list.indexOf(id)));
}

/** Sections that leave a group come to stand right after it. A move of a section names sections only. */
function leastOfTop(
  now: readonly Node[],
  wanted: readonly Node[],
  from: ReadonlyMap<string, { parent: string }>,
): { least: number; most: number } {
  const isShown = ({ kind, children }: Node) => kind !== 'group' || children.length > 0;
  const list = now.filter(isShown).map(({ id }) => id);
  const there = new Set(wanted.map(({ id }) => id));
  const start = list.filter((id) => there.has(id));
  for (const { id } of wanted.toReversed()) {
    const left = from.get(id)?.parent ?? 'top';
    if (left === 'top') continue;
    start.splice(start.indexOf(left) + 1, 0, id);
  }
  // Where it stands is not shown, so a move says it, which is not sent if it turns out to stand there.
  const unseen = wanted.filter((node) => isShown(node) && !start.includes(node.id));
  const end = wanted.map(({ id }) => id).filter((id) => start.includes(id));
  // A group that is left without sections need not move: nobody sees where it stands.
  const seen = (ids: readonly string[]) =>
    ids.filter((id) => wanted.some((node) => node.id === id && isShown(node)));
  const least = leastOf(seen(start), seen(end));
  const groups = new Set(wanted.filter(({ kind }) => kind === 'group').map(({ id }) => id));
  const isMixed = end.some((id) => groups.has(id)) && end.some((id) => !groups.has(id));
  if (unseen.length === 0 && isMixed && end.length <= 6) {
    const found = distances(start, (id) => groups.has(id), end.join()).get(end.join()) ?? 0;
    return { least: seen(end).length === end.length ? found : least, most: found + 1 };
  }
  const more = unseen.length + (isMixed || unseen.length > 0 ? 2 : 0);
  return { least, most: leastOf(start, end) + more };
}
