import type { Scalar, YAMLError, YAMLMap, YAMLSeq, Node as YamlNode } from 'yaml';
import type { DocsError } from '../../base/errors.js';
import { decodeText } from '../../base/text-encoding.js';
import {
  type Entry,
  type ListNode,
  lineStarts,
  type MapNode,
  type Mistake,
  mostYaml,
  type Node,
  positionIn,
  type ScalarNode,
} from './node.js';

/** Deeper than any file needs to be. */
const deepest = 64;
const mostBrackets = 1000;

export interface ParsedFile {
  file: string;
  /** Without a byte order mark. */
  text: string;
  /** The byte order mark, where there is one. */
  mark?: string;
  starts: readonly number[];
  /** Absent where the file is not readable as YAML, or is empty. */
  root?: MapNode;
  mistakes: Mistake[];
}

/**
 * Parses a file. Aliases, anchors, merge keys, tags beside `!env` and `!file`, null, duplicate keys and several
 * documents are mistakes.
 * @param file what mistakes call it: its path relative to the folder
 * @param plain reads the usual form; undefined where the text has another
 */
export async function parseFile(file: string, bytes: Uint8Array, plain = plainTree): Promise<ParsedFile> {
  const mistakes: Mistake[] = [];
  const none = { file, text: '', starts: [0], mistakes };
  if (bytes.byteLength > mostYaml) {
    mistakes.push({ file, line: 1, column: 1, path: '', message: tooLarge(file, bytes.byteLength) });
    return none;
  }
  const text = textOf(file, bytes, mistakes);
  if (text === undefined) return none;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const parsed = { file, text, starts: lineStarts(text), mistakes, ...(isMarked && { mark: '\ufeff' }) };
  const root = plain(text) ?? (await treeOf(parsed));
  return root === undefined ? parsed : { ...parsed, root };
}

/** Says that a file is too large, and what to do. */
export function tooLarge(file: string, bytes: number): string {
  const people = file === 'people.yaml' ? '; people can be in people.csv: people: !file people.csv' : '';
  const size = (bytes / 1024 / 1024).toFixed(1);
  return `is too large: ${size} MB, and YAML may have ${mostYaml / 1024 / 1024} MB${people}`;
}

function textOf(file: string, bytes: Uint8Array, mistakes: Mistake[]): string | undefined {
  try {
    return decodeText(bytes, file);
  } catch (error) {
    const { code, message, failure } = error as DocsError;
    if (code !== 'bad_encoding') throw error;
    const line = Number(failure.details?.line ?? 1);
    const words = message.slice(message.indexOf(' is ') + 1).replace('; nothing was sent', '');
    mistakes.push({ file, line, column: 1, path: '', message: words.replace(/\.$/, '') });
    return undefined;
  }
}

type Parsing = Omit<ParsedFile, 'root'>;

/** The tree of any YAML. */
export async function treeOf(parsing: Parsing): Promise<MapNode | undefined> {
  const { parseAllDocuments } = await import('yaml');
  const { text, mistakes } = parsing;
  const options = {
    keepSourceTokens: true,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  } as const;
  const at = (offset: number, path: string, message: string) =>
    mistakes.push({ file: parsing.file, ...positionIn(parsing.starts, offset), path, message });
  if (tooDeep(text)) return void at(0, '', `is nested more than ${deepest} levels deep`);
  const documents = parseAllDocuments(text, options);
  if ('empty' in documents || documents.length === 0) return emptyMap();
  const [first, second] = documents;
  if (first?.directives.yaml.explicit) return void at(0, '', 'has a "%YAML" line; remove it');
  if (second !== undefined)
    return void at(second.range[0], '', 'holds several documents; remove the "---" lines');
  if (first === undefined) return undefined;
  for (const error of first.errors.slice(0, 20)) at(error.pos[0], '', yamlWords(error));
  if (first.errors.length > 0) return undefined;
  const root = first.contents;
  if (root === null || ('value' in root && root.value === null)) return emptyMap();
  const tree = new Tree(parsing).node(root as YamlNode, '', root.range?.[0] ?? 0, 0);
  if (tree.type === 'map') return tree;
  return void at(tree.start, '', 'must be keys with values, such as "title: Acme"');
}

