import { consistsOf, wordCharacters } from '../../base/characters.js';
import { isSecretName, mapStrings, redactQuery, redactText } from '../../base/redaction.js';
import type { Headers } from './contract.js';
import { formatJson, parseJson, RawNumber } from './json-text.js';

export { isSecretName, redactQuery, redactUrls } from '../../base/redaction.js';

const mark = '[redacted]';

/** Shorter secrets are not looked for: they occur by chance. */
const shortest = 6;
/** Parts of a form that are looked for first: the whole pattern is slow to compile. */
const firstParts = 5;
/** Of a secret, enough for the first parts of each form: five digits of base64 are less than four bytes. */
const firstCharacters = 8;
/** A secret in its longest form, in bytes for each of its characters. */
const bytesPerCharacter = 64;

/**
 * Takes the secrets of this process out of what the platform sends: nothing else in the program sees an answer
 * before (docs/decisions/017-redaction.md).
 */
export class Redaction {
  readonly #secrets: readonly string[];
  readonly #onContent: (content: string) => void;
  /** By secret; of each answer several headers are compared with them. */
  #traces: readonly (Traces | undefined)[] | undefined;
  #begun: RegExp | undefined;
  #whole: RegExp | undefined;

  /** @param onContent called where a secret is taken out of content, which then differs from the platform's */
  constructor(secrets: readonly (string | undefined)[], onContent: (content: string) => void = () => {}) {
    const given = secrets.filter((secret) => secret !== undefined && secret.length >= shortest);
    this.#secrets = [...new Set(given as string[])];
    this.#onContent = onContent;
  }

  /** Matches wherever a secret begins; made on first use. */
  get #begins(): RegExp | undefined {
    if (this.#secrets.length === 0) return undefined;
    this.#begun ??= new RegExp(patternOf(this.#secrets.flatMap(beginningsOf)));
    return this.#begun;
  }

  /** With further secrets, such as headers that one request carries. */
  and(secrets: readonly string[]): Redaction {
    return secrets.length === 0 ? this : new Redaction([...this.#secrets, ...secrets], this.#onContent);
  }

  /** For what only tells of an answer: errors, debug output. */
  text(text: string): string {
    return this.#replaced(text, () => mark);
  }

  /** The same for a text that may have been cut off within a secret. */
  cutText(text: string): string {
    const whole = this.text(text);
    const begun = this.#begunAt(whole);
    return begun === whole.length ? whole : whole.slice(0, begun) + mark;
  }

  headers(headers: Headers): Headers {
    const changed = Object.entries(headers).filter(([, value]) => this.#mayBegin(value));
    if (changed.length === 0) return headers;
    return { ...headers, ...Object.fromEntries(changed.map(([name, value]) => [name, this.text(value)])) };
  }

  /** The body of an answer that is not a success. */
  errorBody(body: Uint8Array): Uint8Array {
    if (!this.#isIn(body)) return body;
    return Buffer.from(this.text(Buffer.from(body).toString('utf8')));
  }

  /**
   * A JSON value as it was parsed from this text; keys and strings lose the secrets.
   * @returns undefined if they do not: a secret is spread over several values
   */
  json(value: unknown, text: string): { value: unknown } | undefined {
    if (!this.has(text)) return { value };
    const hidden = mapStrings(value, (each) => this.text(each));
    this.#onContent(text);
    return this.has(formatJson(hidden)) ? undefined : { value: hidden };
  }

  /** Bytes of content: each byte of a secret becomes an asterisk, so that sizes and places stay. */
  bytes(bytes: Uint8Array): Uint8Array {
    if (!this.#isIn(bytes)) return bytes;
    const text = latin1Of(bytes);
    this.#onContent(text);
    return Buffer.from(this.#replaced(text, asterisks), 'latin1');
  }

  /** The same for a stream; holds back as much as a secret may be long. */
  async *stream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const held = Math.max(0, ...this.#secrets.map(({ length }) => length * bytesPerCharacter));
    let waiting: Uint8Array = new Uint8Array(0);
    try {
      for await (const chunk of chunks) {
        waiting = this.bytes(waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]));
        const ready = waiting.length - held;
        if (ready <= 0) continue;
        yield waiting.subarray(0, ready);
        waiting = waiting.subarray(ready);
      }
    } catch (failure) {
      // The reader still gets the bytes that arrived before.
      if (waiting.length > 0) yield this.#cutBytes(waiting);
      throw failure;
    }
    if (waiting.length > 0) yield waiting;
  }

  /** Bytes that may have been cut off within a secret. */
  #cutBytes(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes).toString('latin1');
    const begun = this.#begunAt(text);
    return Buffer.concat([bytes.subarray(0, begun), Buffer.from(asterisks(text.slice(begun)))]);
  }

  /** Where a text ends with the beginning of a secret; its length if it does not. */
  #begunAt(text: string): number {
    for (const secret of this.#secrets) {
      for (let length = secret.length - 1; length >= shortest; length -= 1)
        if (text.endsWith(secret.slice(0, length))) return text.length - length;
    }
    return text.length;
  }

  #isIn(bytes: Uint8Array): boolean {
    if (this.#secrets.length === 0) return false;
    return this.has(latin1Of(bytes));
  }

  /**
   * Whether a secret may be in a part of a JSON text that ends with a brace, as does the part before. No form of a secret
   * goes on beyond a brace, unless it has one itself.
   */
  mayBeIn(part: string): boolean {
    return this.#secrets.length > 0 && (this.#secrets.some((each) => each.includes('}')) || this.has(part));
  }

  /** Whether a text has a secret. */
  has(text: string): boolean {
    return this.#mayBegin(text) && text.search(this.#pattern()) >= 0;
  }

  #replaced(text: string, by: (found: string) => string): string {
    return this.#mayBegin(text) ? text.replace(this.#pattern(), by) : text;
  }

  /** Most short texts lack a character of each form, which costs less to find than a pattern to compile. */
  #mayBegin(text: string): boolean {
    if (text.length < shortest) return false;
    this.#traces ??= this.#secrets.map(tracesOf);
    if (!this.#traces.some((traces) => mayHold(text, traces))) return false;
    return this.#begins?.test(text) === true;
  }

  #pattern(): RegExp {
    this.#whole ??= new RegExp(patternOf(this.#secrets.flatMap(formsOf)), 'g');
    return this.#whole;
  }
}

