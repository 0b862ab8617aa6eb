import type { ChalkInstance } from 'chalk';
import type { Code, List, ListItem, RootContent } from 'mdast';
import { type Draw, loadDraw } from '../draw.js';
import { safeLine, safeText } from '../safe-text.js';
import { widthOf } from '../text-width.js';
import { wordWrapped } from '../word-wrap.js';
import { flow } from './flow.js';
import {
  deepest,
  type MarkdownLook,
  markdownLook,
  phrasing,
  type Shared,
  sourceOf,
  wordsOf,
} from './phrasing.js';
import { tableLines } from './table.js';
import { definitionsIn, markdownTree } from './tree.js';

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
    ...(leadsTo !== undefined && { leadsTo }),
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
      return inner === columns ? lines : inset(look.quiet('│ '), lines);
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

function inset(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => mark + line);
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
