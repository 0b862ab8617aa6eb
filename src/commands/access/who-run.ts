import { namedSpaces } from '../../access/named-spaces.js';
import { Tally } from '../../access/tally.js';
import { holdersOf } from '../../access/who.js';
import type { Role } from '../../api/shapes.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readIds } from '../../cli/parse/typed-text.js';
import { counted } from '../../output/counted.js';
import type { View, Work } from '../../output/printer.js';
import { limitOf, pagesOf } from './limit.js';
import { conclude, readingOf } from './reading.js';

/**
 * `docs access who`: lists everybody with a role in some spaces.
 * @throws DocsError usage; not-found; partial `not_all_read` (exit 3) where something could not be read
 */
export async function listHolders(session: Session, input: ManualInput, view: View): Promise<void> {
  const limit = limitOf(input);
  const ids = await readIds(session, [input.args.space ?? []].flat(), 'space');
  await session.printer.check(view);
  const reading = await readingOf(session, input);
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
  const holders = holdersOf(reading, { spaces, collections, roles, onRead }, tally);
  await session.printer.list(pagesOf(holders, limit), view, { ...limit, work });
  conclude(session, tally, `${counted(tally.rows, 'role')} in ${counted(spaces.length, 'space')}`);
}
