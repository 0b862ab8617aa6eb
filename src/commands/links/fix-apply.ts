import type { Finding } from '../../access/links/finding.js';
import { lookAtSpaces } from '../../access/links/link-check.js';
import { pagesIn } from '../../access/links/read-links.js';
import { idsOf } from '../../access/links/reference.js';
import type { Client } from '../../api/client.js';
import {
  createChangeRequest,
  getChangeRequest,
  getChangeRequestContent,
  getChangeRequestPage,
  importChangeRequestContent,
  listChangeRequestPageLinks,
  listChangeRequests,
} from '../../api/resources/change-requests.js';
import { type ContentPage, getPage } from '../../api/resources/content.js';
import { getSpace } from '../../api/resources/spaces.js';
import { Contents, keyOfTarget, type SpaceContent } from '../../backup/link-content.js';
import { lost } from '../../backup/link-target.js';
import { DocsError, usageError } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import { groupBy, isObject } from '../../base/values.js';
import type { Application, Applies, Applying } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { noteSaid } from '../../cli/run/output.js';
import { withoutTargets } from '../../files/markdown-links.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { JobItem } from '../../jobs/journal.js';
import { readAll } from '../../jobs/sequence.js';
import { counted } from '../../output/text.js';
import { requestCalled } from '../../restore/content.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import type { FoundLink, PageText } from './find-links.js';

/**
 * What is looked at before corrections of links are applied, and read once they are: which links a change request
 * corrects, and whether it changes anything else.
 */

/** A page of a change request beside the same page of its space. */
interface PageSeen {
  /** `targets`: only the targets of links differ. */
  differs: 'not' | 'targets' | 'more';
  /** Whether a link that is broken in the space is broken there, too. */
  isBroken(finding: Finding): boolean;
}

interface SeenRequest {
  id: string;
  number: number;
}

