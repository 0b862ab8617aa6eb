import { defined } from '../../base/values.js';
import { type Diagram, type DiagramNode, shortTitle } from '../../document/diagram.js';
import { counted } from '../../output/text.js';
import type { MapKind, MapRow } from './nodes.js';
import { placeWords } from './words.js';

/**
 * Drawings of a map for pull requests. They say how an organization is arranged, and leave out times and what changes
 * by daily work, so that a diff of two of them is what somebody arranged. Each node is named by its kind and id.
 */

/** @param rows depth first */
export function mapDiagram(rows: Iterable<MapRow>): Diagram {
  const path: string[] = [];
  const nodes: DiagramNode[] = [];
  for (const row of rows) {
    const { kind, depth } = row;
    const id = nameOf(row);
    path.length = depth;
    const parent = path.at(-1);
    nodes.push(defined({ id, lines: labelOf(row), shape: shapes[kind], brackets: brackets[kind], parent }));
    path.push(id);
  }
  return { name: 'organization', nodes, edges: [] };
}

/**
 * A name that is a word in both languages: letters, digits and `_`, and no keyword, since every name begins with the
 * kind. Other characters of an id are written as their code, so that two ids never give one name.
 */
function nameOf({ kind, id }: MapRow): string {
  const coded = id.replaceAll(/[^A-Za-z0-9]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
  return `${kind.replaceAll('-', '')}_${coded}`;
}

const brackets: Partial<Record<MapKind, readonly [open: string, close: string]>> = {
  organization: ['[[', ']]'],
  part: ['(', ')'],
  site: ['([', '])'],
};

const shapes: Partial<Record<MapKind, string>> = {
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
