import fs, { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DocsError, diskReason, notSent, systemCode } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { openOwnFile } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { isObject } from '../base/values.js';

type World = Pick<Io, 'platform'>;

/** Levels of arrays and objects in a file of settings. */
const deepest = 100;

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
  const fd = ifThere(io, path, () => opened(path, rules));
  if (fd === undefined) return undefined;
  try {
    const { largestKb, invalid } = rules;
    if (fs.fstatSync(fd).size > largestKb * 1024) {
      throw invalid(`is larger than ${largestKb < 1024 ? `${largestKb} KB` : `${largestKb / 1024} MB`}`);
    }
    const bytes = ifThere(io, path, () => fs.readFileSync(fd));
    return bytes && objectOf(bytes, invalid);
  } finally {
    fs.closeSync(fd);
  }
}

/** A pipe or a device is not waited for; a link is followed, since people keep settings elsewhere. */
function opened(path: string, { invalid }: Rules): number | undefined {
  try {
    return openOwnFile(path, { follow: true });
  } catch (error) {
    throw error instanceof DocsError ? invalid('is not a file') : error;
  }
}

/** @returns undefined if nothing is there */
export function statsOf(
  io: World,
  path: string,
  stat: (path: string) => Stats = statSync,
): Stats | undefined {
  return ifThere(io, path, () => stat(path));
}

function ifThere<T>(io: World, path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw failure(io, 'read', path, error);
  }
}

function objectOf(bytes: Buffer, invalid: Rules['invalid']): Record<string, unknown> {
  let text = '';
  let value: unknown;
  try {
    // Takes away the mark that editors on Windows put before a text.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
    if (isTooDeep(value, 0)) throw invalid(`is nested more than ${deepest} levels deep`);
  } catch (error) {
    if (error instanceof DocsError) throw error;
    if (!(error instanceof SyntaxError)) throw invalid('is not UTF-8 text');
    // The engine's message may quote the file, which may contain a token: only the position is shown.
    throw invalid(`is not valid JSON${positionOf(error, text)}`);
  }
  if (!isObject(value)) throw invalid('is not a JSON object');
  return value;
}

/** Whether arrays and objects are nested deeper than any setting; the recursion ends there. */
function isTooDeep(value: unknown, level: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return level >= deepest || Object.values(value).some((member) => isTooDeep(member, level + 1));
}

/** The position of a JSON error, if the engine gives one: ` (line 3, column 5)`. */
function positionOf(error: SyntaxError, text: string): string {
  const position = /at position (\d+)/.exec(error.message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** The settings or credentials file cannot be written: exit 13. The old one, if any, is unchanged. */
export function cannotWrite(io: World, path: string, error: unknown): DocsError {
  return failure(io, 'write', path, error);
}

function failure(io: World, verb: 'read' | 'write', path: string, error: unknown): DocsError {
  const system = systemCode(error);
  if (system === undefined) throw error;
  const code = `cannot_${verb}_${path.includes('credentials') ? 'credentials' : 'settings'}`;
  const what = `Cannot ${verb} ${path}${verb === 'write' ? '; nothing was changed' : ''}`;
  const folder = shellWord(dirname(path), io.platform);
  const look = io.platform === 'win32' ? `dir ${folder}` : `ls -la ${folder}`;
  const full = (system === 'ENOSPC' || system === 'EDQUOT') && io.platform !== 'win32';
  const hint = full ? `df -h ${folder}` : look;
  return notSent('local-io', code, `${what}: ${diskReason(system)}.`, { hint, cause: error });
}