/** Secrets are ASCII, so latin1 saves decoding UTF-8. */
function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function asterisks(found: string): string {
  return '*'.repeat(found.length);
}

/** Hides what looks secret in a JSON text: by its keys, and within its strings; also if it does not parse. */
export function redactJson(text: string): string {
  const parsed = parseJson(Buffer.from(text));
  if (parsed.ok) return formatJson(withoutSecrets(parsed.value));
  const pairs = /"([^"\\]{1,200})"(\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*"?|[^\s,}\]]+)/g;
  const redacted = text.replace(pairs, (whole, key: string, colon: string) =>
    isSecretName(key) ? `"${key}"${colon}"${mark}"` : whole,
  );
  return redactQuery(redactText(redacted));
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return value;
  const hide = ([key, member]: [string, unknown]) => [key, isSecretName(key) ? mark : withoutSecrets(member)];
  return Object.fromEntries(Object.entries(value).map(hide));
}

/** A form in which a text may hold a secret: patterns of its parts, and of what may stand between them. */
interface Form {
  parts: readonly string[];
  between: string;
  /** What must hold where it begins. */
  before?: string;
}

/** Of these tokens consist (RFC 6750); a form of them is never ambiguous. */
const tokenCharacters = `${wordCharacters}.~+/=-`;

/**
 * The forms of a secret: plain, split by quotes, commas or white space, percent-encoded, as escapes of JSON or
 * HTML, in base64 at any offset, in hexadecimal, as a list of bytes; also mixed.
 */
function formsOf(secret: string): Form[] {
  return formsWithin(secret, secret);
}

/** The first parts of each form, which the first characters give. */
function beginningsOf(secret: string): Form[] {
  const forms = formsWithin(secret, [...secret].slice(0, firstCharacters).join(''));
  return forms.map((form) => ({ ...form, parts: form.parts.slice(0, firstParts) }));
}

/** A secret and what base64 makes of it; none for one that any text may hold. */
interface Traces {
  secret: string;
  base64: readonly string[];
}

function tracesOf(secret: string): Traces | undefined {
  if (!consistsOf(secret, tokenCharacters)) return undefined;
  return { secret, base64: encodings(Buffer.from(secret)) };
}

