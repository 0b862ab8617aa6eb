import type { Page } from '../../api/client.js';
import { type ContentPage, listPages } from '../../api/resources/content.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { defined, isObject } from '../../base/values.js';
import { readEach } from '../../jobs/sequence.js';
import { type Reading, unreadOf } from '../../snapshot/unread.js';
import { type FoundPage, type FoundSpace, type Link, type LinkStatus, linkStatuses } from './reference.js';

/** Reads the links of spaces, and what names the pages that have them. */

/** How far results may be ahead of their reader, as a multiple of what is read at once. */
const ahead = 8;

/** Reads something for each item, in order. Only a few results are held at once. */
export async function* inWindows<T, R>(
  { concurrency }: Pick<Reading, 'concurrency'>,
  items: readonly T[],
  look: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const size = concurrency * ahead;
  for (let start = 0; start < items.length; start += size)
    yield* readEach({ concurrency }, items.slice(start, start + size), look);
}

/** The space with its title, which is read where it is not known. @throws DocsError */
export async function titled({ client }: Reading, space: FoundSpace): Promise<FoundSpace> {
  if (space.title !== undefined) return space;
  const { title } = await client.call(getSpace, { path: { spaceId: space.id } });
  return { id: space.id, title };
}

/**
 * Reads the links of a space that have one of these statuses.
 * @param links what is read, also where a later page fails
 * @param onAll given all links of each page, whatever their status
 * @returns how many links there are, of any status; undefined if the platform does not tell
 * @throws DocsError
 */
export async function readLinks(
  reading: Reading,
  spaceId: string,
  statuses: readonly LinkStatus[],
  links: Link[],
  onAll?: (all: readonly Link[]) => Promise<void>,
): Promise<number | undefined> {
  const isAll = onAll !== undefined || statuses.length === linkStatuses.length;
  const filters = isAll ? [{}] : statuses.map((status) => ({ status }));
  let [total, read]: [number | undefined, number] = [undefined, 0];
  for (const query of filters) {
    for await (const page of linkPages(reading, spaceId, query)) {
      total ??= totalOf(page.extra);
      read += page.items.length;
      await onAll?.(page.items);
      // The platform may ignore the filter.
      links.push(...page.items.filter(({ status }) => statuses.includes(status)));
    }
  }
  return total ?? (isAll ? read : undefined);
}

/** Links a page, where those of a whole page are more than a response may hold: each repeats whole revisions. */
const fewer = [50, 5];

/** The links of a space, page by page. @throws DocsError */
export async function* linkPages(
  { client }: Reading,
  spaceId: string,
  query: { status?: LinkStatus } = {},
): AsyncGenerator<Pick<Page<Link>, 'items' | 'extra'>> {
  let given = 0;
  for (const limit of [undefined, ...fewer]) {
    let skip = given;
    try {
      const input = { path: { spaceId }, query: defined({ ...query, limit }) };
      for await (const { items, extra } of client.call(listSpaceLinks, input).pages()) {
        const fresh = items.slice(skip);
        skip = Math.max(0, skip - items.length);
        given += fresh.length;
        yield { items: fresh, extra };
      }
      return;
    } catch (cause) {
      const isTooLarge = cause instanceof DocsError && cause.code === 'too_large';
      if (!isTooLarge || limit === fewer.at(-1)) throw cause;
    }
  }
}

/** How many links the platform counts; undefined if it does not tell. */
export function totalOf({ stats }: Record<string, unknown>): number | undefined {
  if (!isObject(stats)) return undefined;
  return typeof stats.total === 'number' ? stats.total : undefined;
}

/**
 * The pages of a space by id, in order; empty if they cannot be read: links then name page ids only.
 * @throws as `unreadOf`
 */
export async function pagesOf({ client, signal }: Reading, spaceId: string): Promise<Map<string, FoundPage>> {
  try {
    const { pages } = await client.call(listPages, { path: { spaceId } });
    return new Map([...pagesIn(pages)].map((page) => [page.id, foundPage(page)]));
  } catch (cause) {
    unreadOf(cause, signal, { kind: 'space', id: spaceId });
    return new Map();
  }
}

/** A page, with the path at which it stands. */
export interface PageAtPath {
  page: ContentPage;
  path: string;
}

/** Pages depth first, each with its path. A stack, because a tree may be deeper than the call stack. */
export function* pagesAtPaths(roots: readonly ContentPage[]): Generator<PageAtPath> {
  const waiting = roots.map((page) => ({ page, above: '' })).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { page, above } = next;
    const path = page.path ?? above + (page.slug || page.title);
    yield { page, path };
    const below = (page.pages ?? []) as ContentPage[];
    waiting.push(...below.map((one) => ({ page: one, above: `${path}/` })).toReversed());
  }
}

/** Pages depth first. */
export function* pagesIn(roots: readonly ContentPage[]): Generator<ContentPage> {
  for (const { page } of pagesAtPaths(roots)) yield page;
}

export function foundPage({ id, title, path, urls, git }: ContentPage): FoundPage {
  return defined({ id, title, path, url: urls?.app, file: git?.path });
}
