import type { Command } from '../../src/cli/declare/command.js';

/** A way in which somebody sees what a command prints. */
export interface Medium {
  name: string;
  /** Words behind those of the example. */
  words: readonly string[];
  /** Width of the terminal; without one, a pipe. */
  columns?: number;
}

const narrow: Medium = { name: 'terminal of 80', words: [], columns: 80 };
const wide: Medium = { name: 'terminal of 120', words: [], columns: 120 };
const json: Medium = { name: 'json', words: ['--json'] };
const csv: Medium = { name: 'csv', words: ['-o', 'csv'] };

/** The media of a command: all that it has a flag for. An example that chooses its own is recorded as it is, too. */
export function mediaOf(seed: 'tiny' | 'acme', { formats = [], options }: Command): readonly Medium[] {
  const own = formats.map((format) => ({ name: format, words: ['-o', format] }));
  const isPage = options.some(({ name }) => name === 'html');
  const page = isPage ? [{ name: 'page', words: ['--html', 'page-of-record.html'] }] : [];
  const common = seed === 'acme' ? [wide, json] : [narrow, wide, { name: 'pipe', words: [] }, json, csv];
  return [...common, ...own, ...page];
}

/** Where mishaps are recorded. */
export const mishapMedia: readonly Medium[] = [narrow, json];

/** What goes wrong around a command. */
export interface Mishap {
  name: string;
  words?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** How the platform answers every request. */
  status?: number;
  /** What stands in place of each id that the example names. */
  id?: string;
}

export const mishaps: readonly Mishap[] = [
  { name: 'no token', env: { DOCS_TOKEN: '' } },
  { name: 'a wrong token', env: { DOCS_TOKEN: 'sbx_wrong' } },
  { name: 'no connection', env: { DOCS_BASE_URL: 'http://127.0.0.1:9' }, words: ['--no-retry'] },
  { name: 'refused', status: 403 },
  { name: 'a broken platform', status: 500, words: ['--no-retry'] },
  { name: 'too many requests', status: 429, words: ['--no-retry'] },
  { name: 'an id of nothing', id: 'AAAAAAAAAAAAAAAAAAAA' },
  { name: 'an unknown flag', words: ['--unknown-flag'] },
];
