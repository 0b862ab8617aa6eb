import type { ChalkInstance } from 'chalk';
import type { Code, Definition, List, ListItem, Nodes, Root, RootContent, Table, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import {
  deepest,
  flow,
  type MarkdownLook,
  markdownLook,
  phrasing,
  type Shared,
  sourceOf,
  wordsOf,
} from './markdown-text.js';
import { type Draw, gap, loadDraw, type Row } from './table.js';
import { safeLine, safeText, wordWrapped } from './text.js';
import { widthOf, wrap } from './text-width.js';

/** Markdown as people read it on a terminal. To be loaded where it is used: its parser costs some 100 ms. */

interface Window {
  /** Of the window; 0 where it is not known. */
  columns: number;
  chalk: ChalkInstance | undefined;
  /** Stands above the text, unless the text begins with it. */
  title?: string;
  /** What is written in place of the address of a link; default: the address. */
  leadsTo?: (url: string) => string;
}

/** Prose is never wider: longer lines are hard to read. Tables may be. */
const readableColumns = 100;

/**
 * Renders a text that may come from anybody: nothing in it commands the terminal, and every line but those of code
 * fits into the window. One that would take long to parse is shown as it was written.
 * @returns lines that end with a newline; nothing for an empty text
 */
export async function renderMarkdown(
  markdown: string,
  { columns, chalk, title, leadsTo }: Window,
): Promise<string> {
  const source = markdown.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const width = Math.min(columns || 80, readableColumns);
  const tree = markdownTree(source);
  const look = markdownLook(chalk);
  const [first] = tree?.children ?? [];
  const isTitled = first?.type === 'heading' && wordsOf(first).trim() === title?.trim();
  const above = title === undefined || isTitled ? [] : [...titleLines(title, look, width), ''];
  if (tree === undefined)
    return ended(`${above.join('\n')}\n${wordWrapped(safeText(source), { isTTY: true, columns: width })}`);
  const page = {
    source,
    look,
    definitions: definitionsIn(tree),
    leadsTo,
    draw: await loadDraw(),
  };
  return ended([...above, ...blockLines(tree.children, page, width)].join('\n'));
}

function titleLines(title: string, { heading, quiet }: MarkdownLook, columns: number): string[] {
  return flow(
    [
      { text: '# ', paint: quiet },
      { text: safeLine(title), paint: heading },
    ],
    columns,
  );
}

function ended(text: string): string {
  const lines = text.replace(/^\n+|\n+$/g, '');
  return lines.trim() === '' ? '' : `${lines}\n`;
}

/** What blocks need beside what phrasing needs. */
interface Page extends Shared {
  draw: Draw;
}

/** Below this many columns, nested blocks are not indented any further. */
const leastColumns = 20;
const tab = /\t/g;

/** Blocks as painted lines, one blank line between two of them. */
function blockLines(nodes: readonly RootContent[], page: Page, columns: number, depth = 0): string[] {
  const blocks = nodes.map((node) => linesOf(node, page, columns, depth)).filter(({ length }) => length > 0);
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function linesOf(node: RootContent, page: Page, columns: number, depth: number): string[] {
  const { look } = page;
  if (depth > deepest) return asWritten(sourceOf(node, page), page);
  switch (node.type) {
    case 'heading': {
      const marks = `${'#'.repeat(node.depth)} `;
      const words = phrasing(node.children, page, look.heading);
      return flow([{ text: marks, paint: look.quiet }, ...words], columns);
    }
    case 'paragraph':
      return flow(phrasing(node.children, page), columns);
    case 'blockquote': {
      const inner = within(columns, 2);
      const lines = blockLines(node.children, page, inner, depth + 1);
      return inner === columns ? lines : lines.map((line) => look.quiet('│ ') + line);
    }
    case 'list':
      return listLines(node, page, columns, depth);
    case 'code':
      return codeLines(node, page);
    case 'table':
      return tableLines(node, columns, look, page.draw);
    case 'thematicBreak':
      return [look.quiet('─'.repeat(Math.min(columns, 40)))];
    case 'html':
      return asWritten(node.value, page);
    case 'definition':
      return [];
    case 'footnoteDefinition': {
      const label = `[${safeText(node.label ?? node.identifier)}] `;
      const inner = within(columns, widthOf(label));
      return hung(look.quiet(label), { inner, columns }, blockLines(node.children, page, inner, depth + 1));
    }
    default:
      return asWritten(sourceOf(node, page), page);
  }
}

function listLines(list: List, page: Page, columns: number, depth: number): string[] {
  const first = list.start ?? 1;
  const widest = String(first + list.children.length - 1).length;
  const items = list.children.map((item, at) => {
    const mark = list.ordered ? `${String(first + at).padStart(widest)}. ` : '• ';
    return itemLines(item, mark, page, columns, depth);
  });
  const isLoose = list.spread || list.children.some(({ spread }) => spread);
  return items.flatMap((lines, at) => (at === 0 || !isLoose ? lines : ['', ...lines]));
}

function itemLines(item: ListItem, mark: string, page: Page, columns: number, depth: number): string[] {
  const box = item.checked === true ? '[x] ' : item.checked === false ? '[ ] ' : '';
  const label = mark + box;
  const inner = within(columns, label.length);
  const isTight = item.spread !== true;
  const blocks = item.children.map((node) => linesOf(node, page, inner, depth + 1));
  const lines = blocks.flatMap((block, at) => (at === 0 || isTight ? block : ['', ...block]));
  return hung(page.look.quiet(label), { inner, columns }, lines.length === 0 ? [''] : lines);
}

/** Code is not wrapped: whoever copies it gets what was written. */
function codeLines({ value }: Code, { look }: Page): string[] {
  const lines = safeText(value.replace(tab, '    ')).split('\n');
  return lines.map((line) => (line === '' ? '' : `    ${look.hasColor ? look.code(line) : line}`));
}

function asWritten(text: string, { look }: Page): string[] {
  const lines = safeText(text.replace(tab, '    ')).split('\n');
  return lines.map((line) => (line === '' ? '' : look.quiet(line)));
}

function within(columns: number, indent: number): number {
  return columns - indent < leastColumns ? columns : columns - indent;
}

/** A label before the first line, and as much room before the others; above all of them where there is no room. */
function hung(
  label: string,
  { inner, columns }: Record<'inner' | 'columns', number>,
  lines: string[],
): string[] {
  if (inner === columns) return [label.trimEnd(), ...lines];
  const room = ' '.repeat(columns - inner);
  return lines.map((line, at) => (at === 0 ? label + line : line === '' ? '' : room + line));
}

/** Narrower columns say nothing: each row is then a list of its cells. */
const leastCellColumns = 8;

/** A table as lines that fit: cells are wrapped; one of too many columns becomes a list for each row. */
function tableLines(table: Table, columns: number, look: MarkdownLook, draw: Draw): string[] {
  const [head, ...body] = table.children.map((row) => cellsOf(row));
  if (head === undefined) return [];
  const widths = widthsOf([head, ...body], columns);
  if (widths === undefined) return body.flatMap((cells) => recordLines(head, cells, columns, look));
  const aligned = head.map((_, at) => (table.align?.[at] === 'right' ? 'right' : 'left'));
  const rows = [
    ...rowLines(head, widths).map(({ cells }) => ({
      cells: cells.map((cell) => look.heading(cell)),
      widths,
    })),
    { cells: widths.map((width) => look.quiet('─'.repeat(width))), widths },
    ...body.flatMap((cells) => rowLines(cells, widths)),
  ];
  return draw(rows, aligned).trimEnd().split('\n');
}

function cellsOf({ children }: TableRow): string[] {
  return children.map((cell) => wordsOf(cell).replaceAll(/\s+/g, ' '));
}

/** Natural widths, the widest cut to a common one where the window is too narrow. */
function widthsOf(rows: readonly (readonly string[])[], columns: number): number[] | undefined {
  const natural = (rows[0] ?? []).map((_, at) =>
    rows.reduce((most, cells) => Math.max(most, widthOf((cells[at] ?? '').slice(0, columns * 2))), 1),
  );
  const room = columns - gap * (natural.length - 1);
  const taken = (cap: number) => natural.reduce((sum, width) => sum + Math.min(width, cap), 0);
  let cap = columns;
  while (cap >= leastCellColumns && taken(cap) > room) cap -= 1;
  return taken(cap) > room ? undefined : natural.map((width) => Math.min(width, cap));
}

/** A row of wrapped cells as rows of one line each. */
function rowLines(cells: readonly string[], widths: readonly number[]): Row[] {
  const wrapped = widths.map((width, at) => wrap(cells[at] ?? '', width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => ({
    cells: wrapped.map((lines) => lines[line] ?? ''),
    widths,
  }));
}

function recordLines(
  head: readonly string[],
  cells: readonly string[],
  columns: number,
  look: MarkdownLook,
): string[] {
  const lines = cells.flatMap((cell, at) => {
    const [first = '', ...more] = wrap(`${head[at] ?? ''}: ${cell}`, columns);
    const label = `${head[at] ?? ''}:`;
    return [first.startsWith(label) ? look.heading(label) + first.slice(label.length) : first, ...more];
  });
  return [...lines, ''];
}

/**
 * Parsing takes some 5 s a megabyte, and the square of that for texts made for it, such as 10,000 open brackets.
 * So there are limits, in characters: of the whole text, and of what stands between two blank lines.
 */
const longestText = 256 * 1024;
const longestBlock = 32 * 1024;
/** Quotes and lists that open on one line, one inside the other. */
const deepLine = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?:[ \t]|(?=>))*){60}/m;

/** A text as GitHub reads it. @returns undefined for one that would take too long */
export function markdownTree(markdown: string): Root | undefined {
  if (markdown.length > longestText || deepLine.test(markdown)) return undefined;
  if (markdown.split(/\n[ \t]*\n/).some((block) => block.length > longestBlock)) return undefined;
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Addresses that links name, by their label: the first of each. */
export function definitionsIn(tree: Nodes): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
    if ('children' in node) waiting.push(...node.children.toReversed());
  }
  return found;
}
