import type { Meaning, Referred } from '../api/shapes.js';
import { idOf } from '../base/ids.js';
import { isObject } from '../base/values.js';
import { safeLine } from './text.js';

/** Titles in place of the ids by which items refer to other resources. For a person at a terminal alone. */

/** By dotted path, the kind of resource whose id it holds. */
export type References = Readonly<Record<string, Referred>>;

/** Finds titles of resources by their ids. */
export interface Titles {
  /** Looks up what the items refer to. Never fails, and ends soon: what was not found stays an id. */
  learn(items: readonly unknown[], refs: References, within?: ColumnSource['within']): Promise<void>;
  titleOf(kind: Referred, id: string): string | undefined;
}

/** A value with the titles that are known. */
export type Named = (value: unknown, withIds: boolean) => unknown;

/** What the columns of a view refer to; with `whole`, everything else that its shape names, too. */
export function referencesOf({ columns, refs = {} }: ColumnSource, whole: boolean): References {
  const own = columns.flatMap(({ path, titleOf = refs[path] }) =>
    titleOf ? [[path, titleOf] as const] : [],
  );
  return { ...(whole && refs), ...Object.fromEntries(own) };
}

/** Puts titles in place of the ids of a kind: `Handbook`, or `Handbook (x1)`. Ids without a title stay. */
export function naming(titles: Titles, kind: Referred): Named {
  const named: Named = (value, withIds) => {
    if (Array.isArray(value)) return value.map((one) => named(one, withIds));
    const id = idOf(value);
    if (id === undefined) return value;
    const title = ownTitle(value) ?? titles.titleOf(kind, id);
    if (title === undefined || title === '') return value;
    return withIds ? `${title} (${id})` : title;
  };
  return named;
}

function ownTitle(value: unknown): string | undefined {
  const title = isObject(value) ? value.title : undefined;
  return typeof title === 'string' ? safeLine(title) : undefined;
}

/** How a terminal shows the values of a column. */
export type Kind = Meaning | 'text' | 'age' | 'bytes' | 'count' | 'yesno' | 'firstLine' | 'url';

/** A column of a table, and a field that comes first in the view of a single resource. */
export interface Column {
  /** Dotted path into the item, such as `user.displayName`. */
  path: string;
  /** Header; default: from the path, `displayName` gives `DISPLAY NAME`. */
  label?: string;
  /** The header in CSV and TSV, for columns that are no fields; default: the path. */
  head?: string;
  /** A shorter header for tables, where the values are shorter than the label. */
  short?: string;
  /** How a terminal shows it; default: as the view says, or by the value. */
  as?: Kind;
  /** Identifies the item, so never given up on a narrow terminal; default: the first column and the id. */
  keep?: boolean;
  /** What people list for: a narrow terminal cuts or gives up others for it. */
  lead?: boolean;
  /** Its values mean nothing when cut, so others are given up for them; wider than the window, they are cut. */
  whole?: true;
  /** On a terminal a text that is longer than its column goes on in the next line: a reason is of no use when cut. */
  wraps?: true;
  /** The kind of resource whose id it holds: a terminal shows its title. Default: as the shape says. */
  titleOf?: Referred;
  /** Dotted path of the depth in a tree, shown on a terminal as two spaces per level. */
  indent?: string;
  /** Parts of a text, start and end, that a terminal with colours shows in bold. */
  mark?: (text: string) => readonly (readonly [start: number, end: number])[];
}

/** A column with everything decided that does not depend on the items. */
export interface ResolvedColumn extends Column {
  label: string;
  keep: boolean;
  /** An id is whole or not there: it is cut only where it is wider than the window. */
  isId: boolean;
  /** Puts titles in place of ids, on a terminal. */
  named?: (value: unknown, withIds: boolean) => unknown;
  /** Whether the ids stand behind the titles. */
  withIds?: boolean;
}

/** What columns are resolved by, of a view. */
export interface ColumnSource {
  columns: readonly Column[];
  /** Dotted path of the id; `id` unless given. */
  id?: string;
  /** By dotted path, how values are shown, where the declaration of the resource says it. */
  kinds?: Readonly<Record<string, Kind>>;
  /** By dotted path, the kind of resource whose id it holds, where the shape says it. */
  refs?: Readonly<Record<string, Referred>>;
  /** Path parameters of the request whose answer is shown: where the titles of what it refers to are found. */
  within?: Readonly<Record<string, string>>;
}

/** The columns of a printing: those of the view, or one for each of `--fields`. */
export function resolveColumns(
  { columns, id = 'id', kinds = {} }: ColumnSource,
  fields: readonly string[] | undefined,
): ResolvedColumn[] {
  const wanted = fields?.map((path) => columns.find((column) => column.path === path) ?? { path }) ?? columns;
  const labels = headers(wanted, id);
  const kept = identifying(wanted, id);
  return wanted.map((column, index) => {
    const as = column.as ?? kinds[column.path];
    return {
      ...column,
      label: labels[index] ?? column.path,
      keep: kept.has(column.path),
      isId: column.path === id || as === 'id',
      as,
    };
  });
}

/** The paths of the columns that identify an item. */
export function identifying(columns: readonly Column[], id: string): Set<string> {
  const paths = columns.map((column) => column.path);
  const said = columns.filter((column) => column.keep === true).map((column) => column.path);
  if (said.length > 0) return new Set(said);
  return new Set(paths.includes(id) && paths[0] !== id ? [...paths.slice(0, 1), id] : paths.slice(0, 2));
}

/** A name that tells the columns apart: where two would read the same, their parents are named too. */
function headers(columns: readonly Column[], id: string): string[] {
  const name = ({ label, path }: Column) =>
    label ?? (path === id && path.split('.').at(-1) === 'id' ? 'ID' : header(path));
  const short = columns.map(name);
  return columns.map((column, index) => {
    const own = short[index] ?? column.path;
    if (column.label !== undefined || short.filter((other) => other === own).length === 1) return own;
    return column.path.split('.').flatMap(words).join(' ').toUpperCase();
  });
}

/**
 * The header of a path: its last name in capital words. `createdAt` is `CREATED`; an id or a link is named
 * after what it belongs to: `user.id` is `USER ID`, `urls.app` is `APP URL`.
 */
export function header(path: string): string {
  return labelWords(path).join(' ').toUpperCase();
}

/** The same for the view of a single resource, where it reads as a sentence begins: `Display name`. */
export function sentenceLabel(label: string): string {
  const [first = '', ...rest] = label.split(' ').map(spelt);
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

function labelWords(path: string): string[] {
  const segments = path.split('.');
  const last = segments.at(-1) ?? path;
  const parent = segments.at(-2);
  if (parent === 'urls') return last === 'location' ? ['api', 'url'] : [...words(last), 'url'];
  if (last === 'id' && parent !== undefined) return [...words(parent), 'ID'];
  const own = words(last);
  return own.length > 1 && own.at(-1) === 'at' ? own.slice(0, -1) : own;
}

/** Words that keep their capitals in a sentence. */
const acronyms: ReadonlyMap<string, string> = new Map(
  'ID IDs URL URLs SSO SAML AI ACS API PDF'.split(' ').map((word) => [word.toLowerCase(), word]),
);

function spelt(word: string): string {
  const lower = word.toLowerCase();
  return acronyms.get(lower) ?? lower;
}

/** The words of a camelCase, snake_case or kebab-case name, lower case but for acronyms. */
function words(name: string): string[] {
  const apart = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return apart
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map(spelt);
}
