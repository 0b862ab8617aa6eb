import {
  type Finding,
  type FixStatus,
  fixStatuses,
  type LinkFix,
  type NewTarget,
} from '../../access/links/finding.js';
import { linksUnread, lookAtSpaces, Tally } from '../../access/links/link-check.js';
import type { FoundSpace } from '../../access/links/reference.js';
import { type ContentFile, type ContentPage, getPage } from '../../api/resources/content.js';
import {
  type Candidate,
  Contents,
  type KnownSpace,
  matched,
  newAddress,
  rewritten,
  type SpaceContent,
} from '../../backup/link-content.js';
import { type FormerTargets, findTarget, lost, type TargetSearch } from '../../backup/link-target.js';
import { pageText } from '../../backup/pack.js';
import { DocsError } from '../../base/errors.js';
import { defined, groupBy } from '../../base/values.js';
import { linksIn, namedBy, type WrittenLink, withTargets } from '../../files/markdown-links.js';
import { readAll } from '../../jobs/sequence.js';
import { counted, grouped } from '../../output/text.js';
import { isWhole, type Scope, spacesOfScope } from '../../snapshot/spaces.js';
import { type Reading, type Unread, unreadFacts, unreadOf } from '../../snapshot/unread.js';

/** Finds the broken links of a scope and what each should lead to. Changes nothing. */

export interface FoundLinks {
  links: FoundLink[];
  tally: Tally;
  /** Beside what the tally has. */
  unread: readonly Unread[];
}

interface FindOptions {
  scope: Scope;
  former?: FormerTargets | undefined;
  /** Called with the number of spaces read and of all. */
  onSpace?: (read: number, of: number) => void;
}

/** @throws DocsError if the spaces cannot be listed; as `unreadOf` */
export async function findLinks(reading: Reading, options: FindOptions): Promise<FoundLinks> {
  const { scope, onSpace = () => {} } = options;
  const named = ({ id, title, parent }: KnownSpace): KnownSpace => defined({ id, title, parent });
  const { spaces, unread } = await spacesOfScope(reading, scope, named);
  const contents = new Contents(reading, isWhole(scope) ? spaces : undefined);
  const tally = new Tally(false);
  tally.unread.push(...unread);
  const links: FoundLink[] = [];
  let done = 0;
  for await (const looked of lookAtSpaces(reading, spaces, { statuses: ['broken'] })) {
    tally.add(looked, 0);
    if (looked.findings.length > 0)
      links.push(...(await linksOf(reading, looked.space, looked.findings, contents, options)));
    onSpace(++done, spaces.length);
  }
  return { links, tally, unread: contents.unread };
}

async function linksOf(
  reading: Reading,
  space: FoundSpace,
  findings: readonly Finding[],
  contents: Contents,
  { former }: FindOptions,
): Promise<FoundLink[]> {
  const content = await contents.of(space);
  if (content === undefined)
    return findings.map((one) => left(one, 'the pages of its space could not be read'));
  const pages = await readAll(
    reading,
    [...groupBy(findings, ({ page }) => page?.id)],
    async ([pageId, own]): Promise<FoundLink[]> => {
      if (pageId === undefined)
        return own.map((one) => left(one, 'the platform does not show which page has it'));
      const markdown = await markdownOf(reading, space.id, pageId, contents.unread);
      if (markdown === undefined)
        return own.map((one) => left(one, 'the text of the page could not be read'));
      return onPage({ content, pageId, markdown }, own, contents, former);
    },
  );
  return pages.flat();
}

function left(finding: Finding, why: string): FoundLink {
  return { finding, found: { is: 'none', why }, links: [] };
}

async function markdownOf(
  { client, signal }: Reading,
  spaceId: string,
  pageId: string,
  unread: Unread[],
): Promise<string | undefined> {
  try {
    // Computed parts are not text of the page.
    const query = { format: 'markdown', computed: false } as const;
    const { markdown } = await client.call(getPage, { path: { spaceId, pageId }, query });
    return markdown;
  } catch (cause) {
    unread.push(unreadOf(cause, signal, { kind: 'page', id: pageId, space: spaceId }));
    return undefined;
  }
}

async function onPage(
  on: PageText,
  findings: readonly Finding[],
  contents: Contents,
  former: FormerTargets | undefined,
): Promise<FoundLink[]> {
  const { content, pageId, markdown } = on;
  const loss = lossOf(content, pageId, markdown);
  const all = matched(findings, linksIn(markdown), content, pageId);
  const found: FoundLink[] = [];
  for (const { finding, links } of all) {
    const target = await targetOf(on, finding, links, contents, former);
    const link = { finding, found: target, on, links };
    const why = loss ?? unwritable(link);
    found.push(why === undefined ? link : { ...link, found: lost(target, why) });
  }
  return found;
}