function emptyMap(): MapNode {
  return { type: 'map', flow: false, entries: new Map(), start: 0, end: 0 };
}

/** The parser refuses what nests too deep, but for thousands of open brackets, which stop the whole process. */
function tooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) open += 1;
    else if (code === 0x5d || code === 0x7d) open = Math.max(0, open - 1);
    if (open > mostBrackets) return true;
  }
  return false;
}

/** What the parser found, in our words: its own quote the text, which may hold a secret. */
function yamlWords({ code }: YAMLError): string {
  const words: Partial<Record<YAMLError['code'], string>> = {
    TAB_AS_INDENT: 'is indented with a tab; YAML takes spaces',
    BAD_INDENT: 'is not indented like the lines around it',
    MULTIPLE_DOCS: 'holds several documents; remove the "---" lines',
    BAD_ALIAS: 'has an alias (*) to an anchor that does not exist; repeat the value instead',
    BAD_DQ_ESCAPE: 'has an invalid escape in a double-quoted text',
    MISSING_CHAR: 'is not valid YAML: a quote, bracket, colon or space is missing',
    BLOCK_AS_IMPLICIT_KEY: 'is not valid YAML: a line has two keys',
    MULTILINE_IMPLICIT_KEY: 'is not valid YAML: a key is not followed by a colon',
    BAD_SCALAR_START: 'begins with a character that must be in quotes',
    RESOURCE_EXHAUSTION: `is nested more than ${deepest} levels deep`,
    BAD_DIRECTIVE: 'has an invalid "%" directive',
  };
  return words[code] ?? 'is not valid YAML here';
}

/** Turns the nodes of the parser into ours. */
class Tree {
  constructor(private readonly parsing: Parsing) {}

  node(node: YamlNode | null, path: string, at: number, depth: number): Node {
    if (node === null) return this.#missing(path, at);
    const start = node.range?.[0] ?? at;
    if (depth > deepest) return this.#wrong(start, path, `is nested more than ${deepest} levels deep`);
    if ('source' in node && !('items' in node) && !('value' in node))
      return this.#wrong(start, path, 'is an alias (*); repeat the value instead');
    if ('anchor' in node && node.anchor !== undefined)
      this.#mistake(start, path, 'has an anchor (&); remove it and repeat the value where it is needed');
    if ('items' in node) {
      this.#tag(node, start, path);
      return 'add' in node && isSeq(node)
        ? this.#list(node, path, depth)
        : this.#map(node as YAMLMap, path, depth);
    }
    return this.#scalar(node as Scalar, path, start);
  }

