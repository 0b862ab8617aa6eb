import { namedSpaces } from '../../access/matrix/named-spaces.js';
import { holdersOf } from '../../access/matrix/who.js';
import { Tally } from '../../access/tally.js';
import type { Role } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readIds } from '../../cli/parse/typed-text.js';
import { refuseTitles } from '../../cli/resolve/id-places.js';
import { outputFormat } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { counted } from '../../output/counted.js';
import type { View, Work } from '../../output/printer.js';
import { conclude } from './conclude.js';
import { limitOf, pagesOf } from './limit.js';

/**
 * `docs access who`: lists everybody with a role in some spaces.
 * @throws DocsError usage; not-found; partial `not_all_read` (exit 3) where something could not be read
 */
export async function listHolders(session: Session, input: ManualInput, view: View): Promise<void> {
  const limit = limitOf(input);
  const ids = await readIds(session, [input.args.space ?? []].flat(), 'space');
  if (ids.length === 0)
    throw usageError('no_items', 'No ids given for <space>.', { hint: 'docs spaces list' });
  refuseTitles(session, '<space>', ids);
  await session.printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const tally = new Tally();
  const { spaces, collections } = await namedSpaces(reading, ids, tally);
  const roles = (input.options.role as Role[] | undefined) ?? [];
  let count: Parameters<Work['watch']>[0] = () => {};
  const onRead = (people: number) => count(people, 0);
  const work: Work = {
    text: 'Reading members',
    watch(counter) {
      count = counter;
    },
  };
  // Another order may put any of them first.
  const most = session.sorts === true ? undefined : limit.limit;
  const holders = holdersOf(reading, { spaces, collections, roles, most, onRead }, tally);
  const shown = viewFor(session, view, spaces.length);
  const { cut } = await session.printer.list(pagesOf(holders, limit), shown, { ...limit, work });
  const words = `${counted(tally.rows, 'role')} in ${counted(spaces.length, 'space')}`;
  conclude(session, tally, { words, cut });
}

/** A table of one space needs no column for it. */
function viewFor(session: Session, view: View, spaces: number): View {
  if (outputFormat(session) !== 'table' || spaces > 1) return view;
  return { ...view, columns: view.columns.filter(({ path }) => path !== 'space.title') };
}
