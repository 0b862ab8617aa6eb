import { Matrix, pairsOf, spacesIn } from '../../access/matrix/matrix.js';
import { Tally } from '../../access/tally.js';
import type { Role } from '../../api/shapes.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { refuseTitles } from '../../cli/run/refuse-titles.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { conclude } from './conclude.js';
import { type Grid, gridOf } from './grid.js';
import { limitOf, pagesOf } from './limit.js';

/**
 * `docs access matrix`: prints people by spaces.
 * @throws DocsError usage; not-found; partial `not_all_read` (exit 3) where something could not be read
 */
export async function showMatrix(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer } = session;
  const limit = limitOf(input);
  await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const { options } = input;
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const scope = { spaces: many('space'), collections: many('collection') };
  refuseTitles(session, '--space', scope.spaces);
  refuseTitles(session, '--collection', scope.collections);
  const tally = new Tally();
  const { spaces, whole } = await spacesIn(reading, scope, tally);
  const roles = many('role') as (Role | 'none')[];
  const matrix = new Matrix({ spaces, whole, roles }, tally);
  let people = 0;
  const counting = async function* () {
    for await (const rows of matrix.rows(reading)) {
      people += rows.length;
      yield rows;
    }
  };
  const grid = gridOf(session, spaces);
  const { cut } = await (grid === undefined
    ? printer.list(pagesOf(each(counting(), pairsOf), limit), view, limit)
    : printer.list(pagesOf(each(counting(), grid.rows), limit), grid.view, limit));
  if (grid !== undefined && grid.hidden > 0) printer.note(hiddenWords(grid, spaces.length));
  const words = `${counted(people, 'person', 'people')}, ${counted(spaces.length, 'space')}`;
  conclude(session, tally, { words, cut, holes: lateWords(matrix) });
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
