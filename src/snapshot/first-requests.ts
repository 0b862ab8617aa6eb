import { type Client, createClient, requestsAtOnce } from '../api/client.js';
import type { TransportRequest } from '../api/transport/contract.js';
import { nextTurn } from '../base/turn.js';
import { type FirstRequest, itemToken, organizationToken, type RequestOutline } from './ahead.js';
import { allSpaces } from './spaces.js';

/**
 * What readings begin with, as data for ahead.ts, which the build writes. It follows from what they send to a platform that
 * has one item in each list.
 */

/** Of reading every space of an organization. */
export async function outlineSpaces(): Promise<FirstRequest[]> {
  const { signal } = new AbortController();
  const known = { organizationId: organizationToken, concurrency: requestsAtOnce, signal };
  return outlined(await sentFirst((client) => allSpaces({ client, ...known }, ({ id }) => id)));
}

const item = /ITEM-\d+/;
const lists: string[] = [];

/** The id of the item of a list. */
function itemOf(path: string): string {
  if (!lists.includes(path)) lists.push(path);
  return `ITEM-${lists.indexOf(path)}`;
}

/** What a reading sends. What needs more of an item than its id fails, and shows nothing. */
export async function sentFirst(read: (client: Client) => Promise<unknown>): Promise<TransportRequest[]> {
  const sent: TransportRequest[] = [];
  const client = createClient({
    send(request) {
      const { path } = request;
      sent.push(request);
      // What comes after the items of items is not outlined.
      if (item.test(path)) return new Promise(() => {});
      const body = { items: [{ id: itemOf(path) }] };
      return Promise.resolve({ status: 200, headers: {}, body, attempts: 1 });
    },
    download: () => new Promise(() => {}),
    close: async () => {},
    platformNowMs: undefined,
  });
  read(client).catch(() => {});
  await nextTurn();
  return sent;
}

/** The requests as data, each once, below those whose items they need. */
export function outlined(sent: readonly TransportRequest[]): FirstRequest[];
/** @param more what else is told of each, by its path as it was sent */
export function outlined<More>(
  sent: readonly TransportRequest[],
  more: (path: string) => More,
): FirstRequest<More>[];
export function outlined(
  sent: readonly TransportRequest[],
  more: (path: string) => object = () => ({}),
): FirstRequest[] {
  const unique = [...new Map(sent.map((request) => [request.path, request])).values()];
  const outline = ({ path, expect }: TransportRequest): RequestOutline => {
    return { path: path.replace(item, itemToken), expect, ...more(path) };
  };
  return unique
    .filter(({ path }) => !item.test(path))
    .map((request) => {
      const isBelow = ({ path }: TransportRequest) => item.exec(path)?.[0] === itemOf(request.path);
      return { ...outline(request), each: unique.filter(isBelow).map(outline) };
    });
}
