import { nearest } from '../../base/nearest.js';

/**
 * A parsed file as a tree of its own: what readers and editors need of YAML, and nothing that aliases, tags or
 * several documents could smuggle in. Offsets count UTF-16 code units of the text.
 */
export type Node = ScalarNode | MapNode | ListNode;

interface Span {
  start: number;
  /** After the last character of the value, without what follows it on its line. */
  end: number;
}

export interface ScalarNode extends Span {
  type: 'scalar';
  value: string | number | boolean | null;
  /** As it is written, without quotes: `1.10`. */
  source: string;
  /** Plain, or how it is quoted. */
  style: 'plain' | 'single' | 'double' | 'block';
  /** `!env` or `!file`. */
  tag?: 'env' | 'file';
}

export interface MapNode extends Span {
  type: 'map';
  flow: boolean;
  entries: Map<string, Entry>;
}

export interface Entry {
  key: string;
  keyStart: number;
  /** After the colon. */
  afterColon: number;
  value: Node;
}

export interface ListNode extends Span {
  type: 'list';
  flow: boolean;
  items: Node[];
  /** Where the `-` of each item is; of flow lists where the item begins. */
  dashes: number[];
}

export function isScalar(node: Node | undefined): node is ScalarNode {
  return node?.type === 'scalar';
}

export function isMap(node: Node | undefined): node is MapNode {
  return node?.type === 'map';
}

export function isList(node: Node | undefined): node is ListNode {
  return node?.type === 'list';
}

/** The offsets at which lines begin, to tell lines and columns by. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Line and column of an offset, from 1. */
export function positionIn(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] as number) + 1 };
}

/** Where something stands in a file. */
export interface FileLocation {
  /** As errors name it: its path, relative to the folder where the file is one of several. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  /** `people[3].role`. */
  path: string;
}

/** One mistake of a file. Values are never quoted: one of them may be a secret in the wrong place. */
export interface Mistake extends FileLocation {
  /** The rest of a sentence about the path: `is not known; did you mean "role"?`. */
  message: string;
  /** The known key or value that was most likely meant. */
  nearest?: string;
}

/** `teams.yaml:3:5 teams[1].titel is not known; did you mean "title"?` */
function mistakeLine({ file, line, column, path, message }: Mistake): string {
  return `${file}:${line}:${column} ${path === '' ? 'the file' : path} ${message}`;
}

/** How many mistakes are shown: enough to mend a file by; more would only scroll. */
const mostMistakes = 200;

/** Mistakes in the order of files and lines, as an error tells them. */
export function listMistakes(all: readonly Mistake[]) {
  const sorted = [...all].sort(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
  const mistakes = sorted.slice(0, mostMistakes);
  const rest = sorted.length > mostMistakes ? [`and ${sorted.length - mostMistakes} more`] : [];
  const count = sorted.length === 1 ? '1 mistake' : `${sorted.length} mistakes`;
  return { count, mistakes, lines: [...mistakes.map(mistakeLine), ...rest] };
}

/** ` did you mean "title"?`, where something is near. */
export function withNearest(
  message: string,
  word: string,
  known: Iterable<string>,
): Pick<Mistake, 'message' | 'nearest'> {
  const meant = nearest(word, known);
  return meant === undefined
    ? { message }
    : { message: `${message}; did you mean "${meant}"?`, nearest: meant };
}

/** YAML of more bytes takes seconds and hundreds of megabytes to parse. */
export const mostYaml = 2 * 1024 * 1024;
