import { defined, groupBy } from '../../base/values.js';
import {
  type Columns,
  type Document,
  type GraphPart,
  type Labelled,
  type Need,
  type TablePart,
  tablePart,
} from '../../document/document.js';
import { counted, grouped } from '../../output/text.js';
import { notReadLines } from '../../snapshot/unread.js';
import { type Finding, pageName, spaceName } from './finding.js';
import type { GraphEdge, GraphNode, ReadGraph } from './graph-builder.js';
import { type Tally, tallyWords } from './link-check.js';
import type { GroupedGraph } from './read-graph.js';
import type { LinkStatus } from './reference.js';

/** What a check has found, for its page. */
export interface Checked {
  findings: readonly Finding[];
  tally: Tally;
  /** Items and links that were searched. */
  statuses: readonly LinkStatus[];
  graph: GroupedGraph;
}

/**
 * A check of links as a page: what was found as a table, then all links as a graph.
 * @param facts where it was read, and what was asked for
 */
export function checkPage(
  { findings, tally, statuses, graph }: Checked,
  facts: readonly Labelled[],
): Document {
  const { known } = tally;
  const part = graphPart(graph, graph.groups);
  const hidden = known > 0 ? ' Those of the baseline are among them.' : '';
  const causes = causesOf(findings);
  return {
    title: 'Link check',
    headline: headlineOf(findings, statuses),
    about: [tallyWords(tally, statuses)],
    missing: notReadLines(graph.unread),
    facts,
    needs: needsOf(causes),
    parts: [{ ...part, note: `${part.note}${hidden}` }, causeTable(causes), tableOf(findings, statuses)],
  };
}

/** Links that one missing target explains. */
interface Cause {
  /** What they lead to, in words. */
  link: string;
  why: string | null;
  status: LinkStatus;
  found: Finding[];
}

/** The cause of most links first. */
function causesOf(findings: readonly Finding[]): Cause[] {
  const groups = groupBy(findings, (finding) => `${finding.status}\n${targetOf(finding)}`);
  const causes = [...groups.values()].flatMap((found): Cause[] => {
    const [first] = found;
    return first === undefined ? [] : [{ link: first.link, why: whyOf(first), status: first.status, found }];
  });
  return causes.sort((one, other) => other.found.length - one.found.length);
}

/** A relative path depends on the page it is on, so it is the same target only within a space. */
function targetOf({ target: { url, page, file, space }, link, space: { id } }: Finding): string {
  const named = [space, page, file].filter(Boolean).join('/');
  return named !== '' ? named : /^[a-z][a-z0-9+.-]*:/i.test(url ?? '') ? (url ?? '') : `${id} ${url ?? link}`;
}

/** `55 broken links in 34 spaces`. */
function headlineOf(findings: readonly Finding[], statuses: readonly LinkStatus[]): string {
  const noun = statuses.join() === 'broken' ? 'broken link' : 'link';
  if (findings.length === 0) return `No ${statuses.join(' or ')} links`;
  const spaces = new Set(findings.map(({ space }) => space.id)).size;
  return `${counted(findings.length, noun)} in ${counted(spaces, 'space')}`;
}

const causesTitle = 'By cause';

/** Targets that several links miss, then all that have one of their own. */
function needsOf(causes: readonly Cause[]): Need[] {
  const broken = causes.filter(({ status }) => status === 'broken');
  const shared = broken.filter(({ found }) => found.length > 1);
  const alone = broken.filter(({ found }) => found.length === 1).flatMap(({ found }) => found);
  const line = (text: string, found: readonly Finding[]): Need => ({
    ...{ severity: 'attention', text, command: fixCommand(found), part: causesTitle },
  });
  return [
    ...shared.map(({ link, found }) =>
      line(`${counted(found.length, 'link')} to ${link}: ${pagesIn(found)}`, found),
    ),
    ...(alone.length === 0
      ? []
      : [line(`${counted(alone.length, 'link')}, each to another missing target: ${pagesIn(alone)}`, alone)]),
  ];
}

/** What lists a target for each of them, and writes it to a change request if it is asked to. */
function fixCommand(found: readonly Finding[]): string {
  const spaces = [...new Set(found.map(({ space }) => space.id))];
  return spaces.length > mostSpaces
    ? 'docs links fix'
    : `docs links fix ${spaces.map((id) => `--space ${id}`).join(' ')}`;
}

const mostSpaces = 3;

function pagesIn(found: readonly Finding[]): string {
  const names = [...new Set(found.map((finding) => pageName(finding) ?? spaceName(finding.space)))];
  const shown = names.slice(0, mostSpaces);
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${grouped(names.length - shown.length)} more` : ''}`;
}

function causeTable(causes: readonly Cause[]): TablePart {
  const columns: Columns = { Target: 'text', Links: 'count', Spaces: 'count', State: 'state', Why: 'text' };
  const rows = causes.map(({ link, why, status, found }) => [
    link,
    found.length,
    new Set(found.map(({ space }) => space.id)).size,
    status,
    why,
  ]);
  const marks = causes.map(({ status, found }) => ({
    command: status === 'broken' ? fixCommand(found) : undefined,
    evidence: found.map((finding) => `${spaceName(finding.space)}: ${pageName(finding) ?? ''}`),
  }));
  return tablePart(causesTitle, columns, { rows, empty: 'No links to explain.', marks });
}

function tableOf(findings: readonly Finding[], statuses: readonly LinkStatus[]): TablePart {
  const columns: Columns = {
    State: 'state',
    Space: 'text',
    Page: 'text',
    Link: 'text',
    Why: 'text',
    'Address of the page': 'text',
  };
  const rows = findings.map((finding) => {
    const { status, space, page, link } = finding;
    return [status, spaceName(space), pageName(finding), link, whyOf(finding), page?.url ?? null];
  });
  const title = statuses.join() === 'broken' ? 'Broken links' : 'Links found';
  return tablePart(title, columns, { rows, empty: `No ${statuses.join(' or ')} links found.` });
}

