import { counted, grouped, safeLine } from '../output/text.js';
import {
  cellText,
  type Document,
  type FactsPart,
  type TablePart,
  type TextPart,
  type TreeNode,
} from './document.js';

/** Markdown of texts of others: none of them can become markup, the border of a table, or a mention. */

/** A document for a pull request or a ticket: the rows of its parts up to what a comment holds. */
export function renderMarkdown({ title, parts }: Pick<Document<TextPart>, 'title' | 'parts'>): string {
  const excerpt = new Excerpt(mostCharacters);
  excerpt.text = `### ${prose(title)}\n`;
  for (const part of parts) {
    if (part.kind === 'table') addTable(part, excerpt);
    else if (part.kind === 'tree') addNode(part.root, excerpt);
    else addFacts(part, excerpt);
  }
  return excerpt.text + excerpt.more('further row');
}

/** A node, and below it what is in it, as a list. */
function addNode({ label, facts = [], children = [] }: TreeNode, excerpt: Excerpt, depth = 0): void {
  const words = [label, ...facts].map((text) => prose(text)).join(', ');
  excerpt.add(`${depth === 0 ? '\n' : ''}${'  '.repeat(depth)}- ${words}\n`);
  for (const child of children) addNode(child, excerpt, depth + 1);
}

function addFacts({ items }: FactsPart, excerpt: Excerpt): void {
  excerpt.text += '\n';
  for (const { label, value } of items) excerpt.add(`- **${prose(label)}**: ${prose(value)}\n`);
}

/** A table of one column is a list. */
function addTable({ title, columns, rows, empty }: TablePart, excerpt: Excerpt): void {
  if (rows.length === 0) {
    excerpt.text += `\n${prose(empty)}\n`;
    return;
  }
  const isList = columns.length === 1;
  const head = columns.map(({ label }) => label || ' ');
  excerpt.text += `\n**${prose(title)} (${grouped(rows.length)})**\n\n${isList ? '' : table(head, [])}`;
  for (const row of rows) {
    const cells = row.map(cellText);
    excerpt.add(isList ? `- ${prose(cells[0] ?? '')}\n` : `| ${cells.map(proseOrAddress).join(' | ')} |\n`);
  }
}

function proseOrAddress(text: string): string {
  return /^https?:/.test(text) ? code(text) : prose(text);
}

/** Below what a comment holds. */
const mostCharacters = 60_000;

/** What a comment on GitHub holds, in characters. */
export const longestComment = 65_536;

/** Texts are cut at this length, in characters; requests never are. */
const longest = 300;

/** ASCII punctuation that Markdown could interpret. */
const punctuation = /[!-&*+:-@[-`{-~]/g;

/** What Markdown could interpret, as entities, which it takes for letters. */
export function escapeMarkdown(line: string, characters = punctuation): string {
  return line.replace(characters, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text on one line, cut where it is long. */
export function shortLine(text: string, most = longest): string {
  const line = safeLine(text);
  return line.length > most ? `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** Text as it is; an invisible space keeps anybody from being mentioned. */
export function prose(text: string, characters = punctuation): string {
  return escapeMarkdown(shortLine(text), characters).replaceAll('&#64;', '&#64;&#8203;');
}

/** Text in a fixed width, where nobody is mentioned. */
export function code(text: string, characters = punctuation): string {
  return `<code>${escapeMarkdown(shortLine(text), characters)}</code>`;
}

/** The same, however long it is. */
export function wholeCode(text: string): string {
  return `<code>${escapeMarkdown(safeLine(text))}</code>`;
}

/** The lines of a table; cells are Markdown. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** A table, each row on a line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${tableLines(head, rows).join('\n')}\n`;
}

/** Pieces up to a length in characters; those that do not fit are counted. */
export class Excerpt {
  text = '';
  #left = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns whether the piece fits */
  add(piece: string): boolean {
    const fits = this.text.length + piece.length <= this.#most;
    if (fits) this.text += piece;
    else this.#left += 1;
    return fits;
  }

  /** How many pieces are left out, as a paragraph; empty where all fit. */
  more(noun: string, where = ''): string {
    return this.#left === 0 ? '' : `\n… and ${counted(this.#left, noun)} that did not fit${where}.\n`;
  }
}
