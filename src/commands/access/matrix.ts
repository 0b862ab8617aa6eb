import { Matrix, type MatrixSpaces, pairsOf, spacesIn } from '../../access/matrix.js';
import { type KnownRole, type MatrixRow, type ResourceRef, Tally } from '../../access/person.js';
import type { Role } from '../../api/shapes.js';
import { refuseTitles } from '../../cli/resolve/id-places.js';
import { outputFormat, wantsText } from '../../cli/run/output.js';
import { organizationTitle, placeFacts, rehearsalWords } from '../../cli/run/report-page.js';
import type { Document, Reading, Report, ReportRequest, Session } from '../../cli/run/run-report.js';
import type { Column, View } from '../../output/printer.js';
import { terminalWidth } from '../../output/terminal.js';
import { counted, safeLine } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';
import { endingOf, limitOf, missedWords, pagesOf } from './lists.js';
import type { MatrixCells } from './matrix-page.js';

/** People by spaces while they are read. */
interface MatrixRead {
  reading: Reading;
  found: MatrixSpaces;
  matrix: Matrix;
  tally: Tally;
  grid: Grid | undefined;
  /** With `--html` and on a terminal: what the page shows, row by row. */
  drawn: { cells: MatrixCells; title: string } | undefined;
}

/** `docs access matrix`: prints people by spaces. Partial `not_all_read` (exit 3) where something could not be read. */
export const matrixReport: Report<MatrixRead> = {
  split({ options: { space, collection, role } }) {
    return { command: 'access matrix', flags: { space, collection, role } };
  },
  read: openMatrix,
  // With a limit, rows come as they are read.
  formOf: (session, { options }) => (wantsText(session) && options.limit === undefined ? 'text' : 'rows'),
  rows({ matrix, grid, reading, drawn }, { input }) {
    const limit = limitOf(input);
    const gathered = async function* () {
      for await (const rows of matrix.rows(reading)) {
        for (const row of drawn === undefined ? [] : rows) drawn?.cells.add(row, matrix.late);
        yield rows;
      }
    };
    return { items: pagesOf(each(gathered(), grid?.rows ?? pairsOf), limit), view: grid?.view, ...limit };
  },
  async drawn(read, { session, progress }) {
    const { matrix, reading, drawn } = read;
    if (drawn === undefined) throw new Error('Nothing was drawn.');
    await progress('Reading who has access', async (shown) => {
      for await (const rows of matrix.rows(reading)) {
        for (const row of rows) drawn.cells.add(row, matrix.late);
        shown.count(matrix.people);
      }
    });
    const { parts, ...page } = await pageOf(read, session);
    return { ...page, parts: parts.filter((part) => part.kind === 'heat') };
  },
  page: (read, { session }) => pageOf(read, session),
  notes: ({ grid, found: { spaces } }) =>
    grid !== undefined && grid.hidden > 0 ? [hiddenWords(grid, spaces.length)] : [],
  end({ found: { spaces }, matrix, tally }, { listed: { cut } }) {
    const words = `${counted(matrix.people, 'person', 'people')}, ${counted(spaces.length, 'space')}`;
    return endingOf(tally, { words, cut, holes: lateWords(matrix) });
  },
};

async function pageOf(
  { reading, found, matrix, tally, drawn }: MatrixRead,
  session: Session,
): Promise<Document> {
  const { matrixReport: documentOf, matrixWords } = await import('./matrix-page.js');
  if (drawn === undefined) throw new Error('Nothing was drawn.');
  const { cells, title } = drawn;
  return documentOf(cells, {
    title: `Access matrix of ${title}`,
    about: [...rehearsalWords(session), matrixWords(cells)],
    missing: [...missedWords(tally), ...lateWords(matrix)],
    facts: placeFacts(session, { id: reading.organizationId, title }),
    collections: found.collections,
  });
}

async function openMatrix({
  session,
  input,
  shard,
  page,
  form,
  ...asked
}: ReportRequest): Promise<MatrixRead> {
  const reading = await asked.reading();
  const many = (name: string) => (input.options[name] as string[] | undefined) ?? [];
  const scope = { spaces: many('space'), collections: many('collection') };
  refuseTitles(session, '--space', scope.spaces);
  refuseTitles(session, '--collection', scope.collections);
  const tally = new Tally();
  const found = await spacesIn(reading, scope, tally);
  const { spaces, whole } = found;
  const roles = many('role') as (Role | 'none')[];
  const matrix = new Matrix({ spaces, whole, roles, shard }, tally);
  // A page of the whole is titled by it.
  if (shard !== undefined) await organizationTitle(reading);
  const drawn = page || form === 'text' ? await drawnOf(reading, found, roles, page) : undefined;
  return {
    reading,
    found,
    matrix,
    tally,
    grid: form === 'text' ? undefined : gridOf(session, spaces),
    drawn,
  };
}

/** @param isTitled whether it names the organization, which takes a request that a terminal alone does not cause */
async function drawnOf(
  reading: Reading,
  { places }: MatrixSpaces,
  roles: readonly string[],
  isTitled: boolean,
) {
  const { MatrixCells } = await import('./matrix-page.js');
  const title = isTitled ? await organizationTitle(reading) : '';
  return { title, cells: new MatrixCells(places, roles) };
}

async function* each<T, R>(windows: AsyncIterable<T[]>, make: (item: T) => R[]): AsyncGenerator<R[]> {
  for await (const items of windows) yield items.flatMap(make);
}

function hiddenWords({ hidden }: Grid, all: number): string {
  return (
    `${counted(all - hidden, 'space')} of ${all} fit; for the others widen the window, name them with --space, ` +
    'or use -o csv'
  );
}

/** Rows that came before a space turned up have no cell for it. */
function lateWords({ late }: Matrix): string[] {
  return [...late.values()].map(
    ({ id, title }) =>
      `Space ${title} (${id}) is in no list but those of members: people without a role in it may be missing.`,
  );
}

/** A matrix with people as rows and spaces as columns: a table on a terminal, CSV for a spreadsheet, or ids. */

interface Grid {
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
  spaces: readonly ResourceRef[],
): Grid | undefined {
  const format = outputFormat({ io, settings });
  if ((globals.jq ?? settings.fields ?? sorts) !== undefined) return undefined;
  if (format === 'csv') return grid(spaces, spaces.length, sheetColumns(spaces), (role) => role ?? '');
  if (format === 'id') return grid(spaces, spaces.length, [], (role) => role);
  if (format !== 'table') return undefined;
  const { titles, shown } = fitted(spaces, terminalWidth(io));
  const person: Column = { path: 'person.displayName', label: 'PERSON', keep: true };
  const columns = titles.slice(0, shown).map((label, index) => spaceColumn(index, label, 'role'));
  return grid(spaces, shown, [person, ...columns], (role) => role ?? '-');
}

function grid(
  spaces: readonly ResourceRef[],
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
function sheetColumns(spaces: readonly ResourceRef[]): Column[] {
  const { times } = countedTexts(spaces.map(({ title }) => title));
  const heads = spaces.map(({ id, title }) => (times.get(title) === 1 ? title : `${title} (${id})`));
  const person = ['person.id', 'person.email', 'person.displayName', 'organizationRole'];
  return [...person.map((path) => ({ path })), ...heads.map((head, index) => spaceColumn(index, head))];
}

function fitted(spaces: readonly ResourceRef[], columns: number): { titles: string[]; shown: number } {
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
