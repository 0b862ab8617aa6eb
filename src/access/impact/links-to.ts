import { readInbound } from '../links/inbound.js';
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
  found.links.push(...links.filter(({ status }) => status !== 'broken'));
}

/** Without addresses below others: a link to them begins with the upper one, too. */
function topmost(addresses: readonly string[]): string[] {
  const tops: string[] = [];
  for (const one of [...new Set(addresses)].sort((a, b) => a.length - b.length))
    if (!tops.some((top) => isWithin(one, top))) tops.push(one);
  return tops;
}
