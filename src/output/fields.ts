import { isJsonObject } from '../api/transport/json-text.js';
import { usageError } from '../base/errors.js';
import { didYouMean, nearest } from '../base/nearest.js';
import { defined } from '../base/values.js';
import { type Column, header, identifying } from './columns.js';
import { type Format, keyed, type View } from './printer.js';

/** What `--fields` makes of a view. */
export interface Shown {
  view: View;
  /** The fields that replace the columns; undefined where the view has those that are shown. */
  fields: readonly string[] | undefined;
  /** Picks the keys to print. */
  pick(value: unknown): unknown;
  /** Whether keys are picked in this format. In rows, columns are, which the format does. */
  picksKeys: boolean;
  /** The same for a single resource, whose view names all that it has. */
  picksOne: boolean;
}

/** The view and the keys that are printed. */
export function shownBy(view: View, fields: readonly string[], format: Format): Shown {
  const isKeyed = keyed.includes(format);
  if (!isRelative(fields))
    return { view, fields, pick: picker(fields), picksKeys: isKeyed, picksOne: isKeyed };
  const pick = dropper(fields, view);
  return { view: changed(view, fields), fields: undefined, pick, picksKeys: isKeyed, picksOne: true };
}

/** `--fields +email,-joined`: columns that are added to those of the view, and dropped from them. */

interface Change {
  adds: boolean;
  /** As typed, without its sign. */
  name: string;
}

/** @throws DocsError usage `mixed_fields` where some have no sign */
function changesOf(fields: readonly string[]): Change[] {
  const plain = fields.find((field) => !/^[+-]./.test(field));
  if (plain !== undefined) {
    const message =
      `--fields: "${plain}" has no sign, and others have one; either name all fields (id,role), ` +
      'or add and drop some (+role,-id)';
    throw usageError('mixed_fields', message);
  }
  return fields.map((field) => ({ adds: field.startsWith('+'), name: field.slice(1) }));
}

/** @throws DocsError usage `mixed_fields`, `unknown_field`; `no_columns` where none is left */
export function checkRelative(fields: readonly string[], view: View): void {
  const changes = changesOf(fields);
  const unknown = changes.flatMap((change) =>
    pathNamed(change.name, view) === undefined ? [change.name] : [],
  );
  checkFields(unknown, view.fields, view.open ?? []);
  if (view.columns.length > 0 && changed(view, fields).columns.length === 0)
    throw usageError('no_columns', '--fields drops every column; nothing would be printed');
}

/** A view with other columns. What is added is given up last on a narrow terminal. */
export function changed(view: View, fields: readonly string[]): View {
  const kept = identifying(view.columns, view.id ?? 'id');
  const columns: Column[] = view.columns.map((column) => ({ ...column, keep: kept.has(column.path) }));
  for (const change of changesOf(fields)) {
    const path = pathNamed(change.name, view) ?? change.name;
    const at = columns.findIndex((column) => column.path === path);
    if (!change.adds && at >= 0) columns.splice(at, 1);
    if (change.adds && at < 0) columns.push({ path, keep: true });
  }
  return { ...view, columns };
}

/** Leaves out the keys that are dropped. Those that are added are there. */
function dropper(fields: readonly string[], view: View): (value: unknown) => unknown {
  const dropped = changesOf(fields).flatMap((change) =>
    change.adds ? [] : [(pathNamed(change.name, view) ?? change.name).split('.')],
  );
  return (value) => dropped.reduce(without, value);
}

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => without(element, [key, ...rest]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const { [key]: own, ...others } = value as Record<string, unknown>;
  if (rest.length === 0) return others;
  return { ...value, [key]: without(own, rest) };
}

/** Segments to keep, in order; an empty map keeps the whole value. */
type Selection = Map<string, Selection>;

/**
 * The value at a dotted path, or an array of values where the path goes through one. Only own keys count:
 * `constructor` and `__proto__` are names like any other.
 */
export function valueAt(value: unknown, path: string): unknown {
  return follow(value, path.split('.'), 0);
}

