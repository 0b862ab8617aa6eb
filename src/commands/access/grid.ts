import type { MatrixRow } from '../../access/matrix/matrix.js';
import type { KnownRole, PlaceRef } from '../../access/pair.js';
import type { Session } from '../../cli/declare/session.js';
import { outputFormat } from '../../cli/run/output-form.js';
import type { Column, View } from '../../output/printer.js';
import { safeLine } from '../../output/safe-text.js';
import { cut, widthOf } from '../../output/text-width.js';

/** A matrix with people as rows and spaces as columns: a table on a terminal, CSV for a spreadsheet, or ids. */

export interface Grid {
  view: View;
  rows(row: MatrixRow): Record<string, unknown>[];
  /** Spaces that the window has no room for. */
  hidden: number;
}

/** Terminal columns of a person's name, at least. */
const personWidth = 24;
/** Of titles, at most: the first with which all fit, else the last. */
const titleWidths = [40, 30, 24, 20, 16, 14, 12, 10] as const;
/** Of the longest role, and between two columns. */
const roleWidth = 7;
const gap = 2;

/** @returns undefined where each pair is a row: in JSON, YAML and TSV, and where --fields name what is printed */
export function gridOf(
  { io, settings, globals, sorts }: Session,
  spaces: readonly PlaceRef[],
): Grid | undefined {
  const format = outputFormat({ io, settings });
  if ((globals.jq ?? settings.fields ?? sorts) !== undefined) return undefined;
  if (format === 'csv') return grid(spaces, spaces.length, sheetColumns(spaces), (role) => role ?? '');
  if (format === 'id') return grid(spaces, spaces.length, [], (role) => role);
  if (format !== 'table') return undefined;
  const { titles, shown } = fitted(spaces, io.stdout.columns || Number(io.env.COLUMNS) || 80);
  const person: Column = { path: 'person.displayName', label: 'PERSON', keep: true };
  const columns = titles.slice(0, shown).map((label, index) => spaceColumn(index, label, 'role'));
  return grid(spaces, shown, [person, ...columns], (role) => role ?? '-');
}

function grid(
  spaces: readonly PlaceRef[],
  shown: number,
  columns: Column[],
  cell: (role: KnownRole) => string | null,
): Grid {
  const places = new Map(spaces.slice(0, shown).map(({ id }, index) => [id, index]));
  return {
    view: { columns, fields: ['person.id'], id: 'person.id', empty: 'No members.' },
    hidden: spaces.length - shown,
    rows({ person, organizationRole, cells }) {
      const item: Record<string, unknown> = { person, organizationRole: organizationRole ?? 'guest' };
      for (const { space, role } of cells) {
        const index = places.get(space.id);
        if (index !== undefined) item[keyOf(index)] = cell(role);
      }
      return [item];
    },
  };
}

function keyOf(index: number): string {
  return `space${index}`;
}

function spaceColumn(index: number, title: string, as?: 'role'): Column {
  const path = keyOf(index);
  return { path, label: title, head: title, keep: false, ...(as !== undefined && { as }) };
}

/** Who, then a column for each space, headed by its title, and by its id where another has the title, too. */
function sheetColumns(spaces: readonly PlaceRef[]): Column[] {
  const { times } = countedTexts(spaces.map(({ title }) => title));
  const heads = spaces.map(({ id, title }) => (times.get(title) === 1 ? title : `${title} (${id})`));
  const person = ['person.id', 'person.email', 'person.displayName', 'organizationRole'];
  return [...person.map((path) => ({ path })), ...heads.map((head, index) => spaceColumn(index, head))];
}

function fitted(spaces: readonly PlaceRef[], columns: number): { titles: string[]; shown: number } {
  const whole = spaces.map(({ title }) => safeLine(title));
  let best: { titles: string[]; shown: number } = { titles: [], shown: 0 };
  for (const width of titleWidths) {
    const titles = shortTitles(whole, width);
    best = { titles, shown: fitting(titles, columns) };
    if (best.shown === titles.length) return best;
  }
  return best;
}

/** How many columns fit, at least one. */
function fitting(titles: readonly string[], columns: number): number {
  let left = columns - personWidth;
  const fit = titles.findIndex((title) => {
    left -= gap + Math.max(roleWidth, widthOf(title));
    return left < 0;
  });
  return fit === -1 ? titles.length : Math.max(1, fit);
}

/** Titles cut so that no two read the same: at the end, else in the middle, else with a number. */
function shortTitles(titles: readonly string[], width: number): string[] {
  const ends = countedTexts(titles.map((title) => cut(title, width)));
  const middles = countedTexts(titles.map((title) => middle(title, width)));
  return titles.map((_, index) => {
    const [end = '', inner = ''] = [ends.texts[index], middles.texts[index]];
    if (ends.times.get(end) === 1) return end;
    return middles.times.get(inner) === 1 ? inner : cut(`${index + 1} ${end}`, width);
  });
}

function countedTexts(texts: string[]): { texts: string[]; times: Map<string, number> } {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return { texts, times };
}

/** Of a title that is too long, the beginning and the end. */
function middle(title: string, width: number): string {
  if (widthOf(title) <= width) return title;
  let tail = '';
  for (const letter of [...title].reverse()) {
    if (widthOf(letter + tail) > (width - 1) / 2) break;
    tail = letter + tail;
  }
  return cut(title, width - widthOf(tail)) + tail;
}