  #map(node: YAMLMap, path: string, depth: number): MapNode {
    const entries = new Map<string, Entry>();
    const tokens = (node.srcToken as { items?: { sep?: { type: string; offset: number }[] }[] })?.items ?? [];
    const start = node.range?.[0] ?? 0;
    for (const [index, pair] of node.items.entries()) {
      const name = pair.key as Scalar | null;
      const keyStart = name?.range?.[0] ?? start;
      const key = typeof name?.value === 'string' ? name.value : (name?.source ?? '');
      const here = path === '' ? key : `${path}.${key}`;
      if (name === null || !('value' in name)) {
        this.#mistake(keyStart, path, 'has a key that is not a text');
        continue;
      }
      const colon = tokens[index]?.sep?.find(({ type }) => type === 'map-value-ind');
      const afterColon = (colon?.offset ?? keyStart + key.length) + 1;
      const value = this.node(pair.value as YamlNode | null, here, afterColon, depth + 1);
      if (key === '<<')
        this.#mistake(keyStart, here, 'is a merge key, which is not supported; repeat the keys');
      else if (entries.has(key)) this.#mistake(keyStart, here, this.#twice(entries.get(key) as Entry));
      else entries.set(key, { key, keyStart, afterColon, value });
    }
    const flow = node.flow === true;
    const last = [...entries.values()].at(-1)?.value.end ?? start;
    return { type: 'map', flow, entries, start, end: flow ? (node.range?.[1] ?? last) : last };
  }

  #twice({ keyStart }: Entry): string {
    return `is there twice; it is also on line ${positionIn(this.parsing.starts, keyStart).line}`;
  }

  #list(node: YAMLSeq, path: string, depth: number): Node {
    const tokens =
      (node.srcToken as { items?: { start?: { type: string; offset: number }[] }[] })?.items ?? [];
    const start = node.range?.[0] ?? 0;
    const flow = node.flow === true;
    const dashes: number[] = [];
    const items = node.items.map((item, index) => {
      const dash = tokens[index]?.start?.find(({ type }) => type === 'seq-item-ind')?.offset;
      const found = this.node(item as YamlNode | null, `${path}[${index}]`, (dash ?? start) + 1, depth + 1);
      dashes.push(dash ?? found.start);
      return found;
    });
    const last = items.at(-1)?.end ?? start;
    return { type: 'list', flow, items, dashes, start, end: flow ? (node.range?.[1] ?? last) : last };
  }

  #scalar(node: Scalar, path: string, start: number): ScalarNode {
    const tag = this.#tag(node, start, path);
    const style = styles[node.type ?? 'PLAIN'] ?? 'plain';
    const value = node.value as ScalarNode['value'];
    const source = style === 'plain' ? (node.source ?? String(value)) : String(value);
    const end = this.#endOf(node, start);
    if (value === null && tag === undefined)
      this.#mistake(start, path, 'has no value (null); remove the key, or set "" for an empty text');
    return {
      type: 'scalar',
      value,
      source,
      style,
      start: this.#tagStart(node, start),
      end,
      ...(tag && { tag }),
    };
  }

  /** A tag stands before the value, and goes with it. */
  #tagStart(node: Scalar, start: number): number {
    if (node.tag === undefined) return start;
    const before = this.parsing.text.lastIndexOf('!', start);
    return before >= 0 && start - before < 80 ? before : start;
  }

  #endOf(node: Scalar, start: number): number {
    const end = node.range?.[1] ?? start;
    return start + this.parsing.text.slice(start, end).trimEnd().length;
  }

  #tag(node: { tag?: string }, start: number, path: string): 'env' | 'file' | undefined {
    const { tag } = node;
    if (tag === undefined || coreTag.test(tag)) return undefined;
    if (tag === '!env' || tag === '!file') return tag.slice(1) as 'env' | 'file';
    this.#mistake(start, path, 'has an unknown tag; known tags: !env, !file');
    return undefined;
  }

  #missing(path: string, at: number): ScalarNode {
    return this.#wrong(at, path, 'has no value (null); remove the key, or set "" for an empty text');
  }

  #wrong(start: number, path: string, message: string): ScalarNode {
    this.#mistake(start, path, message);
    return { type: 'scalar', value: null, source: '', style: 'plain', start, end: start };
  }

  #mistake(offset: number, path: string, message: string): void {
    const { file, starts, mistakes } = this.parsing;
    mistakes.push({ file, ...positionIn(starts, offset), path, message });
  }
}

/** `!!str` and the like, which only say what a value is anyway. */
const coreTag = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/;

const styles: Readonly<Record<string, ScalarNode['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_FOLDED: 'block',
  BLOCK_LITERAL: 'block',
};

function isSeq(node: { items: readonly unknown[] }): node is YAMLSeq {
  return node.constructor.name === 'YAMLSeq';
}

/**
 * Reads YAML in the form in which pull writes it: one key or item a line, indented by spaces, short values. A parser of
 * all YAML takes twenty times as long, which people notice from a few hundred lines on.
 */

