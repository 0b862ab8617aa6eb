import type { Entry, ListNode, MapNode, Node, ScalarNode } from './node.js';

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

function linesOf(text: string): Line[] {
  if (strange.test(text)) throw otherForm;
  const lines: Line[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    const lead = /^ *((?:- )*)/.exec(line) as RegExpExecArray;
    const [all, marks = ''] = lead;
    const rest = line.slice(all.length);
    if (marks === '' && (rest === '' || rest.startsWith('#'))) continue;
    const first = all.length - marks.length;
    const dashes = Array.from({ length: marks.length / 2 }, (_, index) => start + first + 2 * index);
    lines.push({ indent: all.length, dashes, text: rest, at: start + all.length });
  }
  return lines;
}

/** A key in front of its colon; words that stand for other values are no keys. */
const keyed = /^([A-Za-z][\w-]*):(?: (\S.*))?$/;
const otherValue = /^(?:true|false|null)$/i;

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
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      if (line.indent - 2 * line.dashes.length < indent && entries.size > 0) break;
      if (line.indent !== indent || (line.dashes.length > 0 && entries.size > 0)) throw otherForm;
      const [, key = '', value] = keyed.exec(line.text) ?? [];
      if (key === '' || otherValue.test(key) || entries.has(key)) throw otherForm;
      this.#next += 1;
      const afterColon = line.at + key.length + 1;
      const node = value === undefined ? this.#block(indent) : valueAt(value, afterColon + 1);
      entries.set(key, { key, keyStart: line.at, afterColon, value: node });
    }
    return { type: 'map', flow: false, entries, start, end: lastEnd([...entries.values()], start) };
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
    const [items, dashes]: [Node[], number[]] = [[], []];
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

function lastEnd(entries: readonly Entry[], start: number): number {
  return entries.at(-1)?.value.end ?? start;
}

/** A value on one line. */
function valueAt(text: string, at: number): Node {
  if (text.startsWith('[')) return flowList(text, at);
  if (text.startsWith('{')) return flowMap(text, at);
  const [, tag, name = ''] = tagged.exec(text) ?? [];
  if (tag !== undefined) {
    const { value, source, style, end } = scalarAt(name, at + text.length - name.length, true);
    if (typeof value !== 'string') throw otherForm;
    return { type: 'scalar', value, source, style, start: at, end, tag: tag as 'env' | 'file' };
  }
  return scalarAt(text, at, false);
}

const tagged = /^!(env|file) (\S+)$/;
const quoted = /^'((?:[^']|'')*)'$/;
/** A text of JSON, which is one of YAML too. */
const escaped = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"$/;
/** Begins with a letter, and has no colon at its end, nor in front of a space; nothing looks like a comment. */
const plain = /^\p{L}(?:(?!: | #|:$)[\p{L}\p{N}\p{P}\p{S} ])*$/u;
const plainInFlow = /^\p{L}[\p{L}\p{N}_.@/+-]*$/u;
const number = /^(?:0|[1-9]\d{0,14})$/;
/** Not a finite number, or true and the like in some version of YAML. */
const special = /^(?:true|false|null)$/i;

function scalarAt(text: string, at: number, inFlow: boolean): ScalarNode {
  const place = { start: at, end: at + text.length };
  const [, inside] = inFlow ? [] : (quoted.exec(text) ?? []);
  if (inside !== undefined) {
    const value = inside.replaceAll("''", "'");
    return { type: 'scalar', value, source: value, style: 'single', ...place };
  }
  if (!inFlow && escaped.test(text)) {
    const value = JSON.parse(text) as string;
    return { type: 'scalar', value, source: value, style: 'double', ...place };
  }
  const own = { type: 'scalar', source: text, style: 'plain', ...place } as const;
  if (text === 'true' || text === 'false') return { ...own, value: text === 'true' };
  if (number.test(text)) return { ...own, value: Number(text) };
  if (special.test(text) || !(inFlow ? plainInFlow : plain).test(text) || text.endsWith(' ')) throw otherForm;
  return { ...own, value: text };
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
    const [, key = '', value = ''] = keyed.exec(part) ?? [];
    if (key === '' || otherValue.test(key) || entries.has(key)) throw otherForm;
    const afterColon = at + key.length + 1;
    entries.set(key, { key, keyStart: at, afterColon, value: scalarAt(value, afterColon + 1, true) });
  }
  return { type: 'map', flow: true, entries, start, end: start + text.length };
}
