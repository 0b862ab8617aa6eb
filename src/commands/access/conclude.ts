import type { Tally } from '../../access/person.js';
import type { DocsError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import { warnReader } from '../../cli/run/output.js';
import { counted } from '../../output/text.js';
import { notAllRead, notReadLines, unreadFacts } from '../../snapshot/unread.js';

interface Listed {
  /** What was listed: `12 roles`. */
  words: string;
  /** Whether `--limit` cut the list, which was said. */
  cut?: boolean;
  /** Sentences on what the list may lack. */
  holes?: readonly string[];
}

/**
 * Ends a list: with a note where everything was read.
 * @throws DocsError partial `not_all_read` (exit 3) where something could not be read
 */
export function conclude(session: Session, tally: Tally, { words, cut = false, holes = [] }: Listed): void {
  const { unread, failures, unknown, retryable } = tally;
  if (failures === 0 && unknown === 0 && holes.length === 0) {
    if (!cut) session.printer.note(`${words}.`);
    return;
  }
  warnReader(session, [...missedWords(tally), ...holes]);
  const what = [
    ...(unknown > 0 ? [`${counted(unknown, 'row is', 'rows are')} unknown`] : []),
    ...(failures > 0 ? [`${counted(failures, 'list')} could not be read`] : []),
    ...(holes.length > 0 ? ['the list may lack rows'] : []),
  ];
  throw notAllRead(`${words}; ${what.join(', ')}.`, {
    details: { rows: tally.rows, unknown, failures, unread: unread.map(unreadFacts), holes: [...holes] },
    retryable,
    // A token of a higher role may read more; else the way to the platform is to be looked at.
    hint: unread.some(({ error }) => isDenied(error)) ? 'docs auth status' : 'docs doctor',
  });
}

/** What could not be read, a sentence each. */
export function missedWords({ unread, failures }: Tally): string[] {
  const more = failures - unread.length;
  return [...notReadLines(unread), ...(more > 0 ? [`Not read: ${counted(more, 'more list')}.`] : [])];
}

function isDenied({ kind }: DocsError): boolean {
  return kind === 'forbidden' || kind === 'not-found';
}
