import { consistsOf, isDigits, isPrintableAscii, wordCharacters } from '../../base/characters.js';
import type { Headers } from './contract.js';

const protocol = 'HTTP/1.1 ';
const nameCharacters = `${wordCharacters}!#$%&'*+.^\`|~-`;
/** These have no body, or change what follows. */
const bodiless: readonly string[] = ['205', '304'];
/** Headers of which any value makes an answer unusual. */
const unusual: readonly string[] = ['upgrade', 'trailer', '__proto__'];
/** Headers that make an answer unusual where they are repeated. The values of others are joined. */
const single: readonly string[] = [
  'connection',
  'content-length',
  'cookie',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
];

/** The headers of the plain head before, as lines: most heads repeat most of them. */
let plainLines: readonly string[] = [];

interface PlainHead {
  status: number;
  headers: Headers;
  /** Of the body, in bytes; undefined where it comes in chunks. */
  length: number | undefined;
}

/** A plain head; undefined for any other. @param text without its last line break */
export function plainHead(text: string): PlainHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const status = first.slice(protocol.length, protocol.length + 3);
  const isOne = first.startsWith(protocol) && isDigits(status) && first.charAt(protocol.length + 3) === ' ';
  if (!isOne || status < '200' || status > '599' || bodiless.includes(status)) return undefined;
  if (!isPrintableAscii(first)) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = line.slice(colon + 1);
    if (!plainLines.includes(line) && !isPlainHeader(name, value)) return undefined;
    const before = headers.get(name);
    if (unusual.includes(name) || (before !== undefined && single.includes(name))) return undefined;
    headers.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`);
  }
  const length = lengthOf(status, headers);
  if (length === undefined) return undefined;
  plainLines = lines;
  return {
    status: Number(status),
    headers: Object.fromEntries(headers),
    length: length === 'chunks' ? undefined : length,
  };
}

/** What a head tells of the length of its body; undefined where that is unusual. */
function lengthOf(status: string, headers: ReadonlyMap<string, string>): number | 'chunks' | undefined {
  const told = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  if (coding !== undefined)
    return told === undefined && status !== '204' && coding.toLowerCase() === 'chunked'
      ? 'chunks'
      : undefined;
  // Nothing follows a 204, and nothing says so but the status.
  if (status === '204') return told === undefined || told === '0' ? 0 : undefined;
  return told !== undefined && isDigits(told) && told.length <= 15 ? Number(told) : undefined;
}

/** Whether a line is an ordinary header. */
export function isPlainLine(line: string): boolean {
  const colon = line.indexOf(':');
  return isPlainHeader(line.slice(0, Math.max(colon, 0)), line.slice(colon + 1));
}

function isPlainHeader(name: string, value: string): boolean {
  return name !== '' && consistsOf(name, nameCharacters) && isPrintableAscii(value);
}
