import { checkBaseUrl } from '../api/transport/base-url.js';
import { type DocsError, usageError } from '../errors.js';
import { nearest } from '../nearest.js';
import { formatDuration, parseDuration } from './duration.js';

/** The formats of `--output` (command-tree.md, "Grammar"). */
export const outputFormats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'] as const;

/** A value of a setting as JSON shows it. */
export type SettingValue = string | number | boolean | readonly string[];

/** The properties of `Settings` that `docs config` reads and writes. */
export type SettingProperty =
  | 'baseUrl'
  | 'org'
  | 'space'
  | 'site'
  | 'output'
  | 'fields'
  | 'pageSize'
  | 'timeout'
  | 'journal';

/** The declaration of a setting: resolution, checks, `docs config` and help are made from it. */
export interface SettingKey {
  /** As typed after `docs config get`. */
  readonly name: string;
  /** As written in the settings file, and in the project file where that may set it. */
  readonly property: SettingProperty;
  /** One line for help. */
  readonly description: string;
  readonly kind: 'id' | 'url' | 'choice' | 'fields' | 'count' | 'duration' | 'boolean';
  readonly choices?: readonly string[];
  /** Whether each profile has its own. */
  readonly keptIn: 'profile' | 'settings';
  /** The global flag or context flag that wins over all else. */
  readonly flag?: string;
  readonly environment?: string;
  readonly inProjectFile: boolean;
  /** What holds where nothing is set, in words. */
  readonly builtIn: string;
}

/** Every setting, in the order in which `docs config list` shows them. */
export const settingKeys: readonly SettingKey[] = [
  {
    name: 'base-url',
    property: 'baseUrl',
    description: 'Address of the platform',
    kind: 'url',
    keptIn: 'profile',
    flag: '--base-url',
    environment: 'DOCS_BASE_URL',
    inProjectFile: false,
    builtIn: 'none; docs auth login sets it',
  },
  contextKey('org', 'Organization that commands work on'),
  contextKey('space', 'Space that commands work on'),
  contextKey('site', 'Site that commands work on'),
  {
    name: 'output',
    property: 'output',
    description: 'How to print',
    kind: 'choice',
    choices: outputFormats,
    keptIn: 'settings',
    flag: '--output',
    environment: 'DOCS_OUTPUT',
    inProjectFile: true,
    builtIn: 'table on a terminal, tsv elsewhere',
  },
  {
    name: 'fields',
    property: 'fields',
    description: 'Columns or keys to show, in order, as a,b.c',
    kind: 'fields',
    keptIn: 'settings',
    flag: '--fields',
    inProjectFile: true,
    builtIn: "each command's own",
  },
  {
    name: 'page-size',
    property: 'pageSize',
    description: 'Items to ask for in one request, 1 to 1000',
    kind: 'count',
    keptIn: 'settings',
    flag: '--page-size',
    environment: 'DOCS_PAGE_SIZE',
    inProjectFile: true,
    builtIn: "the platform's own",
  },
  {
    name: 'timeout',
    property: 'timeout',
    description: 'Deadline, such as 30s or 5m; 0 for none',
    kind: 'duration',
    keptIn: 'settings',
    flag: '--timeout',
    environment: 'DOCS_TIMEOUT',
    inProjectFile: false,
    builtIn: '60s; none for lists and jobs of many items, where it holds per request',
  },
  {
    name: 'journal',
    property: 'journal',
    description: 'Keep a journal of every change, so that it can be proven, resumed and undone: on or off',
    kind: 'boolean',
    choices: ['on', 'off', 'true', 'false'],
    keptIn: 'settings',
    environment: 'DOCS_JOURNAL',
    inProjectFile: false,
    builtIn: 'true',
  },
];

function contextKey(name: 'org' | 'space' | 'site', description: string): SettingKey {
  return {
    name,
    property: name,
    description,
    kind: 'id',
    keptIn: 'profile',
    flag: `--${name}`,
    environment: `DOCS_${name.toUpperCase()}`,
    inProjectFile: true,
    builtIn: 'none',
  };
}

/**
 * The declaration of a setting by its name; the spelling of the file (`pageSize`) is understood too.
 * @throws DocsError usage `unknown_setting`, naming the nearest or all
 */
export function settingKey(name: string): SettingKey {
  const found = settingKeys.find((key) => key.name === name || key.property === name);
  if (found !== undefined) return found;
  const names = settingKeys.map((key) => key.name);
  const meant = nearest(name, names);
  const known = meant === undefined ? `The settings are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  throw usageError('unknown_setting', `There is no setting ${JSON.stringify(name.slice(0, 60))}. ${known}`, {
    hint: 'docs config list',
    details: { known: names, ...(meant !== undefined && { nearest: meant }) },
  });
}

/** The checks of values by kind: each takes text or JSON, and throws what is wrong without saying where. */
export const parsers = {
  /** An id of the platform: any text, the platform alone knows which exist. */
  id(value: unknown): string {
    const id = typeof value === 'string' ? value.trim() : '';
    if (id === '') throw invalid(value, 'an id');
    return id;
  },
  /** An address of the platform, with its path, without a slash at the end. */
  url(value: unknown): string {
    if (typeof value !== 'string') throw invalid(value, 'an address');
    return checkBaseUrl(value).href.replace(/\/+$/, '');
  },
  output(value: unknown): string {
    const known = outputFormats.find((format) => format === value);
    if (known === undefined) throw invalid(value, `one of ${outputFormats.join(', ')}`);
    return known;
  },
  /** Names of fields, from a list or a text with commas. */
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
  /** Milliseconds, or none. A number of JSON counts seconds. */
  timeout(value: unknown): number | 'none' {
    return parseDuration(typeof value === 'number' || typeof value === 'string' ? String(value) : '');
  },
  journal(value: unknown): boolean {
    if (value === true || value === 'true' || value === 'on') return true;
    if (value === false || value === 'false' || value === 'off') return false;
    throw invalid(value, 'on or off');
  },
} as const;

/**
 * Checks a value typed for `docs config set`.
 * @returns what the settings file keeps
 * @throws DocsError usage `invalid_setting` and the like, naming what is accepted; for an address as
 *   `checkBaseUrl`
 */
export function parseSetting(key: SettingKey, text: string): string | number | boolean {
  switch (key.property) {
    case 'baseUrl':
      return parsers.url(text);
    case 'output':
      return parsers.output(text);
    case 'fields':
      return parsers.fields(text).join(',');
    case 'pageSize':
      return parsers.pageSize(text);
    case 'timeout':
      return formatDuration(parsers.timeout(text));
    case 'journal':
      return parsers.journal(text);
    default:
      return parsers.id(text);
  }
}

function invalid(value: unknown, wanted: string): DocsError {
  const shown = JSON.stringify(value ?? null).slice(0, 60);
  return usageError('invalid_setting', `${shown} is not ${wanted}.`);
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
