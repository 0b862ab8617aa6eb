import type { ManualInput } from '../../cli/declare/command.js';
import { option } from '../../cli/declare/flags.js';
import { wholeNumber } from '../../cli/parse/values.js';
import type { Page } from '../../output/printer.js';

/** Lists that `--limit` cuts. */

export const limitOption = option('--limit <n>', 'Maximum number of rows; default: all', { number: 'count' });

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
