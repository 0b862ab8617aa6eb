import { InvalidJson, isJsonObject, type JsonKey, parseInputJson } from '../../api/input-json.js';
import { badRows, type Cell, type Row, type Rows } from './row.js';

/** Reads a JSON array of objects. @throws DocsError usage `bad_rows` */
export function parseJsonRows(text: string): Rows {
  const placeOf = placesIn(text);
  const { value, places } = parse(text, 1);
  if (!Array.isArray(value)) throw badRows(1, 'expected a list of objects');
  let line = 1;
  const rows = value.map((item: unknown): Row => {
    const place = places.get(item);
    if (place !== undefined) line = placeOf(place.at).line;
    return rowOf(item, line, place?.keys ?? [], (at) => placeOf(at).column);
  });
  return { rows };
}

export function parseNdjsonRows(text: string): Rows {
  const rows = text.split(/\r?\n/).flatMap((content, index): Row[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const { value, places } = parse(content, line);
    return [rowOf(value, line, places.get(value)?.keys ?? [], (at) => at + 1)];
  });
  return { rows };
}

interface Place {
  at: number;
  keys: readonly JsonKey[];
}

/** @param line the line at which the text begins */
function parse(text: string, line: number): { value: unknown; places: ReadonlyMap<unknown, Place> } {
  const places = new Map<unknown, Place>();
  try {
    const value = parseInputJson(text, (object, at, keys) => places.set(object, { at, keys }));
    return { value, places };
  } catch (cause) {
    if (!(cause instanceof InvalidJson)) throw cause;
    throw badRows(line + cause.line - 1, `not valid JSON: column ${cause.column}: ${cause.what}`);
  }
}

function rowOf(item: unknown, line: number, keys: readonly JsonKey[], columnOf: (at: number) => number): Row {
  if (!isJsonObject(item)) throw badRows(line, 'expected an object');
  const cells = keys.map(
    ({ name, at }): Cell => ({ name: name.trim(), value: item[name], column: columnOf(at) }),
  );
  return { line, cells };
}

/** Finds line and column of an index of a text, both from 1. */
function placesIn(text: string): (at: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}
