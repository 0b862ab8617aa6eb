import { isUtf8 } from 'node:buffer';
import type { Encoding } from './encodings.js';
import { type DocsError, usageError } from './errors.js';
import { defined } from './values.js';

export type { Encoding } from './encodings.js';

/** The texts that a person gives: bytes of a file or of standard input, never with a character lost. */

/** What windows-1252 has for the bytes 0x80 to 0x9f; spaces where it has nothing. */
export const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The first characters by which a text names its encoding. */
const marks = [
  { name: 'UTF-32', bytes: [0xff, 0xfe, 0, 0], encoding: undefined },
  { name: 'UTF-32', bytes: [0, 0, 0xfe, 0xff], encoding: undefined },
  { name: 'UTF-8', bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { name: 'UTF-16', bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { name: 'UTF-16', bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** A decoded text, or the index of the byte that has no place in it. */
type Decoded = string | number;

/**
 * Decodes a text without its byte order mark: as the encoding that is given, else as the mark says, else as
 * UTF-8. No byte is ever replaced.
 * @param name what errors call the text: `teams.csv`, `standard input`
 * @throws DocsError usage `bad_encoding`, with line, byte and the likely encoding; `contradiction` where the
 *   mark names another encoding than the given one
 */
export function decodeText(bytes: Uint8Array, name: string, given?: Encoding): string {
  const mark = marks.find((one) => one.bytes.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined && (mark.encoding === undefined || mark.encoding !== (given ?? mark.encoding)))
    throw markContradicts(name, mark, given);
  const encoding = given ?? mark?.encoding ?? 'utf-8';
  const start = mark?.bytes.length ?? 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  const found = decoders[encoding](buffer);
  const fault = typeof found === 'number' ? found : nulIn(found, encoding);
  if (typeof found === 'string' && fault === undefined) return found;
  throw unreadable({ bytes: buffer, at: fault ?? 0, name, encoding, start });
}

const decoders: Record<Encoding, (bytes: Buffer) => Decoded> = {
  'utf-8': utf8,
  'utf-16le': utf16,
  'utf-16be': (bytes) => (bytes.length % 2 === 0 ? utf16(Buffer.from(bytes).swap16()) : bytes.length - 1),
  latin1: (bytes) => eightBits(bytes, () => undefined),
  'windows-1252': (bytes) => eightBits(bytes, (byte) => windows1252[byte - 0x80]),
};

function utf8(bytes: Buffer): Decoded {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  // What is not UTF-8 became this character; the text may have it as well.
  const instead = Buffer.from('\ufffd');
  let [at, from] = [0, 0];
  for (const { index } of text.matchAll(/\ufffd/g)) {
    at += Buffer.byteLength(text.slice(from, index));
    if (!bytes.subarray(at, at + instead.length).equals(instead)) return at;
    at += instead.length;
    from = index + 1;
  }
  return at;
}

function utf16(bytes: Buffer): Decoded {
  if (bytes.length % 2 === 1) return bytes.length - 1;
  const text = bytes.toString('utf16le');
  const lone = /[\ud800-\udfff]/u.exec(text);
  return lone === null ? text : lone.index * 2;
}

/** An encoding of one byte a character. @param high the character of 0x80 to 0x9f; undefined or blank: none */
function eightBits(bytes: Buffer, high: (byte: number) => string | undefined): Decoded {
  const text = bytes.toString('latin1');
  let fault: number | undefined;
  const shown = text.replace(/[\x80-\x9f]/g, (control, at: number) => {
    const character = high(control.charCodeAt(0));
    if (character !== undefined && character !== ' ') return character;
    fault ??= at;
    return '';
  });
  return fault ?? shown;
}

/** The byte of a NUL: no text has one, so it is another encoding, or no text. */
function nulIn(text: string, encoding: Encoding): number | undefined {
  const index = text.indexOf('\0');
  if (index < 0) return undefined;
  if (encoding === 'utf-8') return Buffer.byteLength(text.slice(0, index));
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? index * 2 : index;
}

/** A character of several bytes in UTF-8: where a text has one, it is UTF-8 with a mistake in it. */
const someUtf8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** The encoding that a text is probably in; undefined where nothing speaks for one. */
function likely(bytes: Buffer, tried: Encoding): Encoding | undefined {
  const head = bytes.subarray(0, 4096);
  const nuls = (from: number) => head.filter((byte, at) => byte === 0 && at % 2 === from).length;
  const [even, odd] = [nuls(0), nuls(1)];
  if (even + odd > 0) {
    const many = head.length / 4;
    const guess = odd > many && even === 0 ? 'utf-16le' : even > many && odd === 0 ? 'utf-16be' : undefined;
    return guess === tried ? undefined : guess;
  }
  if (tried !== 'utf-8' && typeof utf8(bytes) === 'string') return 'utf-8';
  const mixed = someUtf8.test(bytes.toString('latin1'));
  const fits = !mixed && typeof decoders['windows-1252'](bytes) === 'string';
  return fits && tried !== 'windows-1252' ? 'windows-1252' : undefined;
}

interface Unreadable {
  bytes: Buffer;
  /** Index of the byte at fault. */
  at: number;
  name: string;
  encoding: Encoding;
  /** Length of the byte order mark. */
  start: number;
}

function unreadable({ bytes, at, name, encoding, start }: Unreadable): DocsError {
  const line = before(bytes.subarray(0, at), encoding).split('\n').length;
  const byte = start + at + 1;
  const looks = likely(bytes, encoding);
  const guess = looks === undefined ? '' : `; it looks like ${looks}`;
  const value = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const message = `${name} is not ${encoding.replace(/^utf/, 'UTF')} text: byte ${byte} (0x${value}) on line ${line}; nothing was sent${guess}`;
  return usageError('bad_encoding', message, { details: defined({ line, byte, encoding: looks }) });
}

/** The text before a fault, for its line breaks alone. */
function before(bytes: Buffer, encoding: Encoding): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  if (encoding === 'utf-16le') return whole.toString('utf16le');
  return encoding === 'utf-16be' ? Buffer.from(whole).swap16().toString('utf16le') : bytes.toString('latin1');
}

function markContradicts(name: string, mark: (typeof marks)[number], given: Encoding | undefined): DocsError {
  const begins = `${name} begins with a byte order mark of ${mark.encoding ?? mark.name}`;
  if (mark.encoding === undefined)
    return usageError('bad_encoding', `${begins}, which docs does not read; nothing was sent`);
  return usageError('contradiction', `${begins}, and --encoding says ${given}; nothing was sent`, {
    details: { encoding: mark.encoding },
  });
}

/**
 * An emoji as its character. The platform takes and shows it so, or as its code points in hex, joined by hyphens:
 * `1f4d8`. Any other text stays as it is.
 */
export function emojiCharacter(text: string): string {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i.test(text)) return text;
  const points = text.split('-').map((point) => Number.parseInt(point, 16));
  return points.every(isCharacter) ? String.fromCodePoint(...points) : text;
}

/** Half of a surrogate pair does not count as one. */
function isCharacter(point: number): boolean {
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}
