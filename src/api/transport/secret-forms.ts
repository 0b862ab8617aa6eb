/** A form in which a text may hold a secret: patterns of its parts, and of what may stand between them. */
interface Form {
  parts: readonly string[];
  between: string;
  /** What must hold where it begins. */
  before?: string;
}

/** Characters of which tokens consist (RFC 6750); a form of these is never ambiguous. */
const tokenText = /^[\w.~+/=-]+$/;

/**
 * The forms of a secret: plain, split by quotes, commas or white space, percent-encoded, as escapes of JSON or
 * HTML, in base64 at any offset, in hexadecimal, as a list of bytes; also mixed.
 */
export function formsOf(secret: string): Form[] {
  const characters = [...secret];
  const hex = characters.map(hexOf);
  const codes = characters.map((character) => String(character.charCodeAt(0)));
  return [
    ...(tokenText.test(secret) ? [mixed(secret)] : unmixed(secret)),
    ...base64Forms(Buffer.from(secret)),
    { parts: hex, between: '(?:[\\s:,-]|0x|\\\\x)*' },
    { parts: codes, between: ',\\s*', before: '(?<!\\d)' },
  ];
}

/** @param most parts of each form, for a pattern that is quick to compile and must match where the whole does */
export function patternOf(forms: readonly Form[], most?: number): string {
  return forms
    .map(({ parts, between, before = '' }) => before + parts.slice(0, most).join(between))
    .join('|');
}

/** Each character in any encoding. What may stand between them occurs in no token. */
function mixed(secret: string): Form {
  const parts = [...secret].map((character) => {
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
function unmixed(secret: string): Form[] {
  const characters = [...secret];
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
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    if (own.length < 6) return [];
    const parts = [...own].map((character) => {
      if (character === '+') return '(?:[+-]|%2[Bb])';
      return character === '/' ? '(?:[/_]|%2[Ff])' : character;
    });
    return [{ parts, between: '(?:\\\\[nr]|["\'\\s\\\\])*' }];
  });
}

function hexOf(character: string): string {
  return anyCase(character.charCodeAt(0).toString(16).padStart(2, '0'));
}

function anyCase(text: string): string {
  return literal(text).replace(/[a-f]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
