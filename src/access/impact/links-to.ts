import { getSpace } from '../../api/resources/spaces.js';
import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/in-order.js';
import { unreadOf } from '../../snapshot/unread.js';
import { readInbound } from '../links/inbound.js';
import { pagesOf } from '../links/read-links.js';
import type { ImpactLink } from './change.js';
import type { Findings } from './findings.js';
import { type Address, bare, isWithin } from './published.js';

/** What links are looked for: to anything in these spaces, and to addresses that stop. */
interface Dying {
  spaces?: ReadonlySet<string>;
  dead: readonly Address[];
  living: readonly Address[];
}

/** Tells the links from elsewhere that break, but those that are broken already. Reads the links of every space. */
export async function tellLinks(found: Findings, { spaces, dead, living }: Dying): Promise<void> {
  const addresses = topmost(dead.map(({ url }) => bare(url)));
  if ((spaces === undefined || spaces.size === 0) && addresses.length === 0) return;
  const around = new Set(addresses);
  const otherAddresses = living.map(({ url }) => bare(url)).filter((url) => !around.has(url));
  const wanted = { ...(spaces !== undefined && { spaces }), addresses, otherAddresses };
  const { onSpace } = found;
  const { links, unread } = await readInbound(found.reading, wanted, { ...(onSpace && { onSpace }) });
  found.unknown.push(...unread);
  const breaking = links.filter(({ status }) => status !== 'broken');
  found.links.push(...(await withTitles(found, breaking)));
}

/**
 * Links with the titles of the pages and spaces that they lead to; the pages of each space are read once. Where a
 * title cannot be read, the ids say what is meant, so nothing counts as unknown.
 * @throws as `readFailure`
 */
export async function withTitles(
  { reading, things }: Findings,
  links: readonly ImpactLink[],
): Promise<ImpactLink[]> {
  const known = new Map(things.map(({ id, title }) => [id, title]));
  const ids = new Set(links.flatMap(({ to: { space } }) => space ?? []));
  const paged = new Set(
    links.flatMap(({ to: { space, page } }) => (page === undefined ? [] : (space ?? []))),
  );
  const read = await readAll(reading, [...ids], async (id) => {
    const title = known.get(id) ?? (await titleOf(reading, id));
    return [id, { title, pages: paged.has(id) ? await pagesOf(reading, id) : undefined }] as const;
  });
  const spaces = new Map(read);
  return links.map((link) => {
    const { space = '', page = '' } = link.to;
    const { title: spaceTitle, pages } = spaces.get(space) ?? {};
    return { ...link, to: { ...link.to, ...defined({ title: pages?.get(page)?.title, spaceTitle }) } };
  });
}

async function titleOf({ client, signal }: Findings['reading'], id: string): Promise<string | undefined> {
  try {
    return (await client.call(getSpace, { path: { spaceId: id } })).title;
  } catch (cause) {
    unreadOf(cause, signal, { kind: 'space', id });
    return undefined;
  }
}

/** Without addresses below others: a link to them begins with the upper one, too. */
function topmost(addresses: readonly string[]): string[] {
  const tops: string[] = [];
  for (const one of [...new Set(addresses)].sort((a, b) => a.length - b.length))
    if (!tops.some((top) => isWithin(one, top))) tops.push(one);
  return tops;
}
