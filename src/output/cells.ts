import { RawNumber } from '../api/transport/json-text.js';
import { idOf } from '../base/ids.js';
import { emojiCharacter } from '../base/text-encoding.js';
import type { Paint } from './colors.js';
import type { Column, Kind, ResolvedColumn } from './columns.js';
import { valueAt } from './fields.js';
import { stringify } from './json.js';
import { age, byteSize, grouped, isDateTime, safeLine } from './text.js';

/** A value as a terminal shows it: one line of sanitised text, and what it means. */
export interface Cell {
  text: string;
  kind: Kind;
  /** Where it leads, for terminals with links. */
  address?: string;
}

/** Text of a value for other programs: whole, with ISO times; what is nested is compact JSON. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof RawNumber) return value.rawJson;
  return typeof value === 'object' ? stringify(value) : String(value);
}

/** The text of a column of an item, for other programs. */
export function columnText(item: unknown, column: Column): string {
  return plainText(columnValue(item, column));
}

/** The value of a column of an item, with ids in place of resources that are referred to. */
export function columnValue(item: unknown, { path, as }: Column): unknown {
  return referred(valueAt(item, path), as);
}

/** The id in place of a resource that is referred to, which may be whole or an id; anything else as it is. */
function referred(value: unknown, as: Kind | undefined): unknown {
  if (as !== 'resource') return value;
  return Array.isArray(value) ? value.map((one) => referred(one, as)) : (idOf(value) ?? value);
}

/** The text of a column of an item, for a person. @param most as that of `personal` */
export function cellOf(
  item: unknown,
  column: Column & Pick<ResolvedColumn, 'named' | 'withIds'>,
  nowMs: number | undefined,
  most?: number,
): Cell {
  const found = valueAt(item, column.path);
  const value = column.named === undefined ? found : column.named(found, column.withIds ?? false);
  const cell = personal(value, column.as, nowMs, most);
  if (column.indent === undefined) return cell;
  const depth = valueAt(item, column.indent);
  const levels = typeof depth === 'number' && depth > 0 ? Math.min(Math.floor(depth), 20) : 0;
  return { ...cell, text: '  '.repeat(levels) + cell.text };
}

/**
 * The text of a value for a person.
 * @param nowMs milliseconds since the epoch; undefined for ISO times
 * @param most code units that are cleaned and shown, where the rest will be cut anyway
 */
export function personal(
  found: unknown,
  as: Kind | undefined,
  nowMs: number | undefined,
  most?: number,
): Cell {
  const value = referred(found, as);
  const kind = as ?? inferred(value);
  if (value === null || value === undefined)
    return { text: as === 'role' && value === null ? 'none' : '', kind };
  if (typeof value === 'string') return { ...ofString(value, kind, nowMs, most), kind };
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', kind };
  if (typeof value === 'number') return { text: ofNumber(value, kind), kind };
  return { text: safeLine(compact(value).slice(0, most)), kind };
}

function ofString(
  value: string,
  kind: Kind,
  nowMs: number | undefined,
  most: number | undefined,
): Omit<Cell, 'kind'> {
  if (kind === 'age') return { text: safeLine(nowMs === undefined ? value : age(value, nowMs)) };
  if (kind === 'firstLine')
    return {
      text: safeLine(
        value
          .trimStart()
          .slice(0, most)
          .split(/[\r\n]/, 1)[0] ?? '',
      ),
    };
  if (kind === 'emoji') return { text: safeLine(emojiCharacter(value.slice(0, most))) };
  const text = safeLine(value.slice(0, most));
  return kind === 'url' ? { text, address: value } : { text };
}

function ofNumber(value: number, kind: Kind): string {
  if (kind === 'bytes') return byteSize(value);
  return kind === 'count' ? grouped(value) : String(value);
}

function inferred(value: unknown): Kind {
  if (typeof value === 'boolean') return 'yesno';
  if (isDateTime(value)) return 'age';
  if (typeof value === 'string' && /^https?:\/\/\S+$/.test(value)) return 'url';
  return 'text';
}

/** Scalars of an array with commas between them; anything else that is nested as JSON. */
function compact(value: unknown): string {
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object' || element === null)) {
    return value.map(plainText).join(', ');
  }
  return plainText(value);
}

/** Colours the text of a cell by what it means. */
export function painted(text: string, kind: Kind, paint: Paint): string {
  if (kind === 'role' || kind === 'state' || kind === 'visibility') return paint[kind](text);
  return kind === 'age' || (kind === 'yesno' && text === 'no') ? paint.quiet(text) : text;
}
