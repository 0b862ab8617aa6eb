import type { Scalar, YAMLError, YAMLMap, YAMLSeq, Node as YamlNode } from 'yaml';
import type { DocsError } from '../../base/errors.js';
import { decodeText } from '../../base/text-encoding.js';
import type { Mistake } from './mistake.js';
import { mostYaml } from './most-yaml.js';
import { type Entry, lineStarts, type MapNode, type Node, positionIn, type ScalarNode } from './node.js';
import { plainTree } from './plain-yaml.js';

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
 */
export async function parseFile(file: string, bytes: Uint8Array): Promise<ParsedFile> {
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
  const root = plainTree(text) ?? (await treeOf(parsed));
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