/** The open change requests of a space that this command made. @throws DocsError */
async function openFixes(client: Client, spaceId: string): Promise<SeenRequest[]> {
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
async function pageSeen(
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
interface RequestSeen {
  /** Links that are broken in the space and not in the change request. */
  fixed: readonly Finding[];
  /** Links of the pages that it changes that are broken there, too. */
  broken: readonly Finding[];
  /** What it changes beside links, as sentences. */
  more: readonly string[];
}

/** Compares a change request with its space as it is now. @throws DocsError */
async function requestSeen(reading: Reading, spaceId: string, changeRequestId: string): Promise<RequestSeen> {
  const { client } = reading;
  const content = await contentOf(reading, spaceId);
  const change = await client.call(getChangeRequestContent, { path: { spaceId, changeRequestId } });
  const after = new Map([...pagesIn(change.pages)].map((page) => [page.id, page]));
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

/** By the id of their page. */
async function brokenIn(reading: Reading, spaceId: string): Promise<Map<string | undefined, Finding[]>> {
  const found: Finding[] = [];
  const looks = lookAtSpaces(reading, [{ id: spaceId }], { statuses: ['broken'] });
  for await (const { findings, unread } of looks) {
    if (unread[0] !== undefined) throw unread[0].error;
    found.push(...findings);
  }
  return groupBy(found, ({ page }) => page?.id);
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

const begin = async (application: Application): Promise<Applying> => {
  await refuseStale(application);
  await refuseTwice(application);
  const { session, client, concurrency } = application;
  const reading = {
    client: checkedClient(client),
    organizationId: '',
    concurrency,
    signal: session.io.signal,
  };
  return {
    async end(job, isDone) {
      if (isDone) await readBack(session, reading, new JobFolder(session.io).find(job).items);
    },
  };
};

export const applyFixes: Applies = Object.assign(begin, { resumes: true as const });

/**
 * The archives hold whole pages: of a space that was edited since, they would take the edits back.
 * @throws DocsError conflict `space_changed`: nothing was sent
 */
async function refuseStale({ client, calls }: Application): Promise<void> {
  for (const { op, input } of calls) {
    const { spaceId = '' } = input.path ?? {};
    const url = isObject(input.body) ? input.body.url : undefined;
    if (op === importChangeRequestContent && typeof url === 'string' && !URL.canParse(url))
      throw usageError('missing_flag', 'the plan was made without --import-base; nothing was sent', {
        hint: 'docs links fix --help',
      });
    const made = typeof url === 'string' ? revisionOf(url) : undefined;
    if (op !== importChangeRequestContent || made === undefined) continue;
    const { revision, title } = await client.call(getSpace, { path: { spaceId } });
    if (revision === made) continue;
    const message = `${title} was edited since its links were read; nothing was sent. Make the plan and its archives again.`;
    throw new DocsError('conflict', 'space_changed', message, {
      outcome: 'not-sent',
      hint: 'docs links fix --help',
    });
  }
}

/**
 * Another run may have proposed the same corrections since. Drafts do not count: one may be of the job that is resumed.
 * @throws DocsError conflict `already_proposed`: nothing was sent
 */
async function refuseTwice({ session, client, calls }: Application): Promise<void> {
  for (const { op, input } of calls) {
    const { spaceId = '' } = input.path ?? {};
    const subject = isObject(input.body) ? input.body.subject : undefined;
    if (op !== createChangeRequest || typeof subject !== 'string') continue;
    const waiting = await requestCalled(client, spaceId, subject, ['open']);
    if (waiting === undefined) continue;
    const { title } = await client.call(getSpace, { path: { spaceId } });
    const message = `change request ${waiting.number} of ${title} already has these corrections; nothing was sent`;
    const space = shellWord(spaceId, session.io.platform);
    throw new DocsError('conflict', 'already_proposed', message, {
      outcome: 'not-sent',
      hint: here(session, `docs change-requests get ${waiting.number} --space ${space}`),
    });
  }
}

/** @throws DocsError partial `not_as_meant` where a change request does not show what it should */
async function readBack(session: Session, reading: Reading, items: readonly JobItem[]): Promise<void> {
  const odd: string[] = [];
  for (const { spaceId, id } of madeIn(items)) {
    const path = { spaceId, changeRequestId: id };
    const { number, subject } = await reading.client.call(getChangeRequest, { path });
    const { title } = await reading.client.call(getSpace, { path: { spaceId } });
    const seen = await requestSeen(reading, spaceId, id);
    const get = `docs change-requests get ${number} --space ${shellWord(spaceId, session.io.platform)}`;
    const wanted = linksOfSubject(subject) ?? 1;
    const words = {
      wanted,
      name: redactText(`Change request ${number} of ${title}`),
      get: here(session, get),
    };
    odd.push(...(await tellSeen(session, seen, words)));
  }
  if (odd.length === 0) return;
  const message = `${counted(odd.length, 'change request')} not as meant: ${odd.join(', ')}. Do not merge before you looked.`;
  throw new DocsError('partial', 'not_as_meant', message, { outcome: 'done' });
}

/** The change requests that a job made or completed. */
function madeIn(items: readonly JobItem[]): { spaceId: string; id: string }[] {
  const found = new Map<string, { spaceId: string; id: string }>();
  for (const { change, answer } of items) {
    const { spaceId = '', changeRequestId } = change.input.path ?? {};
    const made = change.op.id === createChangeRequest.id && isObject(answer) ? answer.id : undefined;
    // Where an earlier item makes it, that one has the id.
    const id = made ?? (change.op.id === importChangeRequestContent.id ? changeRequestId : undefined);
    if (typeof id === 'string') found.set(id, { spaceId, id });
  }
  return [...found.values()];
}

/** @returns its name where it is not as it should be */
async function tellSeen(
  session: Session,
  { fixed, broken, more }: RequestSeen,
  { name, get, wanted }: { name: string; get: string; wanted: number },
): Promise<string[]> {
  const { printer } = session;
  const left = broken.length === 0 ? '' : `; ${counted(broken.length, 'link')} of its pages still broken`;
  const isClean = more.length === 0 && fixed.length >= wanted;
  const rest = isClean ? 'only links differ; review and merge it.' : '';
  const said = `${name}, read again: ${fixed.length} of ${counted(wanted, 'link')} fixed${left}${rest === '' ? '.' : `; ${rest}`} ${get}`;
  if (isClean) await noteSaid(session, said);
  else printer.note(said);
  for (const sentence of more) printer.warn(redactText(`${name}: ${sentence}`));
  return isClean ? [] : [name];
}

function here({ globals, io }: Session, command: string): string {
  return atPlace(command, globals, io.platform);
}

/**
 * Finds the links that an open change request of an earlier run corrects. What else is broken on its pages waits: two
 * change requests of one page would conflict.
 * @returns what could not be read; links of such spaces are left
 */
export async function settleWaiting(reading: Reading, links: FoundLink[]): Promise<Unread[]> {
  const waiting = new Set(links.flatMap(({ on, found }) => (found.is === 'none' ? [] : (on ?? []))));
  const spaces = groupBy(waiting, ({ content }) => content.space.id);
  const unread = await readAll(reading, [...spaces], async ([id, pages]): Promise<Unread[]> => {
    try {
      for (const request of await openFixes(reading.client, id))
        for (const on of pages) await settlePage(reading, request, on, links);
      return [];
    } catch (cause) {
      const own = links.filter(({ on }) => on?.content.space.id === id);
      for (const link of own)
        link.found = lost(link.found, 'the change requests of its space could not be read');
      return [unreadOf(cause, reading.signal, { kind: 'change-requests', id, space: id })];
    }
  });
  return unread.flat();
}

async function settlePage(
  reading: Reading,
  { id, number }: { id: string; number: number },
  on: PageText,
  links: readonly FoundLink[],
): Promise<void> {
  const { differs, isBroken } = await pageSeen(reading, id, on);
  if (differs !== 'targets') return;
  for (const link of links.filter((one) => one.on === on)) {
    if (!isBroken(link.finding)) link.fixedIn = number;
    else link.found = lost(link.found, `its page waits in change request ${number}; merge that first`);
  }
}

/** The revision in an address of `archiveUrl`. */
export function revisionOf(url: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get('revision') ?? undefined) : undefined;
}

/** How many links a change request of this subject corrects; undefined for the subject of any other. */
export function linksOfSubject(subject: string): number | undefined {
  const [, count] = /^Fix ([\d,]+) broken links? \([0-9a-f]{8}\)$/.exec(subject) ?? [];
  return count === undefined ? undefined : Number(count.replaceAll(',', ''));
}
