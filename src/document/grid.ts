import { counted, grouped, safeLine } from '../output/text.js';
import { cut } from '../output/text-width.js';
import type { HeatLine, HeatPart } from './document.js';

/**
 * People by spaces, folded until they fit a page or a window: equal rows and equal columns are one, and whoever has what no
 * group explains stands on top. Where there are too many ways of having access, lines of a group share one, and say that
 * they differ.
 */

/** So many columns fit beside each other; so many rows below each other. */
const [mostColumns, mostRows, mostApart] = [10, 24, 40];

/** Lines that are shown as one. */
export interface GridLine {
  /** By index. */
  members: number[];
  /** `45 spaces`, or the name of the only one. */
  title: string;
  /** What they are. */
  detail: string;
}

/** A map of levels, folded. */
export class Grid {
  readonly part: HeatPart;
  readonly columns: readonly GridLine[];
  /** Those who have what no group explains. */
  readonly apart: readonly GridLine[];
  readonly groups: readonly GridLine[];
  /** Whether lines that differ share a row or a column. */
  readonly isMixed: boolean;

  constructor(part: HeatPart) {
    this.part = part;
    const apart = rowsApart(part);
    const columns = columnsOf(part);
    const rest = part.rows.flatMap((_row, at) => (apart.has(at) ? [] : [at]));
    const exact = groupsOf(rest, (row) => `${part.rows[row]?.group ?? ''}\n${signature(part, row)}`);
    const byGroup = exact.length <= mostRows ? exact : groupsOf(rest, (row) => part.rows[row]?.group ?? '');
    this.isMixed = exact.length > mostRows || columns.isMixed;
    this.columns = columns.lines;
    this.apart = [...apart].slice(0, mostApart).map((row) => lineOf([row], part.rows, part.axes[0]));
    const strength = ([row = 0]: number[]) => weightOf(part, row);
    const ordered = byGroup.sort(
      (one, other) => other.length - one.length || strength(other) - strength(one),
    );
    this.groups = capped(ordered, mostRows).map((members) => lineOf(members, part.rows, part.axes[0]));
  }

  /** The levels and reasons that lines of rows and of columns share; of many people some are looked at. */
  cell(line: GridLine, column: GridLine): { levels: number[]; reasons: string[]; isApart: boolean } {
    const { cells, why, reasons, apart = [], columns } = this.part;
    const levels = new Set<number>();
    const found = new Set<number>();
    for (const row of line.members)
      for (const at of column.members) {
        const cell = row * columns.length + at;
        levels.add(cells[cell] ?? 0);
        found.add(why[cell] ?? 0);
      }
    const sentences = [...found].map((at) => reasons[at] ?? '').filter(Boolean);
    return {
      levels: [...levels].sort((one, other) => one - other),
      reasons:
        sentences.length > 3
          ? [...sentences.slice(0, 2), `And ${grouped(sentences.length - 2)} other reasons.`]
          : sentences,
      isApart: [...found].some((at) => apart.includes(at)),
    };
  }
}

/** Rows with a cell whose reason no group explains. */
function rowsApart({ rows, columns, why, apart = [] }: HeatPart): Set<number> {
  const found = new Set<number>();
  const reasons = new Set(apart);
  if (reasons.size > 0)
    for (let at = 0; at < why.length; at += 1)
      if (reasons.has(why[at] ?? 0)) found.add(Math.floor(at / columns.length));
  // Where most are apart, none is.
  return found.size * 2 > rows.length ? new Set() : found;
}

/** Equal columns as one; where there are too many ways, those of a group, then all that are left. */
function columnsOf(part: HeatPart): { lines: GridLine[]; isMixed: boolean } {
  const all = part.columns.map((_column, at) => at);
  const lines = (groups: number[][]) => groups.map((members) => lineOf(members, part.columns, part.axes[1]));
  const bySize = (groups: number[][]) => groups.sort((one, other) => other.length - one.length);
  const exact = bySize(groupsOf(all, (column) => columnSignature(part, column)));
  if (exact.length <= mostColumns) return { lines: lines(exact), isMixed: false };
  const byGroup = bySize(groupsOf(all, (column) => part.columns[column]?.group ?? ''));
  const few =
    exact.slice(0, mostColumns).flat().length > capped(byGroup, mostColumns).slice(0, -1).flat().length;
  return { lines: lines(capped(few ? exact : byGroup, mostColumns)), isMixed: true };
}

/** The last of too many groups has all that are left. */
function capped(groups: number[][], most: number): number[][] {
  return groups.length <= most ? groups : [...groups.slice(0, most - 1), groups.slice(most - 1).flat()];
}

function groupsOf(indexes: readonly number[], keyOf: (index: number) => string): number[][] {
  const groups = new Map<string, number[]>();
  for (const index of indexes) {
    const key = keyOf(index);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [index]);
    else known.push(index);
  }
  return [...groups.values()];
}

function signature({ cells, columns }: HeatPart, row: number): string {
  return String.fromCharCode(...cells.subarray(row * columns.length, (row + 1) * columns.length));
}

/** Of a column: its bytes, hashed twice, since there may be many people. */
function columnSignature({ cells, rows, columns, rows: { length } }: HeatPart, column: number): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let row = 0, at = column; row < length; row += 1, at += columns.length) {
    const byte = cells[at] ?? 0;
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other + byte + (row % 251), 0x85ebca6b) ^ (other >>> 13);
  }
  return `${rows.length}:${one >>> 0}:${other >>> 0}`;
}

function weightOf({ cells, columns }: HeatPart, row: number): number {
  let sum = 0;
  for (const level of cells.subarray(row * columns.length, (row + 1) * columns.length)) sum += level;
  return sum;
}

function lineOf(members: number[], all: readonly HeatLine[], axis: string): GridLine {
  const [only, ...more] = members.map((at) => all[at]);
  if (only === undefined || more.length === 0)
    return { members, title: only?.label ?? '', detail: only?.group ?? only?.detail ?? '' };
  const groups = [...new Set([only, ...more].map((line) => line?.group ?? ''))].filter(Boolean);
  const noun = axis.toLowerCase();
  const title = counted(members.length, noun, noun === 'person' ? 'people' : `${noun}s`);
  if (groups.length === 1) return { members, title, detail: groups[0] ?? '' };
  if (members.length * 2 > all.length) return { members, title, detail: 'all others' };
  const named = [only, ...more].slice(0, 2).map((line) => cut(safeLine(line?.label ?? ''), 20));
  const rest = members.length > named.length ? ` and ${grouped(members.length - named.length)} more` : '';
  return { members, title, detail: `${named.join(', ')}${rest}` };
}
