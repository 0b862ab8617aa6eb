import type { Tally } from '../../access/person.js';
import type { DocsError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { wholeNumber } from '../../cli/parse/values.js';
import type { ReportEnding } from '../../cli/run/run-report.js';
import type { Page } from '../../output/printer.js';
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

/** How a list ends: with a note where everything was read, else partial `not_all_read` (exit 3). */
export function endingOf(tally: Tally, { words, cut = false, holes = [] }: Listed): ReportEnding {
  const { unread, failures, unknown, retryable } = tally;
  if (failures === 0 && unknown === 0 && holes.length === 0) return cut ? {} : { note: `${words}.` };
  const what = [
    ...(unknown > 0 ? [`${counted(unknown, 'row is', 'rows are')} unknown`] : []),
    ...(failures > 0 ? [`${counted(failures, 'list')} could not be read`] : []),
    ...(holes.length > 0 ? ['the list may lack rows'] : []),
  ];
  const failure = notAllRead(`${words}; ${what.join(', ')}.`, {
    details: { rows: tally.rows, unknown, failures, unread: unread.map(unreadFacts), holes: [...holes] },
    retryable,
    // A token of a higher role may read more; else the way to the platform is to be looked at.
    hint: unread.some(({ error }) => isDenied(error)) ? 'docs auth status' : 'docs doctor',
  });
  return { warnings: [...missedWords(tally), ...holes], failure };
}

/** What could not be read, a sentence each. */
export function missedWords({ unread, failures }: Tally): string[] {
  const more = failures - unread.length;
  return [...notReadLines(unread), ...(more > 0 ? [`Not read: ${counted(more, 'more list')}.`] : [])];
}

function isDenied({ kind }: DocsError): boolean {
  return kind === 'forbidden' || kind === 'not-found';
}

/** Lists that `--limit` cuts. */

interface Limit {
  limit?: number;
}

export function limitOf({ options: { limit } }: ManualInput): Limit {
  return limit === undefined ? {} : { limit: wholeNumber('--limit', limit) };
}

/** The parts of a list as pages. Where there is a limit, each tells whether another follows. */
export async function* pagesOf<T>(parts: AsyncIterable<T[]>, { limit }: Limit): AsyncGenerator<Page> {
  let held: T[] | undefined;
  for await (const items of parts) {
    if (limit === undefined) yield { items };
    else {
      if (held !== undefined) yield { items: held, next: 'more' };
      held = items;
    }
  }
  if (held !== undefined) yield { items: held };
}