interface Line {
  /** Of the text, its dashes not counted. */
  indent: number;
  /** Places of the dashes before the text. */
  dashes: number[];
  /** From the first character after the dashes. */
  text: string;
  /** Place of that character in the file. */
  at: number;
}

/** @returns undefined where the text is in another form, valid or not */
export function plainTree(text: string): MapNode | undefined {
  try {
    const reader = new Reader(linesOf(text));
    const tree = reader.map(0);
    return reader.isAtEnd ? tree : undefined;
  } catch (cause) {
    if (cause === otherForm) return undefined;
    throw cause;
  }
}

const otherForm = new Error('not in the form of pull');

/** What no line may have: tabs, other line breaks, what is not printed. */
const strange = /[^\P{C}\n]|[\u0085\u2028\u2029]/u;
const beyondAscii = /[^\n -~]/;

const space = 0x20;

function linesOf(text: string): Line[] {
  if (beyondAscii.test(text) && strange.test(text)) throw otherForm;
  const lines: Line[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    let indent = 0;
    while (line.charCodeAt(indent) === space) indent += 1;
    const dashes: number[] = [];
    for (; line.startsWith('- ', indent); indent += 2) dashes.push(start + indent);
    const rest = line.slice(indent);
    if (dashes.length === 0 && (rest === '' || rest.startsWith('#'))) continue;
    lines.push({ indent, dashes, text: rest, at: start + indent });
  }
  return lines;
}

/** A key and its colon. Words that stand for other values are not keys. */
const keyed = /^[A-Za-z][\w-]*:(?: \S.*)?$/;
const otherValue = /^(?:true|false|null)$/i;

/** @returns '' as the key where there is none */
function keyedText(text: string): { key: string; value?: string } {
  if (!keyed.test(text)) return { key: '' };
  const colon = text.indexOf(':');
  const key = text.slice(0, colon);
  return colon === text.length - 1 ? { key } : { key, value: text.slice(colon + 2) };
}

class Reader {
  readonly #lines: readonly Line[];
  #next = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#lines.length;
  }

  /** The keys from here on at an indentation; the dashes of the first line are read already. */
  map(indent: number): MapNode {
    const entries = new Map<string, Entry>();
    const start = this.#line().at;
    let end = start;
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      if (line.indent - 2 * line.dashes.length < indent && entries.size > 0) break;
      if (line.indent !== indent || (line.dashes.length > 0 && entries.size > 0)) throw otherForm;
      const { key, value } = keyedText(line.text);
      if (key === '' || otherValue.test(key) || entries.has(key)) throw otherForm;
      this.#next += 1;
      const afterColon = line.at + key.length + 1;
      const node = value === undefined ? this.#block(indent) : valueAt(value, afterColon + 1);
      entries.set(key, { key, keyStart: line.at, afterColon, value: node });
      end = node.end;
    }
    return { type: 'map', flow: false, entries, start, end };
  }

  #line(): Line {
    const line = this.#lines[this.#next];
    if (line === undefined) throw otherForm;
    return line;
  }

  /** What stands under a key. */
  #block(above: number): Node {
    const { indent, dashes } = this.#line();
    if (indent - 2 * dashes.length <= above || dashes.length > 1) throw otherForm;
    return dashes.length === 0 ? this.map(indent) : this.#list(indent - 2);
  }

  #list(indent: number): ListNode {
    const items: Node[] = [];
    const dashes: number[] = [];
    const start = this.#line().at - 2;
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      const own = line.indent - 2 * line.dashes.length;
      if (own < indent) break;
      if (own !== indent || line.dashes.length !== 1) throw otherForm;
      dashes.push(line.dashes[0] as number);
      if (keyed.test(line.text)) items.push(this.map(line.indent));
      else {
        this.#next += 1;
        items.push(valueAt(line.text, line.at));
      }
    }
    return { type: 'list', flow: false, items, dashes, start, end: items.at(-1)?.end ?? start };
  }
}

