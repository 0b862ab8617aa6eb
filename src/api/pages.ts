import { DocsError } from '../base/errors.js';
import { defined, isObject } from '../base/values.js';
import type { JsonLines, PageRoom } from './transport/json-lines.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** Lists: page after page by the cursor that each names. A read of one resource needs none of it. */

/** One page of a list, as the platform sent it. */
export interface Page<T> {
  items: T[];
  /** Items in all pages, if the platform reports it. */
  count?: number;
  /** Cursor of the next page; undefined on the last one. */
  next?: string;
  /** Other members of the envelope, such as `stats`. */
  extra: Record<string, unknown>;
}

/** A page whose items are printed as they came; until the next page is asked for. */
export type LinesPage = Omit<Page<never>, 'items'> & { lines: JsonLines };

/** A list: its items one by one, or page by page. Each iteration sends the requests again. */
export interface Listing<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
  /** For JSON in which nothing is changed: pages, of which some have no items but the bytes of these. */
  lines?(): AsyncIterable<Page<T> | LinesPage>;
}

interface Asked {
  query: Readonly<Record<string, unknown>>;
  pageSize: number;
  /** Items at most. */
  most: number | undefined;
}

/** @param requestFor makes the request of a page, of its query */
export function listing(
  transport: Transport,
  requestFor: (query: Readonly<Record<string, unknown>>) => TransportRequest,
  { query: asked, pageSize, most }: Asked,
): Listing<unknown> {
  const size = Number(asked.limit ?? pageSize);
  const fetchPage: FetchPage = (cursor, limit = size, room) => {
    const query = defined({ ...asked, limit: Math.min(size, limit), page: cursor });
    return readPage(transport, { ...requestFor(query), room });
  };
  const start = asked.page as string | undefined;
  // Without a room, no page comes as lines.
  const pages = () => follow(fetchPage, start, most) as AsyncGenerator<Page<unknown>>;
  return {
    pages,
    lines: () => follow(intoRooms(fetchPage), start, most),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}

/** Gets one page, from the start or a cursor, with at most `limit` items. */
type FetchPage = (
  cursor: string | undefined,
  limit: number | undefined,
  room?: PageRoom,
) => Promise<Page<unknown> | LinesPage>;

/** Gathers pages in two rooms: one is printed while the next is fetched. The first page is often the only one. */
function intoRooms(fetchPage: FetchPage): FetchPage {
  const rooms: PageRoom[] = [];
  return async (cursor, limit) => {
    if (cursor === undefined) return fetchPage(cursor, limit);
    const { PageRoom } = await import('./transport/json-lines.js');
    const room = (rooms.length === 2 ? rooms.shift() : undefined) ?? new PageRoom();
    rooms.push(room);
    return fetchPage(cursor, limit, room);
  };
}

/** All pages of a list request. */
export function walkRequest(transport: Transport, first: TransportRequest): AsyncGenerator<Page<unknown>> {
  const fetchPage: FetchPage = (cursor) => {
    if (cursor === undefined) return readPage(transport, first);
    const [path, search] = first.path.split('?');
    const query = new URLSearchParams(search);
    query.set('page', cursor);
    return readPage(transport, { ...first, path: `${path}?${query}` });
  };
  return follow(fetchPage, undefined, undefined) as AsyncGenerator<Page<unknown>>;
}

/** Follows `next.page` to the end, or to `most` items; fetches one page ahead while the last one is used. */
async function* follow(
  fetchPage: FetchPage,
  start: string | undefined,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page<unknown> | LinesPage> {
  let left = most;
  const seen = new Set<string>();
  const ask = (cursor: string | undefined) => {
    const page = fetchPage(cursor, Number.isFinite(left) ? left : undefined);
    page.catch(() => {}); // A page fetched ahead may fail after the reader stopped; the await below rethrows.
    return page;
  };
  let ahead = left > 0 ? ask(start) : undefined;
  while (ahead !== undefined) {
    const page: Page<unknown> | LinesPage = await ahead;
    left -= cutTo(left, page);
    ahead = undefined;
    if (page.next !== undefined && left > 0) {
      if (seen.has(page.next)) throw repeatedCursor();
      seen.add(page.next);
      ahead = ask(page.next);
    }
    yield page;
  }
}

/** Leaves out what is beyond the first items. @returns how many are left */
function cutTo(most: number, page: Page<unknown> | LinesPage): number {
  if ('lines' in page) return page.lines.cut(most);
  if (page.items.length > most) page.items.length = most;
  return page.items.length;
}

async function readPage(transport: Transport, sent: TransportRequest): Promise<Page<unknown> | LinesPage> {
  const response = await transport.send(sent);
  const { lines } = response;
  const envelope = lines?.rest ?? response.body;
  if (!isObject(envelope) || (lines === undefined && !Array.isArray(envelope.items)))
    throw badShape(sent, response, 'a list envelope');
  const { items, next, count, ...extra } = envelope;
  const cursor = cursorOf(next);
  if (cursor === null) throw badShape(sent, response, 'a list envelope: next.page is not a cursor');
  const rest = { extra, count: typeof count === 'number' ? count : undefined, next: cursor };
  return lines === undefined ? { items: items as unknown[], ...rest } : { lines, ...rest };
}

/** The cursor of a page; undefined on the last one, null where `next` is there and is not understood. */
function cursorOf(next: unknown): string | undefined | null {
  if (next === undefined || next === null) return undefined;
  if (!isObject(next)) return null;
  const { page } = next;
  if (page === undefined || page === null || page === '') return undefined;
  return typeof page === 'string' ? page : null;
}

/** The answer to a request that succeeded is not what was declared. */
export function badShape(
  { method, path }: TransportRequest,
  { status, attempts, requestId }: TransportResponse,
  wanted: string,
): DocsError {
  // The status was a success: a write is done, whatever its response looks like.
  const facts = { method, path, status, attempts, requestId, outcome: 'done', hint: 'docs doctor' } as const;
  return new DocsError('bad-response', 'wrong_shape', `the response is not ${wanted}`, facts);
}

function repeatedCursor(): DocsError {
  const message = 'the platform sent the same page cursor twice; the list would never end';
  return new DocsError('bad-response', 'repeated_cursor', message, { hint: 'docs doctor' });
}
