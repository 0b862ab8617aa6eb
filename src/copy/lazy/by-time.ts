import { isObject } from '../../base/values.js';

/** The time that lists are sorted by, of an item or of what it is about. */
export function timeOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  for (const one of [item, item.organization, item.space, item.team]) {
    if (!isObject(one)) continue;
    const time = one.joinedAt ?? one.postedAt ?? one.createdAt;
    if (typeof time === 'string') return time;
  }
  return undefined;
}

interface Page {
  first: boolean;
  last: boolean;
  /** The last item of the page before. */
  from?: unknown;
}

/**
 * A page with the new items that belong there by their times.
 * @param items to add to: as on the page, less what is gone
 * @param told the page as the platform told it
 * @returns undefined if the page is not sorted by time, or too short to tell
 */
export function addByTime(
  items: readonly unknown[],
  added: readonly unknown[],
  told: readonly unknown[],
  { first, last, from }: Page,
): unknown[] | undefined {
  if (added.length === 0) return [...items];
  const times = [...(from === undefined ? [] : [from]), ...told].map((item) => timeOf(item) ?? '');
  const [start, end] = [times[0] ?? '', times.at(-1) ?? ''];
  if (start === end || times.includes('')) return undefined;
  const sign = start < end ? 1 : -1;
  const isBefore = (a: string, b: string) => (sign === 1 ? a < b : a > b);
  if (times.some((time, index) => index > 0 && isBefore(time, times[index - 1] ?? ''))) return undefined;
  const own = added.filter((item) => {
    const time = timeOf(item) ?? '';
    const isAfterStart = first || !isBefore(time, start);
    return isAfterStart && (last || isBefore(time, end));
  });
  const all = [...items, ...own];
  return all.sort((a, b) => sign * (timeOf(a) ?? '').localeCompare(timeOf(b) ?? ''));
}
