import { type LinkItem, listSpaceLinks } from '../../api/resources/spaces.js';
import { idOf } from '../../api/shapes.js';
import type { Static } from '../../api/type.js';
import { defined } from '../../defined.js';
import { readEach } from '../../jobs/in-order.js';
import { type Unread, unreadOf } from '../../reading/reading.js';
import { allSpaces } from '../../reading/spaces.js';
import type { InboundLink, ReadInbound, Wanted } from '../links/inbound.js';

type Link = Static<typeof LinkItem>;

export const readInbound: ReadInbound = async (reading, wanted) => {
  const { spaces, unread } = await allSpaces(reading, ({ id, title }) => ({ id, title }));
  const links: InboundLink[] = [];
  const others = spaces.filter(({ id }) => !wanted.spaces?.has(id));
  const read = readEach(reading, others, async (space): Promise<InboundLink[] | Unread> => {
    const own: InboundLink[] = [];
    try {
      for await (const link of reading.client.call(listSpaceLinks, { path: { spaceId: space.id } }))
        own.push(...inboundOf(space, link, wanted));
      return own;
    } catch (cause) {
      return unreadOf(cause, reading.signal, { kind: 'space', ...space });
    }
  });
  for await (const one of read) Array.isArray(one) ? links.push(...one) : unread.push(one);
  return { links, unread, read: others.length };
};

function inboundOf(space: InboundLink['from']['space'], link: Link, wanted: Wanted): InboundLink[] {
  const { kind = 'address', url, page, file, space: to } = link.targetReference ?? {};
  const toSpace = idOf(to);
  const isReference = toSpace !== undefined && wanted.spaces?.has(toSpace) === true;
  const isAddress = url !== undefined && wanted.addresses?.some((one) => url.startsWith(one)) === true;
  if (!isReference && !isAddress) return [];
  const target = defined({ space: toSpace, page: idOf(page), file: idOf(file), url });
  const known = (['space', 'page', 'file'] as const).find((one) => one === kind) ?? 'address';
  return link.locationReferences.map((place) => ({
    from: { space, ...defined({ page: pageOf(idOf(place.page)) }) },
    to: { kind: known, ...target },
    via: isReference ? 'reference' : 'published-address',
  }));
}

function pageOf(id: string | undefined): { id: string } | undefined {
  return id === undefined ? undefined : { id };
}
