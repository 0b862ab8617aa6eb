import { isObject } from '../../is-object.js';
import { badRows, type Cell, type Row, type Rows } from './row.js';

/** Reads a JSON array of objects. @throws DocsError usage `bad_rows` */
export function parseJsonRows(text: string): Rows {
  const value = parse(text, 1);
  if (!Array.isArray(value)) throw badRows(1, 'expected a list of objects');
  const places = keyPlaces(text);
  return {
    rows: value.map((item: unknown, at) => {
      const { line, keys } = places[at] ?? { line: 1, keys: [] };
      return { line, cells: cellsOf(item, line, keys) };
    }),
  };
}

export function parseNdjsonRows(text: string): Rows {
  const rows = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((content, at): Row[] => {
      if (content.trim() === '') return [];
      const line = at + 1;
      const [place] = keyPlaces(`[${content}]`);
      const keys = (place?.keys ?? []).map((key) => ({ ...key, column: key.column - 1 }));
      return [{ line, cells: cellsOf(parse(content, line), line, keys) }];
    });
  return { rows };
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const message = String((cause as Error).message);
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
    const at = line + text.slice(0, position).split('\n').length - 1;
    throw badRows(at, `not valid JSON: ${message.replace(/ in JSON at position.*$/, '')}`);
  }
}

function cellsOf(item: unknown, line: number, keys: readonly { name: string; column: number }[]): Cell[] {
  if (!isObject(item)) throw badRows(line, 'expected an object');
  return Object.entries(item).map(([name, value]) => {
    const column = keys.findLast((key) => key.name === name)?.column ?? 1;
    return { name: name.trim(), value, column };
  });
}

interface ObjectPlace {
  /** The line on which the object begins, from 1. */
  line: number;
  keys: { name: string; column: number }[];
}

/** A string, or a character of the structure. */
const token = /"(?:[^"\\]|\\.)*"|[[\]{},:\n]/g;

/**
 * The places of the objects directly inside a JSON array, and of their keys, which JSON.parse does not
 * report.
 * @param text valid JSON
 */
function keyPlaces(text: string): ObjectPlace[] {
  const places: ObjectPlace[] = [];
  let [depth, line, lineStart, wantsKey] = [0, 1, 0, false];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '\n') {
      line += 1;
      lineStart = index + 1;
    } else if (found === '{' || found === '[') {
      depth += 1;
      if (depth === 2) places.push({ line, keys: [] });
      wantsKey = depth === 2 && found === '{';
    } else if (found === '}' || found === ']') {
      depth -= 1;
      wantsKey = false;
    } else if (found === ',') {
      wantsKey = depth === 2;
    } else if (found !== ':' && wantsKey) {
      places.at(-1)?.keys.push({ name: JSON.parse(found) as string, column: index - lineStart + 1 });
      wantsKey = false;
    }
  }
  return places;
}
