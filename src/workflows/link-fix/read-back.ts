import { idsOf } from '../../access/links/reference.js';
import type { Client } from '../../api/client.js';
import {
  getChangeRequestContent,
  getChangeRequestPage,
  listChangeRequestPageLinks,
  listChangeRequests,
} from '../../api/resources/change-requests.js';
import { type ContentPage, getPage } from '../../api/resources/content.js';
import { DocsError } from '../../base/errors.js';
import { readAll } from '../../jobs/in-order.js';
import type { Reading } from '../../snapshot/unread.js';
import type { Finding } from '../link-check/finding.js';
import { lookAtSpaces } from '../link-check/read-links.js';
import { linksOfSubject } from './archives.js';
import { Contents, type SpaceContent } from './contents.js';
import { keyOfTarget } from './corrections.js';
import type { PageText } from './found-link.js';
import { withoutTargets } from './markdown-links.js';

/** What a change request shows once it is read: which links it corrects, and whether it changes anything else. */

/** A page of a change request beside the same page of its space. */
export interface PageSeen {
  /** `targets`: only the targets of links differ. */
  differs: 'not' | 'targets' | 'more';
  /** Whether a link that is broken in the space is broken there, too. */
  isBroken(finding: Finding): boolean;
}

export interface SeenRequest {
  id: string;
  number: number;
}

/** The open change requests of a space that this command made. @throws DocsError */
export async function openFixes(client: Client, spaceId: string): Promise<SeenRequest[]> {
  const found: SeenRequest[] = [];
  for await (const { id, number, subject } of client.call(listChangeRequests, {
    path: { spaceId },
    query: { status: 'open' },
  }))
    if (linksOfSubject(subject) !== undefined) found.push({ id, number });
  return found;
}

/**
 * Reads a page of a change request.
 * @param on the page in the space
 * @throws DocsError
 */
export async function pageSeen(
  { client }: Reading,
  changeRequestId: string,
  { content, pageId, markdown }: PageText,
): Promise<PageSeen> {
  const path = { spaceId: content.space.id, changeRequestId, pageId };
  const query = { format: 'markdown', computed: false } as const;
  const { markdown: changed = '' } = await client.call(getChangeRequestPage, { path, query });
  if (changed === markdown) return { differs: 'not', isBroken: () => true };
  // The platform names a target as one of its places has it, so addresses are compared by what they lead to.
  const broken = new Set<string | undefined>();
  for await (const { status, targetReference } of client.call(listChangeRequestPageLinks, { path }))
    if (status === 'broken') broken.add(keyOfTarget(idsOf(targetReference), content, pageId));
  const same = withoutTargets(changed) === withoutTargets(markdown);
  return {
    differs: same ? 'targets' : 'more',
    isBroken: ({ target }) => broken.has(keyOfTarget(target, content, pageId)),
  };
}

/** What a change request does, as reads of all of it show. */
export interface RequestSeen {
  /** Links that are broken in the space and not in the change request. */
  fixed: readonly Finding[];
  /** Links of the pages that it changes that are broken there, too. */
  broken: readonly Finding[];
  /** What it changes beside links, as sentences. */
  more: readonly string[];
}

/** Compares a change request with its space as it is now. @throws DocsError */
export async function requestSeen(
  reading: Reading,
  spaceId: string,
  changeRequestId: string,
): Promise<RequestSeen> {
  const { client } = reading;
  const content = await contentOf(reading, spaceId);
  const change = await client.call(getChangeRequestContent, { path: { spaceId, changeRequestId } });
  const after = pagesById(change.pages);
  const broken = await brokenIn(reading, spaceId);
  const suspects = [...after].filter(
    ([id, page]) => broken.has(id) || !isSameVersion(content.byId.get(id)?.page, page),
  );
  const seen = await readAll(reading, suspects, async ([pageId, page]) => {
    const known = content.byId.get(pageId)?.page;
    if (known === undefined) return { more: [`It adds the page ${page.title} (${pageId}).`] };
    const query = { format: 'markdown', computed: false } as const;
    const { markdown = '' } = await client.call(getPage, { path: { spaceId, pageId }, query });
    const { differs, isBroken } = await pageSeen(reading, changeRequestId, { content, pageId, markdown });
    const findings = differs === 'not' ? [] : (broken.get(pageId) ?? []);
    const more =
      differs === 'more' ? [`It changes more than links of the page ${page.title} (${pageId}).`] : [];
    return {
      fixed: findings.filter((finding) => !isBroken(finding)),
      broken: findings.filter(isBroken),
      more: [...more, ...changedFields(known, page)],
    };
  });
  const gone = [...content.byId].filter(([id]) => !after.has(id));
  return {
    fixed: seen.flatMap(({ fixed = [] }) => fixed),
    broken: seen.flatMap(({ broken: left = [] }) => left),
    more: [
      ...seen.flatMap(({ more }) => more),
      ...gone.map(([id, { page }]) => `It lacks the page ${page.title} (${id}).`),
    ],
  };
}

async function contentOf(reading: Reading, spaceId: string): Promise<SpaceContent> {
  const contents = new Contents(reading);
  const content = await contents.of({ id: spaceId });
  if (content !== undefined) return content;
  throw contents.unread[0]?.error ?? new DocsError('not-found', 'space_gone', `space ${spaceId} not found`);
}

async function brokenIn(reading: Reading, spaceId: string): Promise<Map<string, Finding[]>> {
  const found = new Map<string, Finding[]>();
  for await (const { findings, unread } of lookAtSpaces(reading, [{ id: spaceId }], {
    statuses: ['broken'],
  })) {
    if (unread[0] !== undefined) throw unread[0].error;
    for (const finding of findings)
      if (finding.page !== undefined)
        found.set(finding.page.id, [...(found.get(finding.page.id) ?? []), finding]);
  }
  return found;
}

function pagesById(roots: readonly ContentPage[]): Map<string, ContentPage> {
  const found = new Map<string, ContentPage>();
  const waiting = roots.toReversed();
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    found.set(page.id, page);
    waiting.push(...((page.pages ?? []) as ContentPage[]).toReversed());
  }
  return found;
}

function isSameVersion(before: ContentPage | undefined, after: ContentPage): boolean {
  if (before?.documentId === undefined || before.documentId !== after.documentId) return false;
  return changedFields(before, after).length === 0;
}

const fields = [
  ...(['title', 'slug', 'path', 'description', 'emoji', 'icon', 'layout', 'cover'] as const),
  ...(['hidden', 'noIndex', 'noRobotsIndex', 'computed'] as const),
];

function changedFields(before: ContentPage, after: ContentPage): string[] {
  return fields
    .filter((name) => textOf(before[name]) !== textOf(after[name]))
    .map((name) => `It changes the ${name} of the page ${after.title} (${after.id}).`);
}

/** The same for values whose keys are in another order. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
