import { defined } from '../../../base/values.js';
import { readAll } from '../../../jobs/in-order.js';
import { AddressBook } from '../../links/addresses.js';
import { pagesOn } from '../../links/inbound.js';
import { linkPages } from '../../links/read-links.js';
import { targetOf } from '../../links/target.js';
import type { ImpactLink } from '../change.js';
import type { Findings } from '../findings.js';
import { withTitles } from '../links-to.js';
import type { MovedSpace } from './moved.js';

/**
 * Tells the links from the spaces that go to what stays: the platform knows no references between organizations.
 * Addresses in the text still lead there. Links that are broken already are left out.
 */
export async function tellOutgoing(found: Findings, spaces: readonly MovedSpace[]): Promise<void> {
  const going = new Set(spaces.map(({ id }) => id));
  const lists = await readAll(found.reading, spaces, (space) => outgoing(found, space, going));
  found.links.push(...(await withTitles(found, lists.flat())));
}

async function outgoing(
  found: Findings,
  { id, title }: MovedSpace,
  going: ReadonlySet<string>,
): Promise<ImpactLink[]> {
  const links: ImpactLink[] = [];
  const book = new AddressBook();
  await found.attempt({ kind: 'links', id, title }, async () => {
    for await (const { items } of linkPages(found.reading, id))
      for (const link of items) {
        const { to, via } = targetOf(link, id, book);
        const stays = to.space !== undefined && !going.has(to.space);
        if (via !== 'reference' || !stays || link.status === 'broken') continue;
        const { status } = link;
        for (const page of pagesOn(link))
          links.push({
            from: defined({ space: { id, title }, page }),
            to,
            via,
            status,
            outgoing: true as const,
          });
      }
  });
  return links;
}
