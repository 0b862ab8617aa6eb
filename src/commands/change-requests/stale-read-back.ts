import { DocsError } from '../../base/errors.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { noteSaid } from '../../cli/run/note-checked.js';
import { counted } from '../../output/counted.js';
import { startProgress } from '../../output/progress.js';
import { type Reading, unreadFacts } from '../../reading/reading.js';
import { notReadLines } from '../../snapshot/unread.js';
import type { Found, Stale } from '../../workflows/stale/find.js';
import { type ReadBack, readWarnings } from '../../workflows/stale/read-back.js';
import { nameOf } from './stale-plan.js';

/** What `docs change-requests stale` shows of the comments that it posted. */

/** Named in a sentence; `--json` has all. */
const mostNamed = 5;

/** @throws DocsError partial `marker_lost`, `not_the_warner`, `not_read_back` (exit 3) */
export async function readBack(session: Session, reading: Reading, { stale, warner }: Found): Promise<void> {
  const warned = stale.filter(({ action }) => action === 'warn');
  if (warned.length === 0) return;
  const { io, globals, printer } = session;
  const text = 'Reading the comments again';
  const progress = startProgress(io, { text, quiet: globals.quiet ?? false });
  const found = await readWarnings(reading, warned, warner).finally(() => progress.stop());
  for (const line of notReadLines(found.unread)) printer.warn(line);
  const failure = failureOf(session, found, warned.length);
  if (failure !== undefined) throw failure;
  const [what, keeps] =
    warned.length === 1 ? ['the comment', 'carries'] : [`all ${warned.length} comments`, 'carry'];
  await noteSaid(session, `Read again: ${what} ${keeps} the marker.`);
}

function failureOf(
  session: Session,
  { lost, foreign, unread }: ReadBack,
  total: number,
): DocsError | undefined {
  const place = (command: string) => atPlace(command, session.globals, session.io.platform);
  const of = counted(total, 'comment');
  const details = { lost: lost.map(idOf), foreign: foreign.map(idOf), unread: unread.map(unreadFacts) };
  const partial = (code: string, message: string, hint: string) =>
    new DocsError('partial', code, message, { hint: place(hint), retryable: false, details });
  if (lost.length > 0) {
    const message = `${lost.length} of ${of} posted lost the marker by which later runs recognize a warning: ${names(lost)}. Nothing will be archived there; undo deletes the comments.`;
    return partial('marker_lost', message, 'docs undo last');
  }
  if (foreign.length > 0) {
    const message = `${foreign.length} of ${of} posted will not count as warnings, because --as names another member than the owner of the token: ${names(foreign)}. Undo deletes the comments.`;
    return partial('not_the_warner', message, 'docs undo last');
  }
  if (unread.length === 0) return undefined;
  const message = `${unread.length} of ${of} posted could not be read again, so it is unknown whether later runs recognize them.`;
  return partial('not_read_back', message, 'docs change-requests stale --list');
}

function names(some: readonly Stale[]): string {
  const more = some.length > mostNamed ? [`${some.length - mostNamed} more`] : [];
  return [...some.slice(0, mostNamed).map(nameOf), ...more].join(', ');
}

function idOf({ request }: Stale): string {
  return request.id;
}
