import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import type { GraphPart } from '../../../document/document.js';

/** Larger graphs are drawn in part: nobody could read them, and few browsers draw them. */
const mostDrawn = 400;
/** How long places are sought for at most, in milliseconds. */
const patienceMs = 700;

/** Whether drawings are as high as they are wide. */
export const isNarrow = window.innerWidth < 640;

/** A node with its place. */
export interface Placed extends SimulationNodeDatum {
  /** Its index in the part. */
  index: number;
  x: number;
  y: number;
  radius: number;
  /** Kept free around it, beyond the radius. */
  space: number;
  /** How many edges it has. */
  degree: number;
}

export interface Joined {
  source: Placed;
  target: Placed;
  edge: GraphPart['edges'][number];
}

export interface Layout {
  nodes: readonly Placed[];
  edges: readonly Joined[];
  /** How many nodes are left out. */
  left: number;
}

/** Finds places for the nodes of a graph: of a large one, those with broken edges and the most edges. */
export function layoutOf({ nodes, edges }: GraphPart): Layout {
  const degrees = nodes.map(() => 0);
  const broken = nodes.map(() => 0);
  for (const { from, to, broken: count } of edges) {
    for (const end of [from, to]) {
      degrees[end] = (degrees[end] ?? 0) + 1;
      broken[end] = (broken[end] ?? 0) + count;
    }
  }
  const degree = (index: number) => degrees[index] ?? 0;
  const ranked = nodes
    .map((_node, index) => index)
    .sort((one, other) => (broken[other] ?? 0) - (broken[one] ?? 0) || degree(other) - degree(one));
  const placed = new Map(
    ranked.slice(0, mostDrawn).map((index) => {
      const radius = 5 + Math.min(9, Math.sqrt(degree(index)) * 1.5);
      // Half of what a label needs: most have free space beside them.
      const space = Math.min(28, nodes[index]?.label.length ?? 0) * 1.8;
      return [index, { index, x: 0, y: 0, radius, space, degree: degree(index) }];
    }),
  );
  const joined = edges.flatMap((edge) => {
    const [source, target] = [placed.get(edge.from), placed.get(edge.to)];
    return source === undefined || target === undefined ? [] : [{ source, target, edge }];
  });
  settle([...placed.values()], joined);
  return { nodes: [...placed.values()], edges: joined, left: nodes.length - placed.size };
}

function settle(nodes: Placed[], edges: Joined[]): void {
  // Only NaN makes the library choose places to begin with.
  for (const node of nodes) [node.x, node.y] = [Number.NaN, Number.NaN];
  const indexes = new Map(nodes.map((node) => [node, node.index]));
  const links = edges.filter(({ source, target }) => source !== target);
  const simulation = forceSimulation(nodes)
    .force('link', forceLink<Placed, Joined>(links).distance(90).strength(0.3))
    .force('charge', forceManyBody().strength(-260).distanceMax(600))
    .force(
      'collide',
      forceCollide<Placed>(({ radius, space }) => radius + space),
    )
    .force('x', forceX().strength(isNarrow ? 0.22 : 0.1))
    .force('y', forceY().strength(isNarrow ? 0.12 : 0.18))
    .stop();
  const until = performance.now() + patienceMs;
  while (simulation.alpha() > simulation.alphaMin() && performance.now() < until) simulation.tick();
  // The library numbers the nodes itself.
  for (const node of nodes) node.index = indexes.get(node) ?? node.index;
}
