import { createClient } from '../../api/client.js';
import type { TransportRequest } from '../../api/transport/contract.js';
import { nextTurn } from '../../base/turn.js';
import { fileOutlines } from '../files/foreseen.js';
import { kinds } from '../kinds/index.js';
import type { KindName } from '../model.js';
import { itemToken, organizationToken, type ReadingOutline, type RequestOutline } from './ahead.js';
import { readLive } from './read.js';

/**
 * What reading the platform begins with, as data for ahead.ts, which the build writes. It follows from what reading sends
 * to a platform that has one item in each list.
 */
export async function outlineReading(): Promise<ReadingOutline> {
  const own = await Promise.all(
    kinds.map(async ({ name }) => ({ name, sent: await sentFor((kind) => kind === name) })),
  );
  // No more than a few are under way at once, so of the last kinds only they themselves show what they need.
  const all = [await sentFor(() => true), ...own.map(({ sent }) => sent)].flat();
  const unique = [...new Map(all.map((request) => [request.path, request])).values()];
  const outline = ({ path, expect }: TransportRequest): RequestOutline => {
    const needing = own.filter(({ sent }) => sent.some((one) => one.path === path));
    return { path: path.replace(item, itemToken), expect, kinds: needing.map(({ name }) => name) };
  };
  return {
    files: fileOutlines,
    first: unique
      .filter(({ path }) => !item.test(path))
      .map((request) => {
        const isBelow = ({ path }: TransportRequest) => item.exec(path)?.[0] === itemOf(request.path);
        return { ...outline(request), each: unique.filter(isBelow).map(outline) };
      }),
  };
}

const item = /ITEM-\d+/;
const lists: string[] = [];

/** The id of the item of a list. */
function itemOf(path: string): string {
  if (!lists.includes(path)) lists.push(path);
  return `ITEM-${lists.indexOf(path)}`;
}

/** What is sent for kinds without any of their fields. What needs more of an item than its id fails, and shows nothing. */
async function sentFor(isWanted: (kind: KindName) => boolean): Promise<TransportRequest[]> {
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
  readLive(
    client,
    organizationToken,
    (kind, field) => field === undefined && isWanted(kind),
    () => {},
  ).catch(() => {});
  await nextTurn();
  return sent;
}
