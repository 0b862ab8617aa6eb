import { readFileSync, type Stats, statSync } from 'node:fs';
import type { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { isObject } from '../is-object.js';
import { systemCode } from '../system-error.js';
import { cannotRead } from './disk-failure.js';

type World = Pick<Io, 'platform'>;

/** The size limit of a file, and the error for one that breaks the rules. */
interface Rules {
  /** In kilobytes (1024 bytes). */
  largestKb: number;
  invalid(what: string): DocsError;
}

/**
 * Reads a JSON object from a file that a person may have edited.
 * @returns undefined if there is no file
 * @throws DocsError what `invalid` makes; local-io `cannot_read_…`
 */
export function readJsonFile(io: World, path: string, rules: Rules): Record<string, unknown> | undefined {
  const { largestKb, invalid } = rules;
  const stats = statsOf(io, path);
  if (stats === undefined) return undefined;
  // Reading a pipe would block for ever.
  if (!stats.isFile()) throw invalid('is not a file');
  if (stats.size > largestKb * 1024) {
    throw invalid(`is larger than ${largestKb < 1024 ? `${largestKb} KB` : `${largestKb / 1024} MB`}`);
  }
  const bytes = bytesOf(io, path);
  return bytes && objectOf(bytes, invalid);
}

/** @returns undefined if nothing is there */
export function statsOf(
  io: World,
  path: string,
  stat: (path: string) => Stats = statSync,
): Stats | undefined {
  try {
    return stat(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cannotRead(io, path, error);
  }
}

function bytesOf(io: World, path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw cannotRead(io, path, error);
  }
}

function objectOf(bytes: Buffer, invalid: Rules['invalid']): Record<string, unknown> {
  let text = '';
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw invalid('is not UTF-8 text');
    // The engine's message may quote the file, which may contain a token: only the position is shown.
    throw invalid(`is not valid JSON${positionOf(error, text)}`);
  }
  if (!isObject(value)) throw invalid('is not a JSON object');
  return value;
}

/** The position of a JSON error, if the engine gives one: ` (line 3, column 5)`. */
function positionOf(error: SyntaxError, text: string): string {
  const position = /at position (\d+)/.exec(error.message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}
