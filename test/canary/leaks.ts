import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { mark } from '../../src/reports/page.js';
import { unpacked } from '../reports/unpacked.js';

/** The token that must appear nowhere. Its forms differ: plain, base64, percent-encoded. */
export const canary = 'gb_canary+T0ken/9f3aQz==x';

/** Everything in which a platform may repeat the headers of a request. */
export function quoteOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const { authorization = '' } = headers;
  const token = String(authorization).replace('Bearer ', '');
  const bytes = Buffer.from(String(authorization));
  return [
    JSON.stringify(headers),
    inspect(headers),
    `authorization: ${authorization}`,
    `"${token.slice(0, 9)}" + "${token.slice(9)}"`,
    encodeURIComponent(token),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(bytes),
    [...token].map((character) => `&#${character.charCodeAt(0)};`).join(''),
    '/files/f1?signature=canary-signature&X-Amz-Credential=canary-credential',
  ].join('\n');
}

/** Pieces of the canary, however they were split, that are in a text. Independent of how docs looks for them. */
export function leaksIn(text: string): string[] {
  const bytes = Buffer.from(canary);
  const joined = text.replaceAll(/[\s"'`\\,]|\\n/g, '');
  const withoutPlus = joined.replaceAll('+', '');
  const pieces = [
    ...slices(canary.replaceAll('+', ''), 8),
    ...slices(encodeURIComponent(canary), 12),
    ...[0, 1, 2].flatMap((offset) => {
      const base64 = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .slice(3, -3);
      return slices(base64.replaceAll('+', ''), 10);
    }),
    ...slices(bytes.toString('hex'), 20),
    ...slices([...canary].map((character) => `&#${character.charCodeAt(0)};`).join(''), 30),
  ];
  const list = [...bytes].join(',').replaceAll(',', '');
  const found = pieces.filter((piece) => withoutPlus.includes(piece) || joined.includes(piece));
  return joined.includes(list.slice(0, 30)) ? [...found, 'a list of bytes'] : found;
}

/** Signatures are taken out of what only tells of an answer; content keeps them. */
export function signaturesIn(text: string): string[] {
  return text.match(/canary-(?:signature|credential)/g) ?? [];
}

/** Every file below a folder, with its text. */
export function* filesIn(folder: string): Generator<{ path: string; text: string }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'latin1');
    // What a page holds is packed.
    yield { path, text: text.startsWith(mark) ? text + JSON.stringify(unpacked(text)) : text };
  }
}

function slices(text: string, length: number): string[] {
  const count = Math.floor(text.length / length);
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}
