import { resolve } from 'node:path';
import type { Member } from '../../api/resources/members.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/run/context.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { readRowsFile } from '../../cli/run/rows-file.js';
import { readIds } from '../../cli/run/typed-text.js';
import { usageError } from '../../errors.js';
import type { Rows } from '../../jobs/rows.js';
import type { Reading } from './holdings.js';
import { type Looked, lookUp, type Name, namesIn, refuseWrong } from './people.js';

/** Who is to leave and who takes over, from what was typed. */

export interface LeavingRequest {
  reading: Reading;
  members: Member[];
  heir: Member | undefined;
  /** Absolute path of the folder of the evidence. */
  folder: string;
}

/** The names that were typed or read. @throws DocsError usage where there are none */
export async function namesOf(session: Session, { args, options }: ManualInput): Promise<Name[]> {
  const typed = await readIds(session.io, [args.user ?? []].flat(), 'user');
  const names: Name[] = typed.map((text) => ({ text }));
  if (typeof options.from === 'string') {
    const { rows } = await readRowsFile(session.io, options.from, '--from');
    refuseUndecided(rows);
    const { names: more, unused } = namesIn(rows);
    names.push(...more);
    if (unused.length > 0) session.printer.note(`Columns that are not used: ${unused.join(', ')}.`);
  }
  if (names.length > 0 || options.allowEmpty === true) return names;
  const isNothingTyped = args.user === undefined || args.user.length === 0;
  if (isNothingTyped && options.from === undefined) {
    throw usageError('missing_argument', 'Nobody is named: give <user...>, or --from with a file.', {
      hint: 'docs members list',
    });
  }
  throw usageError('no_items', 'Nobody is named; add --allow-empty if that is fine.');
}

/** A whole access review is no list of leavers: where rows have decisions, all must say `remove`. */
function refuseUndecided({ header, rows }: Rows): void {
  const isDecision = ({ name }: { name: string }) => name.trim().toLowerCase() === 'decision';
  if (header?.cells.some(isDecision) !== true) return;
  const others = rows.filter(
    ({ cells }) => String(cells.find(isDecision)?.value).trim().toLowerCase() !== 'remove',
  );
  if (others.length === 0) return;
  const message = `Line ${others[0]?.line}: the decision is not remove, as for ${others.length} of ${rows.length} rows. This is a review: keep its leavers alone, or carry it out with docs members review --apply.`;
  throw usageError('not_leavers', message);
}

/** Finds everybody; each of them once. @throws DocsError as `lookUp`, `refuseWrong` */
export async function requestOf(
  session: Session,
  input: ManualInput,
  names: readonly Name[],
): Promise<LeavingRequest> {
  const { options } = input;
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const organizationId = await contextId(session, 'org');
  const asking = { client, organizationId, concurrency };
  const heirName = typeof options.reassignTeamsTo === 'string' ? [{ text: options.reassignTeamsTo }] : [];
  const looked = await lookUp(asking, [...names, ...heirName]);
  refuseWrong(session, looked);
  const found = looked.flatMap(({ member }: Looked) => member ?? []);
  const members = [...new Map(found.slice(0, names.length).map((member) => [member.id, member])).values()];
  if (members.length < names.length)
    session.printer.note(`${names.length - members.length} of ${names.length} were named twice.`);
  return {
    reading: { ...asking, signal: session.io.signal },
    members,
    heir: heirName.length === 0 ? undefined : found.at(-1),
    folder: resolve(session.io.cwd, typeof options.evidence === 'string' ? options.evidence : '.'),
  };
}
