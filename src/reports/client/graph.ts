import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import { select } from 'd3-selection';
import { type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import type { Cell, GraphPart, TablePart } from '../../document/document.js';
import { counted, grouped } from '../../output/text.js';
import { el, newId, svg } from './dom.js';
import { tableView } from './table.js';

/** Graphs of more nodes show the labels of the most linked only, until the pointer is on another. */
const labelled = 60;
const longestLabel = 28;
/** Colours of kinds, as classes of the style sheet. */
const kindColours = 6;

/** Whether drawings are as high as they are wide. */
const isNarrow = window.innerWidth < 640;

/** The space of a drawing, so that its texts are as large as others on narrow screens too. */
const [width, height] = isNarrow ? [560, 560] : [1100, 640];

/** A graph as SVG, with buttons to zoom; the mouse drags it, and zooms with Ctrl. */
export class Drawing {
  readonly node: HTMLElement;
  readonly left: number;
  readonly #part: GraphPart;
  readonly #svg: SVGSVGElement;
  readonly #inner: SVGGElement;
  readonly #zoom: ZoomBehavior<SVGSVGElement, unknown>;
  readonly #layout: Layout;
  readonly #kinds: readonly string[];

  constructor(part: GraphPart, label: string) {
    this.#part = part;
    this.#layout = layoutOf(part);
    this.left = this.#layout.left;
    this.#kinds = kindsOf(part);
    const [arrow, brokenArrow] = [newId(), newId()];
    const edges = this.#layout.edges.map((joined) => this.#edge(joined, arrow, brokenArrow));
    const nodes = this.#layout.nodes.map((placed) => this.#node(placed));
    this.#inner = svg(
      'g',
      {},
      svg('g', { class: 'edges' }, ...edges),
      svg('g', { class: 'vertices' }, ...nodes),
    );
    const attributes = {
      class: 'drawing',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': label,
    };
    const marks = svg('defs', {}, arrowOf(arrow, 'arrow'), arrowOf(brokenArrow, 'arrow broken'));
    this.#svg = svg('svg', attributes, marks, this.#inner);
    this.#zoom = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.1, 8])
      .filter(movesDrawing)
      .on('zoom', ({ transform }: { transform: unknown }) => {
        this.#inner.setAttribute('transform', String(transform));
      });
    select(this.#svg).call(this.#zoom).on('dblclick.zoom', null);
    this.#fit();
    this.node = el('div', { class: 'graph-frame' }, this.#svg, this.#buttons());
  }

  /** Shows only broken edges and what they join, or all. */
  showBroken(only: boolean): void {
    this.#svg.classList.toggle('only-broken', only);
  }

  legend(): HTMLElement {
    const items = this.#kinds.map((kind) =>
      el('li', {}, el('span', { class: `swatch ${this.#colourOf(kind)}`, 'aria-hidden': 'true' }), kind),
    );
    const broken = el(
      'li',
      {},
      el('span', { class: 'swatch broken-line', 'aria-hidden': 'true' }),
      'broken link',
    );
    return el('ul', { class: 'legend' }, ...items, broken);
  }

  #buttons(): HTMLElement {
    const scale = (label: string, text: string, act: () => void) => {
      const button = el('button', { type: 'button', 'aria-label': label, title: label }, text);
      button.addEventListener('click', act);
      return button;
    };
    return el(
      'div',
      { class: 'zoom' },
      scale('Zoom in', '+', () => this.#zoom.scaleBy(select(this.#svg), 1.4)),
      scale('Zoom out', '−', () => this.#zoom.scaleBy(select(this.#svg), 1 / 1.4)),
      scale('Show all', '⤢', () => this.#fit()),
    );
  }

  #fit(): void {
    const { nodes } = this.#layout;
    const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
    const [left, right] = [Math.min(...xs) - 40, Math.max(...xs) + 140];
    const [top, bottom] = [Math.min(...ys) - 40, Math.max(...ys) + 40];
    const scale = Math.min(1.6, width / (right - left), height / (bottom - top));
    const place = zoomIdentity
      .translate(width / 2, height / 2)
      .scale(scale)
      .translate(-(left + right) / 2, -(top + bottom) / 2);
    this.#zoom.transform(select(this.#svg), place);
  }

  #edge({ source, target, edge }: Joined, arrow: string, brokenArrow: string): SVGElement {
    const isBroken = edge.broken > 0;
    const says = [
      `${this.#label(source)} → ${this.#label(target)}`,
      counted(edge.count, 'link') + (isBroken ? `, ${edge.broken} broken` : ''),
      ...(edge.detail === undefined ? [] : [edge.detail]),
    ];
    const attributes = {
      class: isBroken ? 'edge broken' : 'edge',
      d: pathOf(source, target),
      'marker-end': `url(#${isBroken ? brokenArrow : arrow})`,
    };
    return this.#lit([source, target], svg('path', attributes, svg('title', {}, says.join('\n'))));
  }

  /** The class of a kind: what is missing is as red as the edges to it. */
  #colourOf(kind: string): string {
    return kind === 'missing' ? 'kind-missing' : `kind-${this.#kinds.indexOf(kind) % kindColours}`;
  }

  #node(placed: Placed): SVGElement {
    const { label = '', as = '', detail } = this.#part.nodes[placed.index] ?? {};
    const says = [`${as} ${label}`, ...(detail === undefined ? [] : [detail])];
    const isNamed = this.#layout.nodes.length <= labelled || this.#hubs().has(placed);
    const isBroken = this.#layout.edges.some(
      ({ source, target, edge }) => edge.broken > 0 && (source === placed || target === placed),
    );
    const attributes = {
      class: `vertex ${this.#colourOf(as)}${isNamed ? ' named' : ''}${isBroken ? ' broken' : ''}`,
      transform: `translate(${placed.x.toFixed(1)} ${placed.y.toFixed(1)})`,
    };
    const text = svg('text', { x: placed.radius + 4, dy: '.32em', direction: 'ltr' }, shortened(label));
    return this.#lit(
      [placed],
      svg(
        'g',
        attributes,
        svg('title', {}, says.join('\n')),
        svg('circle', { r: placed.radius.toFixed(1) }),
        text,
      ),
    );
  }

  /** Makes the rest pale while the pointer is on an element. */
  #lit<E extends SVGElement>(ends: readonly Placed[], element: E): E {
    element.dataset.ends = ends.map(({ index }) => index).join(' ');
    element.addEventListener('pointerenter', () => this.#light(ends));
    element.addEventListener('pointerleave', () => this.#light([]));
    return element;
  }

  #light(ends: readonly Placed[]): void {
    const near = new Set(ends.map(({ index }) => String(index)));
    if (ends.length === 1)
      for (const { source, target } of this.#layout.edges)
        if (ends.some((end) => end === source || end === target))
          for (const end of [source, target]) near.add(String(end.index));
    this.#svg.classList.toggle('lit', ends.length > 0);
    const first = String(ends[0]?.index);
    for (const element of this.#svg.querySelectorAll<SVGElement>('[data-ends]')) {
      const own = (element.dataset.ends ?? '').split(' ');
      const isNear =
        own.length === 1 ? near.has(own[0] ?? '') : own.includes(first) && own.every((end) => near.has(end));
      element.classList.toggle('near', isNear);
    }
  }

  #hubs(): ReadonlySet<Placed> {
    const ranked = [...this.#layout.nodes].sort((one, other) => other.degree - one.degree);
    return new Set(ranked.slice(0, 25));
  }

  #label({ index }: Placed): string {
    return this.#part.nodes[index]?.label ?? '';
  }
}

