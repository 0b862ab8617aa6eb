import { usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readIds } from '../../cli/parse/typed-text.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { refuse } from '../../cli/run/refuse.js';
import { readRowsFile } from '../../cli/run/rows-file.js';
import type { Rows } from '../../jobs/rows.js';
import { counted } from '../../output/counted.js';
import { lookUp, type Name, namesIn, wrongNames } from '../../workflows/offboard/people.js';
import type { LeavingRequest } from '../../workflows/offboard/prepare.js';

/** Who is to leave and who takes over, from arguments and flags. */

/** The names that were typed or read. @throws DocsError usage where there are none */
export async function namesOf(session: Session, { args, options }: ManualInput): Promise<Name[]> {
  const typed = [args.user ?? []].flat();
  const names: Name[] = (await readIds(session, typed, 'user')).map((text) => ({ text }));
  if (typeof options.from === 'string') {
    const { rows } = await readRowsFile(session, options.from, '--from');
    refuseUndecided(rows);
    const { names: more, unused } = namesIn(rows);
    names.push(...more);
    if (unused.length > 0) session.printer.note(`Ignored columns: ${unused.join(', ')}.`);
  }
  if (names.length > 0 || options.allowEmpty === true) return names;
  if (typed.length > 0 || options.from !== undefined)
    throw usageError('no_items', 'No members given; add --allow-empty if that is intended.');
  const message = 'No members given; pass <user...>, or --from with a file.';
  throw usageError('missing_argument', message, { hint: 'docs members list' });
}

/** Guards against offboarding everybody in an access review: if rows have decisions, all must be `remove`. */
function refuseUndecided({ header, rows }: Rows): void {
  const isDecision = ({ name }: { name: string }) => sameName(name, 'decision');
  if (header?.cells.some(isDecision) !== true) return;
  const others = rows.filter(
    ({ cells }) => String(cells.find(isDecision)?.value).trim().toLowerCase() !== 'remove',
  );
  const [first] = others;
  if (first === undefined) return;
  const message = `Line ${first.line}: the decision is not remove (${others.length} of ${rows.length} rows). Keep only the rows to remove, or apply the whole review with docs members review --apply.`;
  throw usageError('not_leavers', message);
}

/** Looks up the members, each once. @throws DocsError as `lookUp`, `wrongNames` */
export async function requestOf(
  session: Session,
  input: ManualInput,
  names: readonly Name[],
): Promise<LeavingRequest> {
  const { reassignTeamsTo } = input.options;
  const reading = await readingOf(session, input);
  const heirName = typeof reassignTeamsTo === 'string' ? [{ text: reassignTeamsTo }] : [];
  const looked = await lookUp(reading, [...names, ...heirName]);
  refuse(session, wrongNames(looked));
  const found = looked.flatMap(({ member }) => member ?? []);
  const members = [...new Map(found.slice(0, names.length).map((member) => [member.id, member])).values()];
  const twice = names.length - members.length;
  if (twice > 0) session.printer.note(`Ignored ${counted(twice, 'duplicate')} of ${names.length} members.`);
  return { reading, members, heir: heirName.length === 0 ? undefined : found.at(-1) };
}
