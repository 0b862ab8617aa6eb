import {
  listChangeRequestPageLinks,
  listChangeRequestPages,
} from '../../api/resources/change-request-content.js';
import { listPages } from '../../api/resources/content.js';
import type { ContentPage } from '../../api/resources/revisions.js';
import { getSpace, listSpaceLinks } from '../../api/resources/spaces.js';
import { idOf } from '../../api/shapes.js';
import { defined } from '../../defined.js';
import { isObject } from '../../is-object.js';
import { readEach } from '../../jobs/in-order.js';
import { type Reading, unreadOf } from '../../reading/reading.js';
import {
  type Finding,
  Findings,
  type FoundPage,
  type FoundSpace,
  type Link,
  type LinkStatus,
  type Looked,
} from './finding.js';

/** How far results may be ahead of their reader, as a multiple of the spaces read at once. */
const ahead = 8;

/** What was found in each space, in order. Only a few spaces are held at once. */
export function lookAtSpaces(
  reading: Reading,
  spaces: readonly FoundSpace[],
  statuses: readonly LinkStatus[],
): AsyncGenerator<Looked> {
  return inWindows(reading, spaces, (space) => lookAtSpace(reading, space, statuses));
}

/**
 * What was found on each page of a change request, in the order of the pages.
 * @throws DocsError if its pages cannot be listed
 */
export async function* lookAtChangeRequest(
  reading: Reading,
  { id, title }: FoundSpace,
  changeRequestId: string,
  statuses: readonly LinkStatus[],
): AsyncGenerator<Looked> {
  const { client, signal } = reading;
  const path = { spaceId: id, changeRequestId };
  const space = title === undefined ? await titled(reading, { id }) : { id, title };
  const { pages } = await client.call(listChangeRequestPages, { path });
  yield* inWindows(reading, [...flattened(pages)], async (page) => {
    const made = new Findings(space, changeRequestId);
    const looked: Looked = { space, findings: [], links: undefined, unread: [], former: made.former };
    try {
      const links = client.call(listChangeRequestPageLinks, { path: { ...path, pageId: page.id } });
      for await (const { items, extra } of links.pages()) {
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

async function* inWindows<T>(
  { concurrency }: Reading,
  items: readonly T[],
  look: (item: T) => Promise<Looked>,
): AsyncGenerator<Looked> {
  const size = concurrency * ahead;
  for (let start = 0; start < items.length; start += size)
    yield* readEach({ concurrency }, items.slice(start, start + size), look);
}

/** A space that fails half way is unread; what was found in it before is reported all the same. */
async function lookAtSpace(
  reading: Reading,
  given: FoundSpace,
  statuses: readonly LinkStatus[],
): Promise<Looked> {
  const looked: Looked = { space: given, findings: [], links: undefined, unread: [] };
  const links: Link[] = [];
  try {
    if (given.title === undefined) looked.space = await titled(reading, given);
    looked.links = await readLinks(reading, given.id, statuses, links);
  } catch (cause) {
    looked.unread.push(unreadOf(cause, reading.signal, { kind: 'space', ...looked.space }));
  }
  if (links.length === 0) return looked;
  const made = new Findings(looked.space);
  const findings = placed(links, made, await pagesOf(reading, given.id));
  return { ...looked, findings, former: made.former };
}

async function titled({ client }: Reading, { id }: FoundSpace): Promise<FoundSpace> {
  const { title } = await client.call(getSpace, { path: { spaceId: id } });
  return { id, title };
}

/** @returns how many links there are, of any status; undefined if the platform does not tell */
async function readLinks(
  { client }: Reading,
  spaceId: string,
  statuses: readonly LinkStatus[],
  links: Link[],
): Promise<number | undefined> {
  const filters = statuses.length === 3 ? [{}] : statuses.map((status) => ({ status }));
  let total: number | undefined;
  for (const query of filters) {
    for await (const page of client.call(listSpaceLinks, { path: { spaceId }, query }).pages()) {
      total ??= totalOf(page.extra);
      // The platform may ignore the filter.
      links.push(...page.items.filter(({ status }) => statuses.includes(status)));
    }
  }
  return total ?? (statuses.length === 3 ? links.length : undefined);
}

function totalOf({ stats }: Record<string, unknown>): number | undefined {
  if (!isObject(stats)) return undefined;
  return typeof stats.total === 'number' ? stats.total : undefined;
}

/** The pages of a space by id, in order; empty if they cannot be read: findings then name page ids only. */
async function pagesOf({ client, signal }: Reading, spaceId: string): Promise<Map<string, FoundPage>> {
  try {
    const { pages } = await client.call(listPages, { path: { spaceId } });
    return new Map([...flattened(pages)].map((page) => [page.id, page]));
  } catch (cause) {
    unreadOf(cause, signal, { kind: 'space', id: spaceId });
    return new Map();
  }
}

/** Pages depth first. A stack, because a tree may be deeper than the call stack. */
function* flattened(roots: readonly ContentPage[]): Generator<FoundPage> {
  const waiting = roots.toReversed();
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    const { id, title, path, urls, git } = page;
    yield defined({ id, title, path, url: urls?.app, file: git?.path });
    waiting.push(...((page.pages ?? []) as ContentPage[]).toReversed());
  }
}

/** One finding for each page that has the link, in the order of the pages, then of the links. */
function placed(links: readonly Link[], made: Findings, pages: ReadonlyMap<string, FoundPage>): Finding[] {
  const order = new Map([...pages.keys()].map((id, index) => [id, index]));
  const findings = links.flatMap((link) => {
    const on = new Map(link.locationReferences.map(({ page }) => [idOf(page), page]));
    if (on.size > 1) on.delete(undefined);
    if (on.size === 0) on.set(undefined, undefined);
    return [...on].map(([id, place]) =>
      made.of(link, id === undefined ? undefined : (pages.get(id) ?? { id }), place),
    );
  });
  const rank = ({ page }: Finding) => (page === undefined ? -1 : (order.get(page.id) ?? order.size));
  return findings.sort((a, b) => rank(a) - rank(b));
}
