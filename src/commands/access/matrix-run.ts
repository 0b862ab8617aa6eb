import { Matrix, type MatrixRow, type MatrixSpaces, pairsOf, spacesIn } from '../../access/matrix/matrix.js';
import { Tally } from '../../access/tally.js';
import type { Role } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { refuseTitles } from '../../cli/run/refuse-titles.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import type { Reading } from '../../reading/reading.js';
import { organizationTitle, placeFacts, rehearsalWords } from '../page-facts.js';
import { type ReportPage, reportPage } from '../report-page.js';
import { withShards } from '../shards.js';
import type { Own } from '../shards-own.js';
import { conclude, missedWords } from './conclude.js';
import { type Grid, gridOf } from './grid.js';
import { limitOf, pagesOf } from './limit.js';

/**
 * `docs access matrix`: prints people by spaces.
 * @throws DocsError usage; not-found; partial `not_all_read` (exit 3) where something could not be read
 */
export async function showMatrix(session: Session, typed: ManualInput, view: View): Promise<void> {
  const { space, collection, role } = typed.options;
  const split = { command: 'access matrix', flags: { space, collection, role } };
  await withShards(session, typed, split, (own) => showOwn(own, view));
}

async function showOwn({ session, input, shard }: Own, view: View): Promise<void> {
  const { printer } = session;
  const limit = limitOf(input);
  const page = await reportPage(session, input);
  await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const { options } = input;
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const scope = { spaces: many('space'), collections: many('collection') };
  refuseTitles(session, '--space', scope.spaces);
  refuseTitles(session, '--collection', scope.collections);
  const tally = new Tally();
  const found = await spacesIn(reading, scope, tally);
  const { spaces, whole } = found;
  const roles = many('role') as (Role | 'none')[];
  const matrix = new Matrix({ spaces, whole, roles, ...defined({ shard }) }, tally);
  // A page of the whole is titled by it.
  if (shard !== undefined) await organizationTitle(reading);
  const drawing = page && (await drawingOf(session, reading, { page, found, matrix, tally, roles }));
  let people = 0;
  const counting = async function* () {
    for await (const rows of matrix.rows(reading)) {
      people += rows.length;
      drawing?.add(rows);
      yield rows;
    }
  };
  const grid = gridOf(session, spaces);
  const list = () =>
    grid === undefined
      ? printer.list(pagesOf(each(counting(), pairsOf), limit), view, limit)
      : printer.list(pagesOf(each(counting(), grid.rows), limit), grid.view, limit);
  const { cut } = await list().catch((cause: unknown) => {
    page?.left(cause);
    throw cause;
  });
  if (grid !== undefined && grid.hidden > 0) printer.note(hiddenWords(grid, spaces.length));
  await drawing?.write();
  const words = `${counted(people, 'person', 'people')}, ${counted(spaces.length, 'space')}`;
  conclude(session, tally, { words, cut, holes: lateWords(matrix) });
}

interface Drawing {
  add(rows: readonly MatrixRow[]): void;
  write(): Promise<void>;
}

/** `--html`: gathers the rows as they come, and writes the page once all have. */
async function drawingOf(
  session: Session,
  reading: Reading,
  of: { page: ReportPage; found: MatrixSpaces; matrix: Matrix; tally: Tally; roles: readonly string[] },
): Promise<Drawing> {
  const { page, found, matrix, tally, roles } = of;
  const { MatrixCells, matrixReport, matrixWords } = await import('./matrix-page.js');
  const title = await organizationTitle(reading);
  const cells = new MatrixCells(found.places, roles);
  return {
    add(rows) {
      for (const row of rows) cells.add(row, matrix.late);
    },
    write: () =>
      page.write(
        matrixReport(cells, {
          title: `Access matrix of ${title}`,
          about: [...rehearsalWords(session), matrixWords(cells)],
          missing: [...missedWords(tally), ...lateWords(matrix)],
          facts: placeFacts(session, { id: reading.organizationId, title }),
          collections: found.collections,
        }),
      ),
  };
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
