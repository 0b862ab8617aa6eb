import { maxDepth, RawNumber } from './transport/json-text.js';

export { copyJson, plainNumbers } from './json-values.js';

/** The JSON of a person: every reader of a file, standard input or a flag uses this one. */

/** Where a text is not the JSON that it should be. */
export class InvalidJson extends Error {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** What is wrong, as the rest of a sentence. */
  readonly what: string;

  constructor(text: string, at: number, what: string) {
    const before = text.slice(0, at).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    super(`${what} (line ${before.length}, column ${column})`);
    this.line = before.length;
    this.column = column;
    this.what = what;
  }
}

/** A member of an object, as it stands in the text. */
export interface JsonKey {
  name: string;
  /** Index of its quote in the text. */
  at: number;
}

/** Called for each object, with its keys, and the index where it begins. */
export type OnObject = (object: object, at: number, keys: readonly JsonKey[]) => void;

/**
 * Parses a JSON text. Integers beyond 2^53 become `RawNumber`, with all their digits.
 * @throws InvalidJson where it is not JSON, an object has a key twice, or a number is too large
 */
export function parseInputJson(text: string, onObject: OnObject = () => {}): unknown {
  return new Reading(text, onObject).whole();
}

/** JSON in a word of a command line, such as `5` or `["a"]`; undefined where it is something else. */
export function jsonOrNothing(text: string): unknown {
  try {
    return parseInputJson(text);
  } catch (cause) {
    if (cause instanceof InvalidJson) return undefined;
    throw cause;
  }
}

const blanks = /[ \t\n\r]*/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordToken = /true|false|null/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Whether a quote is part of a text: an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charAt(from - 1) === '\\') from -= 1;
  return (at - from) % 2 === 1;
}

class Reading {
  readonly #text: string;
  readonly #onObject: OnObject;
  #at = 0;

  constructor(text: string, onObject: OnObject) {
    this.#text = text;
    this.#onObject = onObject;
  }

  whole(): unknown {
    const value = this.#value(0);
    if (this.#next() !== '') throw this.#unexpected('the end');
    return value;
  }

  /** The character that comes next, behind blanks; '' at the end. */
  #next(): string {
    this.#take(blanks);
    return this.#text.charAt(this.#at);
  }

  #value(depth: number): unknown {
    if (depth > maxDepth) throw this.#fault(`nested over ${maxDepth} levels`);
    const first = this.#next();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return this.#string();
    const word = this.#take(wordToken);
    return word === undefined ? this.#number() : words[word];
  }

  #object(depth: number): unknown {
    const begin = this.#at;
    const keys: JsonKey[] = [];
    const members = new Map<string, unknown>();
    this.#items('}', () => {
      if (this.#next() !== '"') throw this.#unexpected('a key in quotes');
      const at = this.#at;
      const name = this.#string();
      if (members.has(name)) throw this.#fault(`the key ${JSON.stringify(name)} is given twice`, at);
      keys.push({ name, at });
      if (this.#next() !== ':') throw this.#unexpected('a colon');
      this.#at += 1;
      members.set(name, this.#value(depth + 1));
    });
    const object = Object.fromEntries(members);
    this.#onObject(object, begin, keys);
    return object;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#items(']', () => items.push(this.#value(depth + 1)));
    return items;
  }

  /** What stands between brackets, with commas between. */
  #items(end: string, read: () => void): void {
    this.#at += 1;
    if (this.#next() === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      read();
      const next = this.#next();
      if (next !== ',' && next !== end) throw this.#unexpected(`a comma or ${end}`);
      this.#at += 1;
      if (next === end) return;
    }
  }

  #string(): string {
    const at = this.#at;
    let end = this.#text.indexOf('"', at + 1);
    while (end >= 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) throw this.#fault('a text without its closing quote');
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(at, end + 1)) as string;
    } catch {
      throw this.#fault('a text with an invalid escape or a line break', at);
    }
  }

  #number(): unknown {
    const at = this.#at;
    const token = this.#take(numberToken);
    if (token === undefined) throw this.#unexpected('a value');
    const number = Number(token);
    if (Number.isSafeInteger(number) || Math.abs(number) < Number.MAX_SAFE_INTEGER) return number;
    if (/^-?\d+$/.test(token)) return new RawNumber(token);
    if (Number.isFinite(number) && scientific(String(number)) === scientific(token)) return number;
    throw this.#fault(
      `the number ${token.slice(0, 40)} is too large to be exact; write it as an integer or a text`,
      at,
    );
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #unexpected(wanted: string): InvalidJson {
    const found = this.#text.codePointAt(this.#at);
    const what =
      found === undefined ? 'the text ends' : `unexpected ${JSON.stringify(String.fromCodePoint(found))}`;
    return this.#fault(`${what} where ${wanted} is expected`);
  }

  #fault(what: string, at = this.#at): InvalidJson {
    return new InvalidJson(this.#text, at, what);
  }
}

/** The digits of a number and their exponent, so that equal numbers read the same: 1200 and 1.2e3 are 12e2. */
function scientific(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
