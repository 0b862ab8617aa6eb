import { resolve } from 'node:path';
import { checkBaseUrl } from '../api/transport/address.js';
import { withoutFinalSlashes } from '../base/characters.js';
import { type DocsError, usageError } from '../base/errors.js';
import { formatDuration, parseDuration } from './duration.js';

/** The formats of `--output` (command-tree.md, "Grammar"). */
export const outputFormats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'] as const;

/** The value of a setting in JSON. */
export type SettingValue = string | number | boolean | readonly string[];

/** The properties of `Settings` that `docs config` reads and writes. */
export type SettingProperty = keyof typeof parsers;

/** The declaration of a setting: resolution, checks, `docs config` and help are derived from it. */
export interface SettingKey {
  /** The name that `docs config get` takes. */
  readonly name: string;
  /** The key in the settings file and, if allowed there, in the project file. */
  readonly property: SettingProperty;
  readonly description: string;
  /** Whether each profile has its own value. */
  readonly ofProfile?: true;
  /** The flag that overrides all other sources. */
  readonly flag?: string;
  readonly environment?: string;
  readonly inProjectFile?: true;
  /** All that it can be, where that is known. */
  readonly values?: readonly string[];
  /** The default, in words. */
  readonly builtIn: string;
}

/** An id: any text, since only the platform knows which ids exist. */
function parseId(value: unknown): string {
  const id = typeof value === 'string' ? value.trim() : '';
  if (id === '') throw invalid(value, 'an id');
  return id;
}

/** Parsers by property: each takes text or JSON and throws an error that does not name the source. */
export const parsers = {
  /** The platform's address, with its path, without a trailing slash. */
  baseUrl(value: unknown): string {
    if (typeof value !== 'string') throw invalid(value, 'an address');
    return withoutFinalSlashes(checkBaseUrl(value).href);
  },
  org: parseId,
  space: parseId,
  site: parseId,
  output(value: unknown): string {
    const known = outputFormats.find((format) => format === value);
    if (known === undefined) throw invalid(value, `one of ${outputFormats.join(', ')}`);
    return known;
  },
  /** Names of fields, from a list or separated by commas. */
  fields(value: unknown): string[] {
    const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
    const fields = list.map((field) => (typeof field === 'string' ? field.trim() : ''));
    if (fields.length === 0 || fields.includes('')) throw invalid(value, 'a list of fields, such as a,b.c');
    return fields;
  },
  /** The platform's `limit`: 1 to 1000 (spec A, "Conventions", 4). */
  pageSize(value: unknown): number {
    const count = typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > 1000) {
      throw invalid(value, 'a whole number from 1 to 1000');
    }
    return count;
  },
  /** Milliseconds, or none. A number in JSON is in seconds. */
  timeout(value: unknown): number | 'none' {
    return parseDuration(typeof value === 'number' || typeof value === 'string' ? String(value) : '');
  },
  /** The path of a policy, absolute. @param cwd what a relative one is relative to */
  policy(value: unknown, cwd: string): string {
    if (typeof value !== 'string' || value.trim() === '') throw invalid(value, 'the path of a file');
    return resolve(cwd, value);
  },
  /** A command, or `off`. */
  pager(value: unknown): string {
    const command = typeof value === 'string' ? value.trim() : '';
    if (command === '' || /[\0-\x1f\x7f]/.test(command))
      throw invalid(value, 'a command, such as less, or off');
    return command;
  },
  journal(value: unknown): boolean {
    if (value === true || value === 'true' || value === 'on') return true;
    if (value === false || value === 'false' || value === 'off') return false;
    throw invalid(value, 'on or off');
  },
} as const;

/**
 * Checks a value typed for `docs config set`.
 * @param cwd the working folder, for paths
 * @returns the value for the settings file
 * @throws DocsError usage `invalid_setting` and the like, naming what is accepted; for an address as
 *   `checkBaseUrl`
 */
export function parseSetting({ property }: SettingKey, text: string, cwd: string): string | number | boolean {
  if (property === 'fields') return parsers.fields(text).join(',');
  if (property === 'timeout') return formatDuration(parsers.timeout(text));
  return parsers[property](text, cwd);
}

function invalid(value: unknown, wanted: string): DocsError {
  const shown = JSON.stringify(value ?? null).slice(0, 60);
  return usageError('invalid_setting', `${shown} is not ${wanted}`);
}

/** Where a value can come from. */
export const valueSources = [
  'flag',
  'environment',
  'project file',
  'profile',
  'settings',
  'sandbox',
  'default',
] as const;
