import { defined } from '../defined.js';
import { grouped } from './counted.js';
import type { Page, PrinterOptions } from './printer.js';

/** How far the printing of a list has come. */

/** What has been printed of a list so far. */
export interface Walk {
  printed: number;
  cut: boolean;
  count?: number;
  extra?: Record<string, unknown>;
}

export async function* single(items: readonly unknown[]): AsyncGenerator<Page> {
  yield { items, count: items.length };
}

export function advance(walk: Walk, page: Page, taken: number, limit: number): Walk {
  const printed = walk.printed + taken;
  const count = page.count ?? walk.count;
  const more =
    page.items.length > taken || page.next !== undefined || (count !== undefined && count > printed);
  const extra = walk.extra ?? page.extra;
  const cut = printed >= limit && more;
  return { printed, cut, ...defined({ count, extra }) };
}

/** Whether items may follow a page. Where the platform does not say, they may. */
export function mayGoOn({ items, count, next }: Page): boolean {
  return next !== undefined || count === undefined || count > items.length;
}

/** What is said of a list that is cut. @param onCut is told the same as numbers */
export function cutNote({ printed, count }: Walk, onCut?: PrinterOptions['onCut']): string {
  onCut?.(printed, count);
  const known = count !== undefined && count > printed;
  return `showing ${grouped(printed)}${known ? ` of ${grouped(count)}` : '; more follow'}`;
}