/** The platform gives no reason; what a link leads to tells it. */
function whyOf({ status, target: { url, page, file, space } }: Finding): string | null {
  if (status === 'in-app')
    return 'It leads into the app, which readers of the published page may not be able to open.';
  if (status === 'ok') return null;
  if (page !== undefined) return 'The page does not exist.';
  if (file !== undefined) return 'The file does not exist.';
  if (space !== undefined && url === undefined) return 'The space does not exist.';
  const isPath = url !== undefined && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return isPath ? 'Nothing has this path.' : 'The target of the link does not exist.';
}

type Node = GraphPart['nodes'][number];
type Edge = GraphPart['edges'][number];

/** A link graph as a part of a report: what nodes link to each other, with how many links, and how many are broken. */
export function graphPart(
  { by, nodes, edges }: ReadGraph,
  groups: ReadonlyMap<string, string> = new Map(),
): GraphPart {
  const builder = new PartBuilder(nodes, groups);
  for (const node of nodes) if (by === 'space' && node.kind === 'space') builder.indexOf(node.id);
  for (const edge of edges) if (edge.kind === 'link') builder.add(edge);
  if (by === 'space') for (const node of nodes) builder.addRest(node, restOf(node, edges));
  const what = by === 'space' ? 'spaces' : 'pages';
  return {
    kind: 'graph',
    title: by === 'space' ? 'Links between spaces' : 'Links between pages',
    note: `A number is how many links lead from the ${what} of a row to those of a column; broken ones are red.`,
    ...builder.made(),
  };
}

/** Broken links of a space that lead to no other one. */
function restOf({ id, links }: GraphNode, edges: readonly GraphEdge[]): number {
  const drawn = edges
    .filter(({ from, kind, status }) => from === id && kind === 'link' && status === 'broken')
    .reduce((sum, { count = 0 }) => sum + count, 0);
  return (links?.broken ?? 0) - drawn;
}

/** Puts the part together: nodes as they are needed, edges once for each pair. */
class PartBuilder {
  readonly #known: ReadonlyMap<string, GraphNode>;
  readonly #groups: ReadonlyMap<string, string>;
  readonly #nodes: Node[] = [];
  readonly #places = new Map<string, number>();
  readonly #edges = new Map<string, Edge>();

  constructor(nodes: readonly GraphNode[], groups: ReadonlyMap<string, string>) {
    this.#groups = groups;
    this.#known = new Map(nodes.map((node) => [node.id, node]));
  }

  indexOf(id: string): number {
    const place = this.#places.get(id);
    if (place !== undefined) return place;
    const node = this.#known.get(id);
    this.#places.set(id, this.#nodes.length);
    return this.#nodes.push(node === undefined ? { label: id, as: 'address' } : this.#nodeOf(node)) - 1;
  }

  /** With the collection of its space, or the space. */
  #nodeOf(node: GraphNode): Node {
    const group = this.#groups.get(node.space ?? '') ?? (node.kind === 'space' ? undefined : node.spaceTitle);
    return { ...nodeOf(node, this.#known), ...defined({ group }) };
  }

  add({ from, to, count = 0, status, via }: GraphEdge): void {
    const [start, end] = [this.indexOf(from), this.indexOf(to)];
    const key = `${start} ${end}`;
    const known = this.#edges.get(key) ?? { from: start, to: end, count: 0, broken: 0 };
    const broken = known.broken + (status === 'broken' ? count : 0);
    const isByAddress = via !== undefined && via !== 'reference';
    const detail = isByAddress ? { detail: 'By address, which the platform does not check.' } : {};
    this.#edges.set(key, { ...known, ...detail, count: known.count + count, broken });
  }

  /** A node of its own for what the broken links of a space lead to. */
  addRest({ id, title = id }: GraphNode, count: number): void {
    if (count <= 0) return;
    const detail = `What ${counted(count, 'broken link')} of ${title} should lead to`;
    const end = this.#nodes.push({ label: 'Not found', as: 'missing', detail }) - 1;
    this.#edges.set(`${id} rest`, { from: this.indexOf(id), to: end, count, broken: count });
  }

  made(): Pick<GraphPart, 'nodes' | 'edges'> {
    return { nodes: this.#nodes, edges: [...this.#edges.values()] };
  }
}

function nodeOf(node: GraphNode, known: ReadonlyMap<string, GraphNode>): Node {
  const { kind, title, path, url, page, file, space, id, state, anchor } = node;
  const around = anchor === undefined ? undefined : known.get(`page:${space}/${page}`)?.title;
  const name = title || path || url || page || file || space || id;
  const detail = detailOf(node);
  return {
    label: around === undefined ? name : `${around} ${name}`,
    as: state === 'missing' ? 'missing' : kind,
    ...(detail !== '' && { detail }),
  };
}

const states: Readonly<Record<GraphNode['state'], string>> = {
  read: '',
  outside: 'not looked at',
  unknown: 'could not be read',
  missing: 'not found',
};

/** `in Welcome, 12 links, 3 within it, could not be read`. */
function detailOf({ kind, state, spaceTitle, links, isolated }: GraphNode): string {
  return [
    ...(kind !== 'space' && spaceTitle !== undefined ? [`in ${spaceTitle}`] : []),
    ...(kind === 'space' && links !== undefined
      ? [counted(links.total, 'link'), `${grouped(links.within)} within it`]
      : []),
    ...(isolated === true ? ['not linked with any other space'] : []),
    states[state],
  ]
    .filter((words) => words !== '')
    .join(', ');
}