/** A page that scrolls is not stopped by a drawing in it: that needs Ctrl, or two fingers. */
function movesDrawing(event: MouseEvent | TouchEvent): boolean {
  if ('touches' in event) return event.touches.length > 1;
  return (event.type !== 'wheel' || event.ctrlKey) && event.button === 0;
}

function kindsOf({ nodes }: GraphPart): string[] {
  return [...new Set(nodes.map(({ as }) => as))];
}

function shortened(label: string): string {
  const characters = Array.from(label);
  return characters.length <= longestLabel ? label : `${characters.slice(0, longestLabel - 1).join('')}…`;
}

function arrowOf(id: string, name: string): SVGElement {
  const attributes = {
    id,
    viewBox: '0 0 8 8',
    refX: 7,
    refY: 4,
    markerWidth: 7,
    markerHeight: 7,
    orient: 'auto',
  };
  return svg('marker', attributes, svg('path', { class: name, d: 'M0 1 L7 4 L0 7 Z' }));
}

/** A slight curve, so that two ways between the same nodes stay apart; a loop at the node itself. */
function pathOf(source: Placed, target: Placed): string {
  const round = (...values: number[]) => values.map((value) => value.toFixed(1)).join(' ');
  if (source === target) {
    const { x, y, radius } = source;
    return `M${round(x - radius, y)} C${round(x - 34, y - 34, x + 4, y - 44, x, y - radius - 2)}`;
  }
  const [dx, dy] = [target.x - source.x, target.y - source.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(24, length * 0.12);
  const middle = [
    (source.x + target.x) / 2 - (dy / length) * bend,
    (source.y + target.y) / 2 + (dx / length) * bend,
  ];
  const end = [
    target.x - (dx / length) * (target.radius + 3),
    target.y - (dy / length) * (target.radius + 3),
  ];
  return `M${round(source.x, source.y)} Q${round(...middle, ...end)}`;
}

/** Larger graphs are drawn in part: nobody could read them, and few browsers draw them. */
const mostDrawn = 400;
/** How long places are sought for at most, in milliseconds. */
const patienceMs = 700;

/** A node with its place. */
interface Placed extends SimulationNodeDatum {
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

interface Joined {
  source: Placed;
  target: Placed;
  edge: GraphPart['edges'][number];
}

interface Layout {
  nodes: readonly Placed[];
  edges: readonly Joined[];
  /** How many nodes are left out. */
  left: number;
}

/** Finds places for the nodes of a graph: of a large one, those with broken edges and the most edges. */
function layoutOf({ nodes, edges }: GraphPart): Layout {
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

/** A graph as a drawing, and its edges as a table. @param heading id of the element that names it */
export function graphView(part: GraphPart, heading: string, madeAt: number): Node[] {
  if (part.nodes.length === 0) return [el('p', { class: 'empty' }, 'There is nothing to draw.')];
  const broken = part.edges.filter((edge) => edge.broken > 0);
  const label = `${counted(part.nodes.length, 'node')}, ${counted(part.edges.length, 'edge')}, ${broken.length} of them broken. The table below lists them.`;
  const drawing = new Drawing(part, label);
  const cut =
    drawing.left === 0
      ? undefined
      : `The drawing leaves out ${counted(drawing.left, 'node')} of ${grouped(part.nodes.length)}; the table has all.`;
  return [
    el('div', { class: 'tools' }, brokenOnly(drawing, broken.length), el('p', { class: 'status' }, label)),
    drawing.legend(),
    drawing.node,
    cut === undefined ? undefined : el('p', { class: 'note' }, cut),
    ...tableView(edgesOf(part), heading, madeAt),
  ].filter((node) => node !== undefined);
}

function brokenOnly(drawing: Drawing, count: number): HTMLElement {
  const box = el('input', { type: 'checkbox', disabled: count === 0 });
  box.addEventListener('change', () => drawing.showBroken(box.checked));
  return el('label', { class: 'tool check' }, box, ' Broken only');
}

/** The edges as rows, the broken ones first. */
function edgesOf({ title, nodes, edges }: GraphPart): TablePart {
  const hasDetail = edges.some(({ detail }) => detail !== undefined);
  const ranked = [...edges].sort((one, other) => other.broken - one.broken || other.count - one.count);
  const rows = ranked.map(({ from, to, count, broken, detail }): Cell[] => [
    nodes[from]?.label ?? '',
    nodes[to]?.label ?? '',
    count,
    broken,
    ...(hasDetail ? [detail ?? null] : []),
  ]);
  const columns: TablePart['columns'] = [
    { label: 'From', as: 'text' },
    { label: 'To', as: 'text' },
    { label: 'Links', as: 'count' },
    { label: 'Broken', as: 'count' },
    ...(hasDetail ? [{ label: 'Detail', as: 'text' } as const] : []),
  ];
  return { kind: 'table', title, columns, rows, empty: 'Nothing points at anything.' };
}
