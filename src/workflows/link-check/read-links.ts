import type { DrawnBeside } from '../../access/links/drawn-beside.js';
import { flattened, inWindows, pagesOf, readLinks, titled, totalOf } from '../../access/links/read-links.js';
import {
  type FoundPage,
  type FoundSpace,
  type Link,
  type LinkStatus,
  linkStatuses,
  placesOf,
} from '../../access/links/reference.js';
import { listChangeRequestPageLinks, listChangeRequestPages } from '../../api/resources/change-requests.js';
import { defined } from '../../base/values.js';
import { type Reading, unreadOf } from '../../snapshot/unread.js';
import { type Finding, Findings, type Looked } from './finding.js';

export interface Wanted {
  statuses: readonly LinkStatus[];
  /** Draws all links that there are; they are then read whatever their status. */
  drawing?: DrawnBeside | undefined;
  /** Whether links are read whatever their status even so: as parts did that are joined. */
  readsAll?: boolean | undefined;
}

/** What was found in each space, in order. Only a few spaces are held at once. */
export function lookAtSpaces(
  reading: Reading,
  spaces: readonly FoundSpace[],
  wanted: Wanted,
): AsyncGenerator<Looked> {
  return inWindows(reading, spaces, (space) => lookAtSpace(reading, space, wanted));
}

/**
 * What was found on each page of a change request, in the order of the pages.
 * @throws DocsError if its pages cannot be listed
 */
export async function* lookAtChangeRequest(
  reading: Reading,
  { id, title }: FoundSpace,
  changeRequestId: string,
  { statuses, drawing }: Wanted,
): AsyncGenerator<Looked> {
  const { client, signal } = reading;
  const path = { spaceId: id, changeRequestId };
  const space = await titled(reading, defined({ id, title }));
  const { pages } = await client.call(listChangeRequestPages, { path });
  yield* inWindows(reading, [...flattened(pages)], async (page) => {
    const made = new Findings(space, changeRequestId);
    const looked: Looked = { space, findings: [], links: undefined, unread: [], former: made.former };
    try {
      const links = client.call(listChangeRequestPageLinks, { path: { ...path, pageId: page.id } });
      for await (const { items, extra } of links.pages()) {
        await drawing?.add(space, items, page);
        looked.links = totalOf(extra) ?? (looked.links ?? 0) + items.length;
        for (const link of items)
          if (statuses.includes(link.status)) looked.findings.push(made.of(link, page));
      }
    } catch (cause) {
      const named = defined({ id: page.id, title: page.title });
      looked.unread.push(unreadOf(cause, signal, { kind: 'page', ...named, space: id }));
    }
    return looked;
  });
}

/** A space that fails half way is unread; what was found in it before is reported all the same. */
async function lookAtSpace(
  reading: Reading,
  given: FoundSpace,
  { statuses, drawing, readsAll = drawing !== undefined }: Wanted,
): Promise<Looked> {
  const looked: Looked = { space: given, findings: [], links: undefined, unread: [] };
  const read: Link[] = [];
  const draw = readsAll ? async (all: readonly Link[]) => drawing?.add(looked.space, all) : undefined;
  try {
    looked.space = await titled(reading, given);
    await draw?.([]);
    looked.links = await readLinks(reading, given.id, statuses, read, draw);
  } catch (cause) {
    looked.unread.push(unreadOf(cause, reading.signal, { kind: 'space', ...looked.space }));
  }
  // With a drawing they come in one list; each status was asked for on its own without it.
  const isMixed = readsAll && statuses.length < linkStatuses.length;
  const links = isMixed ? statuses.flatMap((one) => read.filter(({ status }) => status === one)) : read;
  if (links.length === 0) return looked;
  const made = new Findings(looked.space);
  const findings = placed(links, made, await pagesOf(reading, given.id));
  return { ...looked, findings, former: made.former };
}

/** One finding for each page that has the link, in the order of the pages, then of the links. */
function placed(links: readonly Link[], made: Findings, pages: ReadonlyMap<string, FoundPage>): Finding[] {
  const order = new Map([...pages.keys()].map((id, index) => [id, index]));
  const findings = links.flatMap((link) => {
    return [...placesOf(link)].map(([id, place]) =>
      made.of(link, id === undefined ? undefined : (pages.get(id) ?? { id }), place),
    );
  });
  const rank = ({ page }: Finding) => (page === undefined ? -1 : (order.get(page.id) ?? order.size));
  return findings.sort((a, b) => rank(a) - rank(b));
}