async function targetOf(
  { content, pageId }: PageText,
  { target }: Finding,
  links: readonly WrittenLink[],
  contents: Contents,
  former: FormerTargets | undefined,
): Promise<TargetSearch> {
  const [first] = links;
  const isOutside = target.url !== undefined && namedBy(target.url) === undefined;
  if (isOutside) return { is: 'none', why: 'it is an address outside the spaces' };
  if (first === undefined) {
    const cover = content.byId.get(pageId)?.page.cover;
    const isCover = cover !== undefined && target.url === undefined;
    return {
      is: 'none',
      why: isCover
        ? 'it is the cover of the page, or not in its text'
        : 'the text of the page does not have it',
    };
  }
  const named = namedBy(first.address);
  if (named === undefined) return { is: 'none', why: 'it is an address outside the spaces' };
  const place = { spaceId: content.space.id, pageId };
  const known = await former?.find(place, first.address, named);
  const texts = [...new Set(links.flatMap((link) => link.texts))];
  return findTarget({ from: content, pageId, named, former: known, texts }, contents);
}

/** What an import of a page would change beside its links. */

/** Titles are cut by an import beyond this, in characters. */
const longestTitle = 200;
/** Names that an import takes for the page of the folder around them. */
const folderPage = /(?:^|\/)(?:readme|index)(?:\/|$)/;
const plainPath = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

/** @returns why the page is left, as the end of a sentence; undefined where an import brings its text and nothing else */
export function lossOf(content: SpaceContent, pageId: string, markdown: string): string | undefined {
  const placed = content.byId.get(pageId);
  if (placed === undefined) return 'the page is not among the pages of its space';
  const { page, path } = placed;
  if (page.computed !== undefined) return 'the page is generated, and an import would make it plain text';
  if (!isFoundAgain(content, pageId, path)) return 'an import would not find the page again by its path';
  return lossOfFields(page) ?? lossOfText(page, markdown, content.files);
}

function isFoundAgain(content: SpaceContent, pageId: string, path: string): boolean {
  const file = content.packed().get(pageId);
  if (!plainPath.test(path) || folderPage.test(path)) return false;
  return file === `${path}.md` || file === `${path}/README.md`;
}

function lossOfFields({ title, description = '', layout = {}, cover }: ContentPage): string | undefined {
  if (title === '' || title !== title.trim() || title.length > longestTitle)
    return 'an import would change its title';
  if (description !== description.trim()) return 'an import would change its description';
  const { coverSize, ...shown } = layout;
  const known = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination'];
  const isHidden = Object.values(shown).includes(false);
  const isOdd = Object.keys(shown).some((key) => !known.includes(key));
  // Where a part is hidden, the front matter has a layout, which takes the place of the whole one.
  const usualSize = cover === undefined ? 'full' : 'hero';
  if (isHidden && (isOdd || (coverSize ?? usualSize) !== usualSize))
    return 'an import would change the layout of the page';
  return undefined;
}

function lossOfText(page: ContentPage, markdown: string, files: readonly ContentFile[]): string | undefined {
  if (markdown.includes('\r') || markdown.startsWith('\ufeff'))
    return 'an import would change its line endings';
  const body = bodyOf(pageText(page, markdown));
  if (body !== body.trimStart()) return 'an import would take away the spaces that its text begins with';
  const downloads = new Set(files.map(({ downloadURL }) => bare(downloadURL)));
  const expires = linksIn(markdown).some(({ address }) => downloads.has(bare(address)));
  return expires ? 'its text has addresses of files that expire, which an import would keep' : undefined;
}

