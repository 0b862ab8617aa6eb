import { safeLine } from './safe-text.js';

/** Texts in drawings for Mermaid and Graphviz: whatever comes from the platform stands in quotes, and stays text. */

/** Longer titles are cut, in characters. */
const longest = 80;

/** Edges that Mermaid draws where it is not configured otherwise (`maxEdges`). */
export const mostMermaidEdges = 500;

/** A title on one line, cut where it is long. */
export function shortTitle(title: string): string {
  const characters = [...safeLine(title)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

/**
 * Lines as a label of Mermaid, with its quotes. Every ASCII character but letters, digits and spaces is a character
 * code, so that it is neither syntax, Markdown nor HTML.
 */
export function mermaidText(lines: readonly string[]): string {
  return `"${lines.map(coded).join('<br/>')}"`;
}

function coded(line: string): string {
  return safeLine(line).replaceAll(/[!-/:-@[-`{-~]/g, (character) => `#${character.charCodeAt(0)};`);
}

/**
 * Lines as a text of Graphviz, with its quotes: `"` and `\` are escaped, so that they are neither syntax nor an escape
 * of Graphviz (`\N`, `\l`); and `&` where it would begin the name of a character.
 */
export function dotText(lines: readonly string[]): string {
  return `"${lines.map(dotLine).join('\\n')}"`;
}

function dotLine(line: string): string {
  return safeLine(line)
    .replaceAll(/[\\"]/g, '\\$&')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;');
}