/**
 * Whether a text may hold a secret in some form: it has each character of one. They are compared one after the other,
 * without a pattern or lists: a short text lacks one of the first.
 */
function mayHold(text: string, traces: Traces | undefined): boolean {
  if (traces === undefined) return true;
  const { secret, base64 } = traces;
  // No form is shorter than the secret.
  if (text.length < secret.length) return false;
  if (hasEach(text, secret)) return true;
  if (text.includes('%') || text.includes('\\') || text.includes('&#') || hasEach(text, secret, decimal))
    return true;
  return mayHoldHex(text, secret) || base64.some((encoded) => hasEach(text, encoded, unlessSign));
}

/** Codes without letters are the same in capitals, and most texts lack one of them: few have to be copied. */
function mayHoldHex(text: string, secret: string): boolean {
  const unlessLetters = (character: string) => hexadecimal(character).replace(/.*[a-f].*/, '');
  return hasEach(text, secret, unlessLetters) && hasEach(text.toLowerCase(), secret, hexadecimal);
}

/** Whether a text has each character of a secret, as it is written there. */
function hasEach(text: string, secret: string, written = (character: string) => character): boolean {
  for (let at = 0; at < secret.length; at += 1) if (!text.includes(written(secret.charAt(at)))) return false;
  return true;
}

function decimal(character: string): string {
  return String(character.charCodeAt(0));
}

/** The signs of base64 have other forms in addresses. */
function unlessSign(character: string): string {
  return character === '+' || character === '/' ? '' : character;
}

/** @param beginning as much of the secret as the forms are to hold */
function formsWithin(secret: string, beginning: string): Form[] {
  const characters = [...beginning];
  const hex = characters.map(hexOf);
  const codes = characters.map(decimal);
  return [
    ...(consistsOf(secret, tokenCharacters) ? [mixed(secret, characters)] : unmixed(characters)),
    ...base64Forms(Buffer.from(beginning)),
    { parts: hex, between: '(?:[\\s:,-]|0x|\\\\x)*' },
    { parts: codes, between: ',\\s*', before: '(?<!\\d)' },
  ];
}

function patternOf(forms: readonly Form[]): string {
  return forms.map(({ parts, between, before = '' }) => before + parts.join(between)).join('|');
}

/** Each character in any encoding. What may stand between them occurs in no token. */
function mixed(secret: string, characters: readonly string[]): Form {
  const parts = characters.map((character) => {
    const [hex, code] = [hexOf(character), character.charCodeAt(0)];
    const escapes = `\\\\(?:u00|x)${hex}|&#(?:0*${code}|[xX]0*${hex});`;
    return `(?:${literal(character)}|%(?:25)*${hex}|${escapes})`;
  });
  const marks = ['"', "'", '`', ',', '+'].filter((mark) => !secret.includes(mark)).map(literal);
  const blank = '(?:\\\\[nrt]|\\s)*';
  const joined = `["'\`]${blank}\\+${blank}\\\\*["'\`]`;
  return { parts, between: `(?:${joined}|\\\\[nrt]|[${marks.join('')}\\s\\\\])*` };
}

/** For a secret with quotes, backslashes or percent signs: each encoding by itself. */
function unmixed(characters: readonly string[]): Form[] {
  const forms = [
    characters.map(literal),
    characters.map((character) => literal(JSON.stringify(character).slice(1, -1))),
    characters.map((character) => anyCase(encodeURIComponent(character))),
    characters.map((character) => `%${hexOf(character)}`),
    characters.map((character) => `\\\\u00${hexOf(character)}`),
  ];
  return forms.map((parts) => ({ parts, between: '' }));
}

/** The base64 of the bytes inside a longer text: their offset decides how they are grouped. */
function base64Forms(bytes: Buffer): Form[] {
  return encodings(bytes).map((encoded) => {
    const parts = [...encoded].map((character) => {
      if (character === '+') return '(?:[+-]|%2[Bb])';
      return character === '/' ? '(?:[/_]|%2[Ff])' : character;
    });
    return { parts, between: '(?:\\\\[nr]|["\'\\s\\\\])*' };
  });
}

/** What base64 makes of the bytes alone, at each offset. */
function encodings(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return own.length < 6 ? [] : own;
  });
}

function hexOf(character: string): string {
  return anyCase(hexadecimal(character));
}

function hexadecimal(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

function anyCase(text: string): string {
  return literal(text).replace(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
