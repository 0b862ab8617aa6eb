import { withoutFinalNewline } from '../../base/characters.js';
import { isObject } from '../../base/values.js';
import {
  type Entry,
  isList,
  isMap,
  isScalar,
  type ListNode,
  type MapNode,
  type Node,
} from '../../files/yaml/node.js';

/** Values as YAML text, one style for one value, so that the same organization gives the same bytes. */

/** What a file says instead of a value. */
export class FileReference {
  constructor(readonly path: string) {}
}

/** A list or map on one line: the teams of a person. */
export class Inline {
  constructor(readonly value: unknown) {}
}

/** A scalar on one line. @param flow whether it stands inside of brackets */
function scalarText(value: unknown, flow = false): string {
  if (value instanceof FileReference) return `!file ${scalarText(value.path, flow)}`;
  if (typeof value !== 'string') return String(value);
  return isPlain(value, flow) ? value : quoted(value);
}

/** What YAML, in this version or an older one, takes for something else than a text. */
const special =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?[\d.][\d_]*(?:\.\d*)?(?:e[-+]?\d+)?|[-+]?\.\d+|0[xob][\da-f]+|[-+]?\.(?:inf|nan)|\d{4}-\d.*|[\d:]+)$/i;

/** The characters of a text without quotes. All of ASCII that is printed is one of the others: without their tables it takes a tenth of the time. */
const plainAscii = /^[A-Za-z0-9_/.+(]/;
const plainAny = /^[\p{L}\p{N}_/.+(][\p{L}\p{N}\p{P}\p{S} ]*$/u;

function isPlain(text: string, flow: boolean): boolean {
  const begun = /^[ -~]*$/.test(text) ? plainAscii : plainAny;
  if (!begun.test(text) || special.test(text)) return false;
  if (/: |:$| #| $|^---|^\.\.\./.test(text)) return false;
  return !flow || !/[,[\]{}]/.test(text);
}

function quoted(text: string): string {
  return isPrintable(text) ? `'${text.replaceAll("'", "''")}'` : doubleQuoted(text);
}

function isPrintable(text: string): boolean {
  return !/[\p{C}\u2028\u2029\u0085]/u.test(text);
}

function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** In the style in which the former text was written, where that can hold it. */
function styledText(value: unknown, style: 'plain' | 'single' | 'double' | 'block', flow: boolean): string {
  if (typeof value !== 'string') return scalarText(value, flow);
  if (style === 'double') return doubleQuoted(value);
  return style === 'single' && isPrintable(value) ? quoted(value) : scalarText(value, flow);
}

function flowText(value: unknown): string {
  if (value instanceof Inline) return flowText(value.value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (!isPlainObject(value)) return scalarText(value, true);
  const parts = Object.entries(value).map(([key, part]) => `${scalarText(key, true)}: ${flowText(part)}`);
  return `{${parts.join(', ')}}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof FileReference) && !(value instanceof Inline);
}

/** `key: value` as lines without line breaks, indented. */
export function entryLines(key: string, value: unknown, indent: string): string[] {
  const head = `${indent}${scalarText(key)}:`;
  if (value instanceof Inline) return [`${head} ${flowText(value)}`];
  if (Array.isArray(value) && value.length > 0) return [head, ...listLines(value, `${indent}  `)];
  if (isPlainObject(value) && Object.keys(value).length > 0) return [head, ...mapLines(value, `${indent}  `)];
  if (Array.isArray(value) || isPlainObject(value)) return [`${head} ${flowText(value)}`];
  const block = typeof value === 'string' ? literal(value, `${indent}  `) : undefined;
  return block === undefined ? [`${head} ${scalarText(value)}`] : [`${head} ${block[0]}`, ...block.slice(1)];
}

export function mapLines(value: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.keys(value).flatMap((key) => entryLines(key, value[key], indent));
}

export function listLines(items: readonly unknown[], indent: string): string[] {
  return items.flatMap((item) => {
    if (!isPlainObject(item) || Object.keys(item).length === 0) return [`${indent}- ${flowText(item)}`];
    return dashed(mapLines(item, `${indent}  `), indent);
  });
}

/** Lines of a map as an item of a list. */
export function dashed(lines: readonly string[], indent: string): string[] {
  return [`${indent}- ${(lines[0] ?? '').slice(indent.length + 2)}`, ...lines.slice(1)];
}

/** A text of several lines as a literal block; undefined where quotes are needed. */
function literal(text: string, indent: string): string[] | undefined {
  if (!text.includes('\n') || !isPrintable(text.replaceAll('\n', ''))) return undefined;
  const lines = text.replace(/\n+$/, '').split('\n');
  const ends = text.length - text.replace(/\n+$/, '').length;
  if (
    /^\s/.test(lines[0] ?? '') ||
    lines[0] === '' ||
    lines.some((line) => line !== '' && line.trim() === '')
  )
    return undefined;
  if (ends > 1) return undefined;
  return [ends === 1 ? '|' : '|-', ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))];
}

/** Edits of a text by its offsets. What no edit touches stays as it is, byte by byte. */

interface Edit {
  start: number;
  end: number;
  /** A function makes it of parts that may be edited themselves, so edits inside are its own affair. */
  text: string | (() => string);
}

export class TextEdits {
  readonly #edits: Edit[] = [];
  #sorted: readonly Edit[] | undefined;
  readonly eol: string;
  /** The edits that make lists anew: what is taken out of such a list is not to be made by it. */
  readonly lists = new WeakMap<ListNode, Edit>();
  /** Items that go to another list, with the comments before them. */
  readonly moved = new WeakSet<Node>();

  constructor(readonly text: string) {
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** @param text of what contains other edits, a function that takes its parts by `slice` */
  replace(start: number, end: number, text: Edit['text']): Edit {
    const edit = { start, end, text };
    this.#edits.push(edit);
    this.#sorted = undefined;
    return edit;
  }

  /** The whole text, edited. */
  result(): string {
    return this.slice(0, this.text.length);
  }

  /**
   * A part of the text, edited. An insertion at the start of the part belongs to what is before it.
   * @param without an edit to leave out
   */
  slice(from: number, to: number, without?: Edit): string {
    let result = '';
    let at = from;
    // The end of an edit that made its own text: what is inserted there is in that text.
    let covered = -1;
    for (const edit of this.#from(from)) {
      if (edit.start > to) break;
      const isInsertion = edit.start === edit.end;
      const isOutside = edit.end > to || (isInsertion && edit.start === from && from > 0);
      if (edit === without || isOutside || edit.start < at || (isInsertion && edit.start === covered))
        continue;
      const { text } = edit;
      result += this.text.slice(at, edit.start) + (typeof text === 'string' ? text : text());
      at = edit.end;
      if (typeof text !== 'string') covered = at;
    }
    return result + this.text.slice(at, to);
  }

  /** Edits that begin at an offset or after it, the longest of those that begin together first. */
  #from(offset: number): Iterable<Edit> {
    this.#sorted ??= [...this.#edits].sort((a, b) => a.start - b.start || b.end - a.end);
    const all = this.#sorted;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle] as Edit).start < offset) low = middle + 1;
      else high = middle;
    }
    return tail(all, low);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** After the line break that ends the line of an offset. */
  lineEnd(offset: number): number {
    const at = this.text.indexOf('\n', offset);
    return at < 0 ? this.text.length : at + 1;
  }

  /** The blanks before an offset on its line, or as many as there are characters. */
  indentOf(offset: number): string {
    return ' '.repeat(offset - this.lineStart(offset));
  }

  /** Lines as text for a place where a line begins. */
  lines(lines: readonly string[], at: number): string {
    const open = at > 0 && this.text[at - 1] !== '\n' ? this.eol : '';
    return open + lines.map((line) => line + this.eol).join('');
  }
}

function* tail<T>(all: readonly T[], from: number): Iterable<T> {
  for (let at = from; at < all.length; at += 1) yield all[at] as T;
}

/** Edits of nodes in the text of their file. */

/** Sets a key of a map; undefined removes it. Equal parts of lists and maps stay as they are written. */
export function setEntry(edits: TextEdits, map: MapNode, key: string, value: unknown): void {
  const entry = map.entries.get(key);
  if (value === undefined) {
    if (entry !== undefined) removeEntry(edits, map, entry);
  } else if (entry === undefined) appendEntry(edits, map, key, value);
  else setValue(edits, entry, value, map.flow);
}

function setValue(edits: TextEdits, entry: Entry, wanted: unknown, inFlow: boolean): void {
  const node = entry.value;
  const value = wanted instanceof Inline ? wanted.value : wanted;
  if (
    isList(node) &&
    node.items.length > 0 &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isPlainValue)
  ) {
    setList(edits, entry, node, value);
    return;
  }
  if (isMap(node) && node.entries.size > 0 && isObject(value) && Object.keys(value).length > 0) {
    for (const key of node.entries.keys()) if (!(key in value)) setEntry(edits, node, key, undefined);
    for (const [key, part] of Object.entries(value)) {
      const known = node.entries.get(key);
      if (known === undefined || !isSame(known.value, part)) setEntry(edits, node, key, part);
    }
    return;
  }
  if (isScalar(node) && (typeof value !== 'object' || value === null)) {
    const text = styledText(value, node.style, inFlow);
    edits.replace(node.start, node.end, text);
    return;
  }
  replaceWhole(edits, entry, wanted, inFlow);
}

/** A value of another shape, in place of the former one. */
function replaceWhole(
  edits: TextEdits,
  { keyStart, afterColon, value: node, key }: Entry,
  value: unknown,
  inFlow: boolean,
): void {
  const isOneLine =
    inFlow ||
    value instanceof Inline ||
    isEmpty(value) ||
    edits.lineStart(keyStart) === edits.lineStart(node.start);
  if (isOneLine) {
    edits.replace(afterColon, node.end, ` ${flowText(value)}`);
    return;
  }
  const [, ...lines] = entryLines(key, value, edits.indentOf(keyStart));
  edits.replace(afterColon, node.end, `${edits.eol}${lines.join(edits.eol)}`);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isPlainValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isSame(node: Node, value: unknown): boolean {
  return isScalar(node)
    ? node.value === value || (typeof node.value === 'number' && node.source === value)
    : false;
}

function setList(edits: TextEdits, entry: Entry, node: ListNode, values: readonly unknown[]): void {
  const left = new Set(node.items.map((_, index) => index));
  const parts = values.map((value): ListPart => {
    const found = [...left].find((index) => isSame(node.items[index] as Node, value));
    if (found === undefined) return { lines: (indent) => listLines([value], indent), flow: flowText(value) };
    left.delete(found);
    return { edits, node, index: found };
  });
  setParts(edits, entry, parts);
}

function removeEntry(edits: TextEdits, map: MapNode, entry: Entry): void {
  const all = [...map.entries.values()];
  const index = all.indexOf(entry);
  const next = all[index + 1];
  const before = all[index - 1];
  if (map.flow) {
    const [start, end] =
      next !== undefined
        ? [entry.keyStart, next.keyStart]
        : [before?.value.end ?? entry.keyStart, entry.value.end];
    edits.replace(start, end, '');
    return;
  }
  const line = edits.lineStart(entry.keyStart);
  if (edits.text.slice(line, entry.keyStart).trim() === '')
    edits.replace(line, edits.lineEnd(entry.value.end), '');
  else if (next !== undefined) edits.replace(entry.keyStart, next.keyStart, '');
  else edits.replace(entry.keyStart, entry.value.end, '{}');
}

function appendEntry(edits: TextEdits, map: MapNode, key: string, value: unknown): void {
  if (map.flow) {
    const comma = map.entries.size > 0 ? ', ' : '';
    edits.replace(map.end - 1, map.end - 1, `${comma}${scalarText(key, true)}: ${flowText(value)}`);
    return;
  }
  insertLines(edits, map, entryLines(key, value, indentIn(edits, map)));
}

/** Lines after the last entry of a map. */
export function insertLines(edits: TextEdits, map: MapNode, lines: readonly string[]): void {
  const at = edits.lineEnd(map.end);
  edits.replace(at, at, edits.lines(lines, at));
}

/** The indentation of the keys of a map. */
export function indentIn(edits: TextEdits, map: MapNode): string {
  const first = map.entries.values().next().value;
  return first === undefined ? '' : edits.indentOf(first.keyStart);
}

/** An item of a list: one that is in the text, maybe of another list, or a new one. */
export type ListPart =
  | { edits: TextEdits; node: ListNode; index: number }
  | { lines: (indent: string) => string[]; flow: string };

/** Makes a list of parts. Comments before an item go with it; those of removed items stay. */
export function setParts(edits: TextEdits, entry: Entry, parts: readonly ListPart[]): void {
  const { value: node } = entry;
  if (!isList(node)) return;
  if (node.items.length === 0) fillEmpty(edits, entry, node, parts);
  else if (isAsWritten(node, parts)) return;
  else if (node.flow)
    edits.lists.set(
      node,
      edits.replace(node.start, node.end, () => flowList(parts)),
    );
  else {
    const first = edits.lineStart(node.dashes[0] ?? node.start);
    const end = edits.lineEnd(node.end);
    if (parts.length === 0) edits.replace(entry.afterColon, entry.afterColon, ' []');
    const text = () => ended(blockList(edits, node, parts), edits, end);
    edits.lists.set(node, edits.replace(first, end, text));
  }
}

function isAsWritten(node: ListNode, parts: readonly ListPart[]): boolean {
  const isAt = (part: ListPart, index: number) =>
    'node' in part && part.node === node && part.index === index;
  return parts.length === node.items.length && parts.every(isAt);
}

function flowList(parts: readonly ListPart[]): string {
  return `[${parts.map((part) => ('node' in part ? flowPart(part) : part.flow)).join(', ')}]`;
}

function blockList(edits: TextEdits, node: ListNode, parts: readonly ListPart[]): string {
  const indent = edits.indentOf(node.dashes[0] ?? node.start);
  const kept = new Set(parts.flatMap((part) => ('node' in part && part.node === node ? [part.index] : [])));
  const texts: string[] = [];
  let seen = 0;
  const commentsUpTo = (index: number) => {
    for (; seen < index; seen += 1) if (!kept.has(seen)) texts.push(commentsBefore(edits, node, seen));
  };
  for (const part of parts) {
    if ('node' in part && part.node === node) commentsUpTo(part.index);
    texts.push(partText(part, edits, indent));
  }
  commentsUpTo(node.items.length);
  return texts.join('');
}

function partText(part: ListPart, edits: TextEdits, indent: string): string {
  if ('node' in part) return blockPart(part, edits, indent);
  return part
    .lines(indent)
    .map((line) => line + edits.eol)
    .join('');
}

/** A file without a line break at its end has none afterwards. */
function ended(text: string, edits: TextEdits, at: number): string {
  const isOpen = at === edits.text.length && !edits.text.endsWith('\n');
  return isOpen ? withoutFinalNewline(text) : text;
}

function flowPart({ edits, node, index }: Extract<ListPart, { node: ListNode }>): string {
  const item = node.items[index] as Node;
  return edits.slice(item.start, item.end);
}

/** The text of an item with the comments before it, from its line to the next item's. */
export function blockPart(
  { edits, node, index }: Extract<ListPart, { node: ListNode }>,
  target: TextEdits,
  indent: string,
): string {
  const item = node.items[index] as Node;
  if (node.flow) return `${indent}- ${edits.slice(item.start, item.end)}${target.eol}`;
  const { start, end } = chunkOf(edits, node, index);
  const text = edits.slice(start, end, edits.lists.get(node));
  const whole = text.endsWith('\n') ? text : text + edits.eol;
  const former = edits.indentOf(node.dashes[index] as number);
  return former === indent ? whole : indented(whole, former.length, indent.length);
}

function indented(text: string, from: number, to: number): string {
  if (to >= from) return text.replace(/^(?=[^\r\n])/gm, ' '.repeat(to - from));
  return text.replace(new RegExp(`^ {0,${from - to}}`, 'gm'), '');
}

function chunkOf(edits: TextEdits, node: ListNode, index: number): { start: number; end: number } {
  const before = node.items[index - 1];
  const start = before === undefined ? edits.lineStart(node.dashes[0] as number) : edits.lineEnd(before.end);
  return { start, end: edits.lineEnd((node.items[index] as Node).end) };
}

function commentsBefore(edits: TextEdits, node: ListNode, index: number): string {
  if (edits.moved.has(node.items[index] as Node)) return '';
  const { start } = chunkOf(edits, node, index);
  const text = edits.text.slice(start, edits.lineStart(node.dashes[index] as number));
  return text.trim() === '' ? '' : text;
}

/** `people: []` gets its first items. */
function fillEmpty(edits: TextEdits, entry: Entry, node: ListNode, parts: readonly ListPart[]): void {
  if (parts.length === 0) return;
  const indent = `${edits.indentOf(entry.keyStart)}  `;
  const at = edits.lineEnd(node.end);
  edits.replace(entry.afterColon, node.end, '');
  const text = () => edits.lines([], at) + parts.map((part) => partText(part, edits, indent)).join('');
  edits.replace(at, at, text);
}

/** A new item as lines of a list. */
export function newPart(lines: (indent: string) => string[], flow: unknown): ListPart {
  return { lines: (indent) => dashed(lines(`${indent}  `), indent), flow: flowText(flow) };
}
