import type { Node, ScalarNode } from '../../files/yaml/node.js';
import type { ParsedFile } from '../../files/yaml/parse.js';
import type { Reading } from './reading.js';

/** Where a value stands. */
export interface Spot {
  reading: Reading;
  parsed: ParsedFile;
  /** Of the map that has the field, or of the value itself. */
  path: string;
  /** Part of the address of kinds that have a scope: the key of the site. */
  within: string | undefined;
}

/** The text of a scalar, numbers as they are written; undefined for true, false and null. */
export function textOf(node: ScalarNode): string | undefined {
  if (typeof node.value === 'string') return node.value;
  return typeof node.value === 'number' ? node.source : undefined;
}

/** Reports a mistake at a node, which has no value then. */
export function mistaken({ reading, parsed, path }: Spot, node: Node, message: string): undefined {
  reading.mistake(reading.place(parsed, node.start, path), message);
  return undefined;
}
