import { safeLine } from '../../output/safe-text.js';

/** Markdown from texts of others: none of them can become markup, the border of a table, or a mention. */

/** Texts are cut at this length, in characters; requests never are. */
const longest = 300;

/** Text as it is; ASCII punctuation that Markdown could interpret becomes entities, which it takes for letters. */
export function prose(text: string): string {
  return encoded(text).replaceAll('&#64;', '&#64;&#8203;');
}

/** Text in a fixed width, where nobody is mentioned. */
export function code(text: string): string {
  return `<code>${encoded(text)}</code>`;
}

/** The same, however long it is. */
export function wholeCode(text: string): string {
  return `<code>${escaped(safeLine(text))}</code>`;
}

function encoded(text: string): string {
  const line = safeLine(text);
  return escaped(line.length > longest ? `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : line);
}

function escaped(line: string): string {
  return line.replace(/[!-&*+:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A table, each row on a line; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(row).join('');
}