/** A value on one line. */
function valueAt(text: string, at: number): Node {
  if (text.startsWith('[')) return flowList(text, at);
  if (text.startsWith('{')) return flowMap(text, at);
  if (text.startsWith('!')) {
    const [, tag, name = ''] = tagged.exec(text) ?? [];
    const { value, source, style, end } = scalarAt(name, at + text.length - name.length, true);
    if (tag === undefined || typeof value !== 'string') throw otherForm;
    return { type: 'scalar', value, source, style, start: at, end, tag: tag as 'env' | 'file' };
  }
  return scalarAt(text, at, false);
}

const tagged = /^!(env|file) (\S+)$/;
const quoted = /^'(?:[^']|'')*'$/;
/** A text of JSON, which is one of YAML too. */
const escaped = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"$/;
/** Begins with a letter, and has no colon at its end, nor in front of a space; nothing looks like a comment. */
const plain = /^\p{L}(?:(?!: | #|:$)[\p{L}\p{N}\p{P}\p{S} ])*$/u;
const plainInFlow = /^\p{L}[\p{L}\p{N}_.@/+-]*$/u;
/** The same of ASCII, tried first: V8 takes a long time to compile properties of characters, and most texts need none. */
const ascii = /^[A-Za-z](?:(?!: | #|:$)[ -~])*$/;
const asciiInFlow = /^[A-Za-z][\w.@/+-]*$/;
const number = /^(?:0|[1-9]\d{0,14})$/;
/** Not a finite number, or true and the like in some version of YAML. */
const special = /^(?:true|false|null)$/i;

function isPlain(text: string, inFlow: boolean): boolean {
  return inFlow ? asciiInFlow.test(text) || plainInFlow.test(text) : ascii.test(text) || plain.test(text);
}

function scalarAt(text: string, at: number, inFlow: boolean): ScalarNode {
  const start = at;
  const end = at + text.length;
  if (!inFlow && text.startsWith("'") && quoted.test(text)) {
    const value = text.slice(1, -1).replaceAll("''", "'");
    return { type: 'scalar', value, source: value, style: 'single', start, end };
  }
  if (!inFlow && text.startsWith('"') && escaped.test(text)) {
    const value = JSON.parse(text) as string;
    return { type: 'scalar', value, source: value, style: 'double', start, end };
  }
  return { type: 'scalar', value: plainValue(text, inFlow), source: text, style: 'plain', start, end };
}

function plainValue(text: string, inFlow: boolean): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  if (number.test(text)) return Number(text);
  if (special.test(text) || !isPlain(text, inFlow) || text.endsWith(' ')) throw otherForm;
  return text;
}

/** What stands between brackets, with commas and one space between the parts. */
function partsOf(text: string, close: string, at: number): { part: string; at: number }[] {
  if (!text.endsWith(close) || text.length < 3) throw otherForm;
  let from = at + 1;
  return text
    .slice(1, -1)
    .split(', ')
    .map((part) => {
      const place = { part, at: from };
      from += part.length + 2;
      return place;
    });
}

function flowList(text: string, start: number): ListNode {
  const items = partsOf(text, ']', start).map(({ part, at }) => scalarAt(part, at, true));
  const dashes = items.map((item) => item.start);
  return { type: 'list', flow: true, items, dashes, start, end: start + text.length };
}

function flowMap(text: string, start: number): MapNode {
  const entries = new Map<string, Entry>();
  for (const { part, at } of partsOf(text, '}', start)) {
    const { key, value = '' } = keyedText(part);
    if (key === '' || otherValue.test(key) || entries.has(key)) throw otherForm;
    const afterColon = at + key.length + 1;
    entries.set(key, { key, keyStart: at, afterColon, value: scalarAt(value, afterColon + 1, true) });
  }
  return { type: 'map', flow: true, entries, start, end: start + text.length };
}