/** What stands below the front matter. */
function bodyOf(text: string): string {
  const end = '\n---\n\n';
  return text.slice(text.indexOf(end) + end.length);
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** `5 broken links: 2 proposed, 1 ambiguous, 2 left. Looked at 60 spaces.` */
export function summaryOf({ links, tally, unread }: FoundLinks): string {
  const counts = fixStatuses.flatMap((status) => {
    const count = links.filter((link) => rowOf(link).status === status).length;
    return count === 0 ? [] : [`${grouped(count)} ${status}`];
  });
  const missed = tally.unread.length + unread.length;
  const none = tally.read.size === 0 && missed > 0 ? [] : ['No broken links found.'];
  const what = links.length === 0 ? none : [`${counted(links.length, 'broken link')}: ${counts.join(', ')}.`];
  const sentences = [...what, `Looked at ${counted(tally.read.size, 'space')}.`];
  if (missed > 0) sentences.push(`Not read: ${grouped(missed)}.`);
  return sentences.join(' ');
}

/** `3 left: nothing has its id or its title.` */
export function reasonsLeft({ links }: FoundLinks): string[] {
  const counts = new Map<string, number>();
  for (const { status, why } of links.map(rowOf))
    if (status === 'left' && why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => `${grouped(count)} left: ${why}.`);
}

interface Asked {
  failOn: readonly FixStatus[];
  /** Whether a link is part of what was proposed just now. */
  isPlanned(link: FoundLink): boolean;
  platform: NodeJS.Platform;
}

/** Findings (17) where `--fail-on` names what remains; else partial (3) where something was not read. */
export function failureOf(found: FoundLinks, { failOn, isPlanned, platform }: Asked): DocsError | undefined {
  const unread = [...found.tally.unread, ...found.unread];
  const rows = found.links.filter((link) => !isPlanned(link)).map(rowOf);
  const counts = Object.fromEntries(
    fixStatuses.map((status) => [status, rows.filter((row) => row.status === status).length]),
  );
  const details = { spaces: found.tally.read.size, found: counts, unread: unread.map(unreadFacts) };
  if (rows.some(({ status }) => failOn.includes(status)))
    return new DocsError('findings', 'links_left', summaryOf(found), { details });
  if (unread.length === 0) return undefined;
  return linksUnread(summaryOf(found), { unread, details, platform, isAny: true });
}

/** A broken link on a page, with what was found for it. */
export interface FoundLink {
  finding: Finding;
  found: TargetSearch;
  /** The page that it is on; none where that could not be read. */
  on?: PageText;
  /** Where its target stands in the text of the page. */
  links: readonly WrittenLink[];
  /** The open change request that has it corrected. */
  fixedIn?: number;
}

/** A page with broken links, as it is now. */
export interface PageText {
  content: SpaceContent;
  pageId: string;
  markdown: string;
}

/** What is printed of each link, and the corrected pages. */

/** A page whose text has other targets now. */
export interface CorrectedPage extends PageText {
  corrected: string;
  links: readonly { finding: FoundLink['finding']; target: NewTarget; by: 'id' | 'title' }[];
}

export function rowOf(link: FoundLink): LinkFix {
  const { finding, found, fixedIn: changeRequest } = link;
  const { fingerprint, space, page, link: words } = finding;
  const targets = candidatesOf(link).map((candidate) => shown(link, candidate));
  const [only] = targets;
  const isOne = found.is === 'one' && only !== undefined;
  return {
    ...defined({ fingerprint, status: statusOf(link), space, page, link: words, changeRequest }),
    by: found.is === 'none' ? null : found.by,
    target: isOne ? only : null,
    candidates: isOne ? [] : targets,
    why: found.is === 'one' ? whyOf(found.why, anchorUnchecked(link)) : found.why,
  };
}

function whyOf(...reasons: (string | null | undefined)[]): string | null {
  const known = reasons.filter((reason) => typeof reason === 'string');
  return known.length === 0 ? null : known.join('; ');
}

/** A link keeps its anchor, which no read of links compares with the headings of the new target. */
function anchorUnchecked({ links, fixedIn }: FoundLink): string | null {
  const anchors = links.flatMap(({ address }) => namedBy(address)?.rest.match(/#.+$/s)?.[0] ?? []);
  const [first, ...others] = new Set(anchors);
  if (first === undefined || fixedIn !== undefined) return null;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `whether the new target has ${first}${more} was not checked`;
}

function statusOf({ found, fixedIn }: FoundLink): FixStatus {
  if (fixedIn !== undefined) return 'fixed';
  return ({ one: 'proposed', several: 'ambiguous', none: 'left' } as const)[found.is];
}

/** Why the targets of a link cannot be written in its place; undefined where they can. */
function unwritable(link: FoundLink): string | undefined {
  const texts = candidatesOf(link).flatMap((to) =>
    link.links.map((written) => ({ written, text: textOf(link, written, to) })),
  );
  if (texts.some(({ text }) => text === undefined))
    return 'its address has escapes that leave open what follows the path';
  const isSame = texts.every(({ written, text }) => text === written.raw);
  return isSame ? 'its address already names the only page that it could lead to' : undefined;
}

function candidatesOf({ found }: FoundLink): readonly Candidate[] {
  return found.is === 'one' ? [found.candidate] : (found.candidates ?? []);
}

/** The target with the address that would be written. */
function shown(link: FoundLink, candidate: Candidate): NewTarget {
  const [first] = link.links;
  return { ...candidate, url: (first && textOf(link, first, candidate)) ?? '' };
}

/** What is written in place of a target; undefined where that is uncertain. */
function textOf({ on }: FoundLink, written: WrittenLink, candidate: Candidate): string | undefined {
  const named = namedBy(written.address);
  if (on === undefined || named === undefined) return undefined;
  return rewritten(written, newAddress(on.content, on.pageId, named, candidate));
}

/**
 * The texts with corrected links, page by page.
 * @param chosen what a link is to lead to; undefined leaves it
 */
export function correctedPages(
  links: readonly FoundLink[],
  chosen: (link: FoundLink) => { candidate: Candidate; by: 'id' | 'title' } | undefined,
): CorrectedPage[] {
  const open = links.filter(({ fixedIn }) => fixedIn === undefined);
  return [...groupBy(open, ({ on }) => on)].flatMap(([on, own]) => {
    if (on === undefined) return [];
    const taken = own.flatMap((link) => {
      const choice = chosen(link);
      return choice === undefined ? [] : [{ link, ...choice, target: shown(link, choice.candidate) }];
    });
    const replacements = taken.flatMap(({ link, candidate }) =>
      link.links.flatMap((written) => {
        const text = textOf(link, written, candidate);
        return text === undefined ? [] : [{ start: written.start, end: written.end, text }];
      }),
    );
    const corrected = withTargets(on.markdown, replacements);
    if (corrected === on.markdown) return [];
    const told = taken.map(({ link: { finding }, target, by }) => ({ finding, target, by }));
    return [{ ...on, corrected, links: told }];
  });
}
