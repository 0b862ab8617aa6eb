import {
  type GraphEdge,
  type GraphGrain,
  GraphNode,
  type GraphQuestion,
  graphGrains,
  type ReadGraph,
} from '../../access/links/graph-builder.js';
import { linksUnread } from '../../access/links/link-check.js';
import { readGraph } from '../../access/links/read-graph.js';
import { defined } from '../../base/values.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import type {
  ManualInput,
  Report,
  ReportEnding,
  ReportForm,
  ReportRequest,
  View,
} from '../../cli/run/run-report.js';
import {
  type Diagram,
  type DiagramEdge,
  type DiagramNode,
  shortTitle,
  tooManyEdges,
} from '../../document/diagram.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import { counted, grouped } from '../../output/text.js';
import { notReadLines, unreadFacts } from '../../snapshot/unread.js';

/** `docs links graph`: prints a drawing, the graph as JSON, or an edge a row. */

/** A link graph as a diagram: where pages are drawn, those of a space stand together. */
export function linkDiagram({ by, nodes, edges }: ReadGraph): Diagram {
  const clusterOf = ({ kind, space }: GraphNode) => (by === 'space' || kind === 'site' ? undefined : space);
  const spaces = nodes.filter(({ kind }) => kind === 'space');
  return {
    name: 'links',
    nodes: nodes.map((node): DiagramNode => {
      const { id, kind, state } = node;
      const colour = state === 'read' ? undefined : state;
      const lines = linesOf(node);
      return defined({
        id,
        lines,
        shape: shapes[kind],
        brackets: brackets[kind],
        colour,
        cluster: clusterOf(node),
      });
    }),
    edges: edges.map((edge): DiagramEdge => {
      const { from, to, kind, status } = edge;
      return { from, to, kind, label: labelOf(edge), isBroken: status === 'broken' };
    }),
    clusters: new Map(spaces.toReversed().map((node) => [node.space ?? '', linesOf(node).slice(0, 1)])),
  };
}

const shapes: Partial<Record<GraphNode['kind'], string>> = {
  site: 'house',
  file: 'note',
  anchor: 'cds',
  address: 'plaintext',
};

const brackets: Partial<Record<GraphNode['kind'], readonly [string, string]>> = {
  site: ['([', '])'],
  anchor: ['>', ']'],
};

/** The lines of a node: its title, and what is to be known of it. */
function linesOf({
  kind,
  title,
  space,
  file,
  page,
  path,
  url,
  id,
  state,
  links,
  isolated,
}: GraphNode): string[] {
  const name = title || path || url || page || file || space || id;
  const lines = [shortTitle(kind === 'site' ? `Site: ${name}` : name)];
  if (state === 'missing') lines.push('not found');
  if (state === 'unknown') lines.push('unknown');
  if (links !== undefined && links.broken > 0) lines.push(counted(links.broken, 'broken link'));
  if (isolated === true) lines.push('isolated');
  return lines;
}

/** What stands at an edge: how many links, where they are more than one, and what is wrong with them. */
function labelOf({ kind, count = 1, status, via }: GraphEdge): string {
  if (kind !== 'link') return '';
  const about = status === 'broken' ? 'broken' : via === 'reference' ? '' : 'by address';
  return [count > 1 ? String(count) : '', about].filter(Boolean).join(' ');
}

const ends = fieldPaths(GraphNode).fields;

/** An edge with the nodes at its ends. `id` is that of what it comes from. */
function rowViewOf(by: GraphGrain): View {
  const endOf = (end: string, label: string) => [
    ...(by === 'page' ? [{ path: `${end}.spaceTitle`, label: `${label} SPACE` }] : []),
    { path: `${end}.title`, label },
  ];
  return {
    columns: [
      ...[...endOf('from', 'FROM'), ...endOf('to', 'TO')],
      { path: 'kind' },
      { path: 'status', as: 'state' },
      { path: 'via' },
      { path: 'count', label: 'LINKS' },
      { path: 'from.id', label: 'FROM ID', as: 'id' },
      { path: 'to.id', label: 'TO ID', as: 'id' },
    ],
    fields: [
      ...['id', 'kind', 'status', 'via', 'count', 'siteSpaces'],
      ...['from', 'to'].flatMap((end) => [end, ...ends.map((field) => `${end}.${field}`)]),
    ],
    empty: 'No links between spaces.',
  };
}

