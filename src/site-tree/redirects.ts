import type { Redirect } from '../access/impact/findings.js';
import { bare, isWithin } from '../access/impact/published.js';
import type { PlanNote } from '../plans/plan.js';
import { unreadWords } from '../snapshot/unread.js';
import type { AddressChanges } from './addresses.js';

/** What to tell of addresses that change: no operation adds a redirect, so people add them in the app. */

const add =
  'No operation adds redirects: add them in the app, for these and the pages below. --redirects lists each.';
const open = 'This address changes, and the platform tells the new one only afterwards.';
const gone = 'This address stops working, and nothing of the site could take its place.';
const taken = 'Something else is at this address afterwards, so no redirect can lead from it.';

/** The address as the item, and where its redirect leads as the hint. */
export function addressNotes({ redirects, retaken, unknown }: AddressChanges): PlanNote[] {
  return [
    ...topmost(redirects).map(({ from, to, why, count }): PlanNote => {
      const about = { item: from, ...(count > 1 && { count }) };
      if (to !== null) return { code: 'redirect', ...about, message: add, hint: to };
      return why === 'not-told'
        ? { code: 'address-changes', ...about, message: open }
        : { code: 'address-gone', ...about, message: gone };
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

/** Redirects, each with those below it that lead to the same, or to the same below its target. */
function topmost(redirects: readonly Redirect[]): (Redirect & { count: number })[] {
  const tops: (Redirect & { count: number })[] = [];
  for (const one of redirects.toSorted((a, b) => a.from.length - b.from.length)) {
    const top = tops.find((each) => isBelow(one, each));
    if (top === undefined) tops.push({ ...one, count: 1 });
    else top.count += 1;
  }
  return tops;
}

function isBelow(one: Redirect, top: Redirect): boolean {
  if (one.why !== top.why || !isWithin(one.from, top.from)) return false;
  if (one.to === top.to) return true;
  if (one.to === null || top.to === null) return false;
  return bare(one.to) === bare(top.to) + bare(one.from).slice(bare(top.from).length);
}

/** The redirects that can be added, with a header. */
export function redirectRows({ redirects }: AddressChanges): (readonly string[])[] {
  return [['from', 'to'], ...redirects.flatMap(({ from, to }) => (to === null ? [] : [[from, to]]))];
}
