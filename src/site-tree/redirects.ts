import type { PlanNote } from '../plans/plan.js';
import { unreadWords } from '../reading/reading.js';
import type { AddressChanges } from './addresses.js';

/** What to tell of addresses that change: no operation adds a redirect, so people add them in the app. */

const add = 'Add a redirect in the app; no operation adds one.';
const open = 'This address changes, and the platform tells the new one only afterwards.';
const gone = 'This address stops working, and nothing of the site could take its place.';
const taken = 'Something else is at this address afterwards, so no redirect can lead from it.';

/** The address as the item, and where its redirect leads as the hint. */
export function addressNotes({ redirects, retaken, unknown }: AddressChanges): PlanNote[] {
  return [
    ...redirects.map(({ from, to, why }): PlanNote => {
      if (to !== null) return { code: 'redirect', item: from, message: add, hint: to };
      return why === 'not-told'
        ? { code: 'address-changes', item: from, message: open }
        : { code: 'address-gone', item: from, message: gone };
    }),
    ...retaken.map((item): PlanNote => ({ code: 'address-retaken', item, message: taken })),
    ...unknown.map(
      (one): PlanNote => ({
        code: 'unread',
        item: one.title ?? one.id,
        message: `Could not read which addresses change: ${unreadWords(one)}`,
      }),
    ),
  ];
}

/** The redirects that can be added, with a header. */
export function redirectRows({ redirects }: AddressChanges): (readonly string[])[] {
  return [['from', 'to'], ...redirects.flatMap(({ from, to }) => (to === null ? [] : [[from, to]]))];
}