function follow(value: unknown, segments: readonly string[], from: number): unknown {
  const segment = segments[from];
  if (segment === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((element) => follow(element, segments, from)).filter((found) => found !== undefined);
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  return follow((value as Record<string, unknown>)[segment], segments, from + 1);
}

/** The function that keeps only some fields, in this order: `id,user.email` gives `{id, user: {email}}`. */
export function picker(paths: readonly string[]): (item: unknown) => unknown {
  const selection: Selection = new Map();
  for (const path of paths) select(selection, path.split('.'));
  return (item) => pick(item, selection);
}

function select(selection: Selection, segments: readonly string[]): void {
  let level = selection;
  for (const segment of segments) {
    const known = level.get(segment);
    if (known?.size === 0) return; // the whole of it is kept already
    const next: Selection = known ?? new Map();
    level.set(segment, next);
    level = next;
  }
  level.clear();
}

function pick(value: unknown, selection: Selection): unknown {
  if (selection.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => pick(element, selection));
  const picked: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of selection) {
    if (Object.hasOwn(value, key)) picked[key] = pick((value as Record<string, unknown>)[key], inner);
  }
  return picked;
}

/** Whether some fields are added to those of the view, or dropped: `+email`, `-joined`. */
export function isRelative(fields: readonly string[]): boolean {
  return fields.some((field) => /^[+-][^-]/.test(field));
}

/** Checks `--fields` against a view, whether it names all fields or adds and drops some. @throws as both checks */
export function checkAsked(fields: readonly string[], view: View): void {
  if (isRelative(fields)) checkRelative(fields, view);
  else checkFields(fields, view.fields, view.open ?? []);
}

/** Checks `--fields` against paths and open prefixes. @throws `unknown_field` (exit 2), with the known ones */
export function checkFields(
  fields: readonly string[],
  known: readonly string[],
  open: readonly string[],
  flag = '--fields',
): void {
  const unknown = fields.filter((field) => !isKnownField(field, known, open));
  if (unknown.length === 0) return;
  const names = unknown.map((field) => `"${field}"`).join(', ');
  const field = unknown.length === 1 ? 'field' : 'fields';
  const meant = unknown.map((name) => meantField(name, known)).filter((path) => path !== undefined);
  const suggestion = didYouMean(meant.join(', ') || undefined) || '.';
  const message = `unknown ${field} ${names} in ${flag}${suggestion} Known fields: ${known.join(', ')}.`;
  throw usageError('unknown_field', message, { details: defined({ unknown, known, nearest: meant[0] }) });
}

/** The only path that ends in the typed field (`user.email` for `email`), or the nearest by spelling. */
function meantField(field: string, known: readonly string[]): string | undefined {
  const [inside, ...others] = known.filter((path) => path.endsWith(`.${field}`));
  return others.length === 0 && inside !== undefined ? inside : nearest(field, known);
}

/** Whether a dotted path is one of a resource: see `checkFields`. */
export function isKnownField(field: string, known: readonly string[], open: readonly string[]): boolean {
  if (field.split('.').some((segment) => segment === '')) return false;
  return (
    known.some((path) => path === field || path.startsWith(`${field}.`)) ||
    open.some((prefix) => prefix === '' || field === prefix || field.startsWith(`${prefix}.`))
  );
}

/** The path that a name means: itself, that of the column with this header, or the only one that ends in it. */
export function pathNamed(name: string, { columns, fields, open = [] }: View): string | undefined {
  if (columns.some(({ path }) => path === name) || isKnownField(name, fields, open)) return name;
  const words = name.toLowerCase().replaceAll('-', ' ');
  const headed = columns.filter(({ path, label }) => (label ?? header(path)).toLowerCase() === words);
  if (headed.length === 1) return headed[0]?.path;
  const ending = fields.filter((path) => path.endsWith(`.${name}`));
  return ending.length === 1 ? ending[0] : undefined;
}

/** Items whose keys become columns; keys that first appear later are in JSON only. */
const sample = 50;

/**
 * The rows of any JSON value: the items of an array or a list envelope (undefined for others), and a column for
 * each of `--fields`, or for each key that holds neither object nor array.
 */
export function viewOfValue(
  value: unknown,
  fields: readonly string[] | undefined,
): { items: readonly unknown[] | undefined; columns: Column[] } {
  const items = itemsOf(value);
  if (fields !== undefined) return { items, columns: fields.map((path) => ({ path })) };
  const keys = new Set<string>();
  for (const item of (items ?? [value]).slice(0, sample)) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [key, member] of Object.entries(item))
      if (!Array.isArray(member) && !isJsonObject(member)) keys.add(key);
  }
  return { items, columns: [...keys].map((path) => ({ path })) };
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || !('items' in value)) return undefined;
  return Array.isArray(value.items) ? value.items : undefined;
}
