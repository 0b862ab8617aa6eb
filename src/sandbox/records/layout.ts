import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { SqlValue } from '../store/database.js';
import { type Clock, type Columns, iso, snakeCase } from '../store/rows.js';
import { withTold } from './fields.js';

/*
 * How resources lie in tables, derived from their declarations: each field in the column of its name, `created_at` for
 * `createdAt`, by its type. A layout names only what differs.
 */

interface Differences<S extends TObject, Computed> {
  /** Fields that no column holds. */
  computed?: readonly Computed[];
  /** Columns that have another name than their field. */
  columns?: Partial<Record<Field<S>, string>>;
  /** Fields that the database counts, which nothing writes. */
  counted?: readonly Field<S>[];
  /** Fields that answers have in this order among themselves, not in the declared one. */
  order?: readonly Field<S>[];
  /** The column of what a copy was told (fields.ts). */
  told?: string;
}

type Field<S extends TObject> = keyof S['properties'] & string;

export interface Layout<S extends TObject, Computed extends Field<S> = never> {
  /** The resource in a row. A computed field may be undefined, which leaves it out as null does a column. */
  item(row: object, computed: Pick<Static<S>, Computed & keyof Static<S>>): Static<S>;
  /** The columns of a whole resource, as a copy writes what `item` answers. */
  columns(resource: object): Columns;
  /** The columns that a body changes. */
  changes(body: object): Columns;
  /** Those of the columns that the resource has, as of now. */
  times(clock: Clock, ...columns: readonly string[]): Columns;
}

export function layoutOf<S extends TObject, const Computed extends Field<S> = never>(
  schema: S,
  differences: Differences<S, Computed> = {},
): Layout<S, Computed> {
  const { counted = [], told = 'told' } = differences;
  const cells = cellsOf(schema, differences);
  const written = cells.filter(({ name, column }) => column !== undefined && !counted.includes(name));

  function columnsOf(resource: object, isGiven: (value: unknown) => boolean): Columns {
    const values = resource as Values;
    const columns: Columns = {};
    for (const { name, column = '', write } of written) {
      const value = values[name];
      if (isGiven(value)) columns[column] = write(value);
    }
    return columns;
  }

  return {
    item(row, computed) {
      const own: Record<string, unknown> = {};
      for (const { name, read } of cells) {
        const value = read(row as Values, computed as Values);
        if (value !== undefined) own[name] = value;
      }
      return withTold(own, (row as Values)[told] as string | null | undefined) as Static<S>;
    },
    columns: (resource) => columnsOf(resource, () => true),
    changes: (body) => columnsOf(body, (value) => value !== undefined),
    times(clock, ...columns) {
      const known = columns.filter((column) => cells.some((cell) => cell.column === column));
      const now = known.length > 0 ? clock.now() : 0;
      return Object.fromEntries(known.map((column) => [column, now]));
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

/** How the value of a field lies in its column. */
interface CellType {
  read(column: unknown): unknown;
  write(value: unknown): SqlValue;
}

interface Cell {
  name: string;
  /** None of a field that is computed, or always the same. */
  column?: string;
  read(row: Values, computed: Values): unknown;
  write(value: unknown): SqlValue;
}

function cellsOf(schema: TObject, { computed = [], columns = {}, order = [] }: Differences<TObject, string>) {
  const names = Object.keys(schema.properties);
  const [...ordered] = order;
  const inOrder = names.map((name) => (order.includes(name) ? (ordered.shift() ?? name) : name));
  return inOrder.map((name): Cell => {
    const property = schema.properties[name] as TSchema;
    const type = typeOf(property, schema.required?.includes(name) ?? false);
    if (property.const !== undefined) return { ...type, name, read: () => property.const };
    if (computed.includes(name)) return { ...type, name, read: (_, values) => values[name] };
    const column = columns[name] ?? snakeCase(name);
    return { name, column, read: (row) => type.read(row[column]), write: type.write };
  });
}

const orUndefined = (value: unknown) => value ?? undefined;
const plain: CellType = { read: orUndefined, write: (value) => (value ?? null) as SqlValue };
const nullable: CellType = { ...plain, read: (value) => value };
const flag: CellType = { read: (value) => value === 1, write: (value) => (value === true ? 1 : 0) };

function typeOf({ type, format, anyOf }: TSchema, isRequired: boolean): CellType {
  if (type === 'boolean') return flag;
  if (format === 'date-time') return time(isRequired ? 0 : null);
  if (type === 'array' || type === 'object') return json(isRequired ? [] : null);
  const mayBeNull = (anyOf as TSchema[] | undefined)?.some((one) => one.type === 'null') ?? false;
  return mayBeNull ? nullable : plain;
}

/** Milliseconds. @param missing what stands for none */
function time(missing: 0 | null): CellType {
  return {
    read: (value) => (typeof value === 'number' ? iso(value) : undefined),
    write: (value) => msOrNull(value as string | undefined) ?? missing,
  };
}

/** @param missing what stands for none */
function json(missing: readonly [] | null): CellType {
  return {
    read: (value) => (typeof value === 'string' ? JSON.parse(value) : undefined),
    write: (value) => ((value ?? missing) === null ? null : JSON.stringify(value ?? missing)),
  };
}

/** Milliseconds of a time as the platform writes it. */
export function msOrNull(time: string | undefined): number | null {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : ms;
}
