import { usageError } from '../base/errors.js';
import { type Column, identifying } from './columns.js';
import { checkFields, pathNamed } from './fields.js';
import type { View } from './printer.js';

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
      'or add and drop some (+role,-id).';
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
    throw usageError('no_columns', '--fields drops every column; nothing would be printed.');
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
export function dropper(fields: readonly string[], view: View): (value: unknown) => unknown {
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
