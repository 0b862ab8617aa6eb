import { isWithin } from './dead-urls.js';
import type { Findings } from './findings.js';
import { readInbound } from './inbound-read.js';
import { type Address, bare } from './published.js';

/** What links are looked for: to anything in these spaces, and to addresses that stop. */
interface Dying {
  spaces?: ReadonlySet<string>;
  dead: readonly Address[];
  living: readonly Address[];
}

/** Tells the links from elsewhere that break. Reads the links of every space. */
export async function tellLinks(found: Findings, { spaces, dead, living }: Dying): Promise<void> {
  const addresses = topmost(dead.filter(({ kind }) => kind !== 'page').map(({ url }) => bare(url)));
  if ((spaces === undefined || spaces.size === 0) && addresses.length === 0) return;
  const wanted = { ...(spaces !== undefined && { spaces }), addresses };
  const { links, unread } = await readInbound(found.reading, wanted);
  found.unknown.push(...unread);
  for (const link of links)
    if (link.via !== 'published-address' || !isLiving(link.to.url ?? '', dead, living))
      found.links.push(link);
}

/** Without addresses below others: a link to them begins with the upper one, too. */
function topmost(addresses: readonly string[]): string[] {
  return addresses.filter((one) => !addresses.some((other) => other !== one && isWithin(one, other)));
}

/** Whether the nearest address around a link is one that stays, below one that stops. */
function isLiving(url: string, dead: readonly Address[], living: readonly Address[]): boolean {
  const [target = ''] = url.split(/[?#]/, 1);
  const around = (addresses: readonly Address[]) =>
    Math.max(0, ...addresses.filter((one) => isWithin(target, one.url)).map((one) => bare(one.url).length));
  return around(living) >= around(dead);
}
