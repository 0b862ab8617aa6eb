import { readAll } from '../../jobs/in-order.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import type { FoundLink, PageText } from './found-link.js';
import { openFixes, pageSeen } from './read-back.js';

/**
 * Finds the links that an open change request of an earlier run corrects. What else is broken on its pages waits: two
 * change requests of one page would conflict.
 * @returns what could not be read; links of such spaces are left
 */
export async function settleWaiting(reading: Reading, links: FoundLink[]): Promise<Unread[]> {
  const spaces = new Map<string, PageText[]>();
  for (const { on, found } of links) {
    const known = on && (spaces.get(on.content.space.id) ?? []);
    if (on === undefined || known === undefined || found.is === 'none' || known.includes(on)) continue;
    spaces.set(on.content.space.id, [...known, on]);
  }
  const unread = await readAll(reading, [...spaces], async ([id, pages]): Promise<Unread[]> => {
    try {
      for (const request of await openFixes(reading.client, id))
        for (const on of pages) await settlePage(reading, request, on, links);
      return [];
    } catch (cause) {
      const own = links.filter(({ on }) => on?.content.space.id === id);
      for (const link of own) leave(link, 'the change requests of its space could not be read');
      return [unreadOf(cause, reading.signal, { kind: 'change-requests', id, space: id })];
    }
  });
  return unread.flat();
}

async function settlePage(
  reading: Reading,
  { id, number }: { id: string; number: number },
  on: PageText,
  links: readonly FoundLink[],
): Promise<void> {
  const { differs, isBroken } = await pageSeen(reading, id, on);
  if (differs !== 'targets') return;
  for (const link of links.filter((one) => one.on === on)) {
    if (!isBroken(link.finding)) link.fixedIn = number;
    else leave(link, `its page waits in change request ${number}; merge that first`);
  }
}

function leave(link: FoundLink, why: string): void {
  const { found } = link;
  if (found.is === 'none') return;
  const candidates = found.is === 'one' ? [found.candidate] : found.candidates;
  link.found = { is: 'none', why, candidates };
}
