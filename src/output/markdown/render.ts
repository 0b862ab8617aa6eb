import type { ChalkInstance } from 'chalk';
import { loadDraw } from '../draw.js';
import { safeLine, safeText } from '../safe-text.js';
import { wordWrapped } from '../word-wrap.js';
import { blockLines } from './blocks.js';
import { flow } from './flow.js';
import { type MarkdownLook, markdownLook, wordsOf } from './phrasing.js';
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