/** `docs links graph`. Partial (exit 3) where something was not read; usage; as `readGraph`. */
export const graphReport: Report<ReadGraph> = {
  read: readAsked,
  diagram: linkDiagram,
  rows: rowsOf,
  rowView: ({ input }) => rowViewOf(questionOf(input).by),
  value: (graph) => ({ ...graph, unread: graph.unread.map(unreadFacts) }),
  end: (graph, { session, form }) => endingOf(graph, form, session.io.platform),
};

async function readAsked({ session, input, reading, progress }: ReportRequest): Promise<ReadGraph> {
  const question = questionOf(input);
  // Without an organization it fails before it asks for a token.
  const source = await reading(await contextId(session, 'org'));
  return progress('Looking for spaces', (shown) =>
    readGraph(source, question, (done, total) => {
      if (done === 1) shown.next('Reading links', total);
      shown.count(done, 0);
    }),
  );
}

function questionOf({ options }: ManualInput): GraphQuestion {
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const some = (name: string) => (many(name).length === 0 ? undefined : new Set(many(name)));
  return {
    scope: { spaces: many('space'), collections: many('collection'), sites: many('site') },
    by: graphGrains.find((grain) => grain === options.by) ?? 'space',
    filter: { from: some('from'), to: some('to') },
  };
}

type Row = Omit<GraphEdge, 'from' | 'to'> & { id: string; from: GraphNode; to: GraphNode };

function rowsOf({ nodes, edges }: ReadGraph): Row[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap((edge) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    return { ...edge, id: from.page ?? from.space ?? from.site ?? from.id, from, to };
  });
}

function endingOf(graph: ReadGraph, form: ReportForm, platform: NodeJS.Platform): ReportEnding {
  const { nodes, edges, unread } = graph;
  const tooMany = form === 'mermaid' ? tooManyEdges('graph', edges.length) : undefined;
  const warnings = [...notReadLines(unread), ...(tooMany === undefined ? [] : [tooMany])];
  const words = sumOf(graph);
  if (unread.length === 0) return { warnings, note: words };
  const read = nodes.filter(({ kind, state }) => kind === 'space' && state === 'read').length;
  const details = { spaces: read, unread: unread.map(unreadFacts) };
  return { warnings, failure: linksUnread(words, { unread, details, platform, isAny: read > 0 }) };
}

function sumOf({ by, nodes, edges, unread }: ReadGraph): string {
  const of = (kind: GraphNode['kind']) =>
    nodes.filter((node) => node.kind === kind && node.state !== 'missing').length;
  const links = edges.filter(({ kind }) => kind === 'link');
  const count = (some: readonly GraphEdge[]) => some.reduce((sum, edge) => sum + (edge.count ?? 0), 0);
  const broken = count(links.filter(({ status }) => status === 'broken'));
  const between = by === 'space' ? ' between them' : '';
  const sentences = [
    `${counted(of('space'), 'space')}, ${counted(of('site'), 'site')}, ${counted(count(links), 'link')}${between}` +
      `${broken > 0 ? `, ${grouped(broken)} of them broken` : ''}.`,
  ];
  const isolated = nodes.filter((node) => node.isolated === true).length;
  if (isolated > 0) sentences.push(`${counted(isolated, 'space')} isolated.`);
  if (unread.length > 0) sentences.push(`Not read: ${grouped(unread.length)}.`);
  return sentences.join(' ');
}
