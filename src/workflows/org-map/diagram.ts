import { counted } from '../../output/counted.js';
import { dotText, mermaidText, shortTitle } from '../../output/diagram-text.js';
import type { MapKind, MapRow } from './nodes.js';
import { placeWords } from './words.js';

/**
 * Drawings of a map for pull requests. They say how an organization is arranged, and leave out times and what changes
 * by daily work, so that a diff of two of them is what somebody arranged. Each node is named by its kind and id.
 */

/** The rows as a Mermaid flowchart, a node a line. @param rows depth first */
export function* mermaid(rows: Iterable<MapRow>): Generator<string> {
  yield 'flowchart LR\n';
  for (const { row, name, around } of named(rows)) {
    const [open, close] = mermaidShapes[row.kind] ?? ['[', ']'];
    const edge = around === undefined ? '' : `${around} --> `;
    yield `  ${edge}${name}${open}${mermaidText(labelOf(row))}${close}\n`;
  }
}

/** The rows for Graphviz. @param rows depth first */
export function* dot(rows: Iterable<MapRow>): Generator<string> {
  yield 'digraph organization {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname="sans-serif"];\n';
  for (const { row, name, around } of named(rows)) {
    const shape = dotShapes[row.kind];
    const more = shape === undefined ? '' : `, shape=${shape}, style=solid`;
    yield `  ${name} [label=${dotText(labelOf(row))}${more}];\n`;
    if (around !== undefined) yield `  ${around} -> ${name};\n`;
  }
  yield '}\n';
}

/** Each row with its name, and the name of the node that it stands in. */
function* named(
  rows: Iterable<MapRow>,
): Generator<{ row: MapRow; name: string; around: string | undefined }> {
  const path: string[] = [];
  for (const row of rows) {
    const name = nameOf(row);
    path.length = row.depth;
    yield { row, name, around: path.at(-1) };
    path.push(name);
  }
}

/**
 * A name that is a word in both languages: letters, digits and `_`, and no keyword, since every name begins with the
 * kind. Other characters of an id are written as their code, so that two ids never give one name.
 */
function nameOf({ kind, id }: MapRow): string {
  const coded = id.replaceAll(/[^A-Za-z0-9]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
  return `${kind.replaceAll('-', '')}_${coded}`;
}

const mermaidShapes: Partial<Record<MapKind, readonly [open: string, close: string]>> = {
  organization: ['[[', ']]'],
  part: ['(', ')'],
  site: ['([', '])'],
};

const dotShapes: Partial<Record<MapKind, string>> = {
  organization: 'box3d',
  part: 'plaintext',
  collection: 'folder',
  site: 'house',
};

function labelOf(row: MapRow): string[] {
  const { kind, visibility, members, unread } = row;
  const facts = [
    ...placeWords(row),
    ...(visibility === undefined ? [] : [visibility]),
    ...(kind === 'role' && members !== undefined ? [counted(members, 'person', 'people')] : []),
    ...(unread === true ? ['not read in full'] : []),
  ];
  const title = shortTitle(row.title);
  return [
    title.trim() === '' ? row.id : title,
    ...(facts.length === 0 ? [] : [shortTitle(facts.join(', '))]),
  ];
}
