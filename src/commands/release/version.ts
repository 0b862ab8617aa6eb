import { listCollectionSpaces } from '../../api/resources/collections.js';
import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { duplicateSpace, getSpace, type Space, updateSpace } from '../../api/resources/spaces.js';
import { type DocsError, notSent, usageError } from '../../base/errors.js';
import { nameKey, sameName } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/origin.js';
import type { Amount } from '../../jobs/change.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { countsOf, type Job, stateOf } from '../../jobs/journal.js';
import { amountText, contentOf } from '../../jobs/proofs.js';
import { readsOf } from '../../jobs/reads.js';
import { readAll } from '../../jobs/sequence.js';
import { undoneItems } from '../../jobs/undo.js';
import { doneOf } from '../../output/text.js';
import type { SiteContent } from '../../snapshot/organization.js';
import type { Reading } from '../../snapshot/unread.js';
import { copyTitle, type Origin, type Shown, titleIn } from './site.js';

/** What of a version is there already, and how much each of its spaces has. */

/** A space of the version. */
export interface VersionSpace {
  source: Shown;
  /** Of the copy. */
  title: string;
  /** Of the copy on the site. */
  path: string;
  /** What the source has. */
  amount: Amount;
  /** The copy on the site. */
  onSite?: Shown;
  /** A copy that is not on the site, which is used. */
  loose?: Space;
  /** The copy on the site can be compared with its source: nobody edited the source since. */
  comparable?: boolean;
  /** Why the copy on the site does not count as one: a sentence. */
  lack?: string;
  /** Spaces beside the source that are on no place of the site and may be copies without a title of their own. */
  perhaps?: readonly Space[];
}

interface VersionRequest {
  version: string;
  path: string;
  /** Of the titles of copies. */
  pattern: string;
  titles: readonly string[];
  origin: Origin;
  sources: readonly Shown[];
  /** Ids of spaces that are to be used in place of new copies. */
  use: readonly string[];
  /** `--path` was typed. */
  isPathTyped: boolean;
  /** The same command with `--use <space>` for each id, and with another path. */
  again(use: readonly string[], path?: string): string;
}

export interface VersionState {
  parts: VersionSpace[];
  /** The section of the version, where it is there already. */
  section?: SiteSection;
}

/**
 * Reads what of a version is there.
 * @throws DocsError conflict `path_taken`, `section_taken`; usage `copy_found`, `not_a_copy`
 */
export async function readVersion(
  reading: Reading,
  parts: SiteContent,
  wanted: VersionRequest,
): Promise<VersionState> {
  const { origin, sources, titles, path } = wanted;
  const section = origin.kind === 'section' ? versionSection(parts, origin.section, wanted) : undefined;
  const found = await readAll(reading, [...sources.keys()], async (at): Promise<VersionSpace> => {
    const source = sources[at] as Shown;
    const own = { source, title: titles[at] ?? '', path: origin.kind === 'section' ? source.path : path };
    const onSite = siteSpaceOf(parts, own, origin.kind === 'section' ? (section?.id ?? null) : undefined);
    return { ...own, ...(await contentsOf(reading, source, onSite)), onSite };
  });
  const placed = await withUsed(reading, parts, found, wanted);
  const loose = await looseSpaces(reading, parts, placed);
  refuseLoose(placed, loose, wanted);
  return { parts: placed.map((part) => withPerhaps(part, loose)), section };
}

/**
 * The section that is the version; a half-made one may not have its path yet. A section with copies of another section is
 * never taken, whatever its title and path.
 * @throws DocsError conflict `path_taken`, `section_taken`
 */
function versionSection(
  parts: SiteContent,
  source: SiteSection,
  wanted: VersionRequest,
): SiteSection | undefined {
  const { version, path, again } = wanted;
  const { site, sections } = parts;
  const byTitle = sections.filter(({ title }) => sameName(title, version));
  const byPath = sections.find((one) => one.path === path);
  const own = byTitle.find((one) => isOurs(one, parts, source.id, wanted));
  if (own !== undefined && (byPath === undefined || byPath.id === own.id)) return own;
  const hint = again([], freePath(sections, source, path));
  if (byPath !== undefined) throw taken(`section ${byPath.title} (${byPath.id})`, path, site.title, hint);
  const [other] = byTitle;
  if (other === undefined || wanted.isPathTyped) return undefined;
  const message = `the site ${site.title} has a section ${other.title} (${other.id}) with the path ${other.path} and none of the copies; nothing was sent. With --path, the version gets a section of its own.`;
  throw notSent('conflict', 'section_taken', message, { hint });
}

/** Whether a section has copies of the source, or is empty, and has no copy of another section. */
function isOurs(
  section: SiteSection,
  { siteSpaces }: SiteContent,
  sourceId: string,
  wanted: VersionRequest,
): boolean {
  const { version, pattern, titles } = wanted;
  const ours = new Set(titles.map(nameKey));
  const others = siteSpaces.filter((one) => one.section !== section.id && one.section !== sourceId);
  const foreign = new Set(others.map((one) => nameKey(copyTitle(titleIn(one), version, pattern))));
  const held = section.siteSpaces.map((one) => nameKey(titleIn(one)));
  if (held.some((title) => foreign.has(title) && !ours.has(title))) return false;
  return held.length === 0 || held.some((title) => ours.has(title));
}

/** A path that no section has: that of the source with the version. */
function freePath(sections: readonly SiteSection[], source: SiteSection, version: string): string {
  const used = new Set(sections.map(({ path }) => path));
  let free = `${source.path}-${version}`;
  for (let n = 2; used.has(free); n += 1) free = `${source.path}-${version}-${n}`;
  return free;
}

/**
 * The copy on the site: at the path and with the title, or with the title alone where its path was not set yet.
 * @param section of the version, null where there is none yet; undefined where the copy stands beside its source
 * @throws DocsError conflict `path_taken`
 */
function siteSpaceOf(
  { site, siteSpaces }: SiteContent,
  { source, title, path }: Pick<VersionSpace, 'source' | 'title' | 'path'>,
  section: string | null | undefined,
): Shown | undefined {
  if (section === null) return undefined;
  const level = siteSpaces.filter((one) => one.section === (section ?? source.section));
  const isCopy = (one: SiteSpace): one is Shown =>
    one.space !== undefined && one.id !== source.id && sameName(one.space.title, title);
  const atPath = level.find((one) => one.path === path);
  if (atPath !== undefined && isCopy(atPath)) return atPath;
  if (atPath !== undefined)
    throw taken(`space ${atPath.space?.title ?? atPath.title} (${atPath.id})`, path, site.title);
  return level.find(isCopy);
}

function taken(by: string, path: string, site: string, hint = 'docs sites release cut --help'): DocsError {
  const message = `the path ${path} on the site ${site} belongs to the ${by}; nothing was sent`;
  return notSent('conflict', 'path_taken', message, { hint });
}

/** How much the source has; and whether the copy has that, as far as a read can tell. */
async function contentsOf(
  { client }: Reading,
  source: Shown,
  onSite: Shown | undefined,
): Promise<Pick<VersionSpace, 'amount' | 'comparable' | 'lack'>> {
  const reads = readsOf(client);
  const [own, copy] = await Promise.all([
    contentOf(reads, source.space.id),
    onSite === undefined ? undefined : contentOf(reads, onSite.space.id),
  ]);
  if (own === undefined) throw notThere(source.space);
  const { pages, files } = own;
  const amount = { pages, files };
  if (onSite === undefined) return { amount };
  const comparable = Date.parse(own.createdAt) <= Date.parse(onSite.space.createdAt);
  if (copy === undefined) return { amount, comparable, lack: `Space ${onSite.space.id} cannot be read.` };
  // Somebody may have added to the version since.
  if (!comparable || (copy.pages >= pages && copy.files >= files)) return { amount, comparable };
  const lack = `The version has ${amountText(copy)}, and ${source.space.title} has ${amountText(own)}.`;
  return { amount, comparable, lack };
}

function notThere({ id, title }: Space): DocsError {
  const message = `space ${title} (${id}) is on the site, but its content was not found; nothing was sent`;
  return notSent('not-found', 'not_found', message, { hint: `docs spaces get ${id}` });
}

/** Puts the spaces of `--use` where copies are missing: by title, or the only one where only one is missing. */
async function withUsed(
  reading: Reading,
  { siteSpaces }: SiteContent,
  parts: readonly VersionSpace[],
  { use }: VersionRequest,
): Promise<VersionSpace[]> {
  const spaces = await readAll(reading, use, (spaceId) =>
    reading.client.call(getSpace, { path: { spaceId } }),
  );
  const placed = parts.map((part) => ({ ...part }));
  for (const space of spaces) {
    const missing = placed.filter(isMissing);
    const byTitle = missing.filter(({ title }) => sameName(title, space.title));
    const [part, ...others] = byTitle.length > 0 ? byTitle : missing;
    const isFree = siteSpaces.every((one) => one.space?.id !== space.id) && space.deletedAt === undefined;
    if (part === undefined || others.length > 0 || !isFree) throw notACopy(space, isFree, missing);
    part.loose = space;
  }
  return placed;
}

function notACopy({ title, id }: Space, isFree: boolean, missing: readonly VersionSpace[]): DocsError {
  const why = !isFree
    ? 'is on the site already'
    : missing.length === 0
      ? 'is not needed: no copy is missing'
      : `is not titled as one of the copies that are missing: ${missing.map((one) => one.title).join(', ')}`;
  return usageError('not_a_copy', `space ${title} (${id}) of --use ${why}; nothing was sent`, {
    hint: `docs spaces get ${id}`,
  });
}

function isMissing({ onSite, loose }: VersionSpace): boolean {
  return onSite === undefined && loose === undefined;
}

/** The spaces beside the sources of missing copies that are not on the site. No list shows those outside of collections. */
async function looseSpaces(
  reading: Reading,
  { siteSpaces }: SiteContent,
  parts: readonly VersionSpace[],
): Promise<Space[]> {
  const collections = [
    ...new Set(parts.filter(isMissing).flatMap(({ source }) => source.space.parent ?? [])),
  ];
  const onSite = new Set(siteSpaces.map(({ space }) => space?.id));
  const used = new Set(parts.map(({ loose }) => loose?.id));
  const lists = await readAll(reading, collections, async (collectionId) => {
    const found: Space[] = [];
    for await (const one of reading.client.call(listCollectionSpaces, { path: { collectionId } }))
      found.push(one);
    return found;
  });
  return lists.flat().filter(({ id }) => !onSite.has(id) && !used.has(id));
}

/** A space that is titled as a copy may be what an earlier cut left: whether it is, a person decides. */
function refuseLoose(
  parts: readonly VersionSpace[],
  spaces: readonly Space[],
  { again, use }: VersionRequest,
): void {
  const wanted = new Set(parts.filter(isMissing).map(({ title }) => nameKey(title)));
  const loose = spaces.filter(({ title }) => wanted.has(nameKey(title)));
  if (loose.length === 0) return;
  const named = loose.map(({ title, id }) => `${title} (${id})`).join(', ');
  const message =
    loose.length === 1
      ? `space ${named} has the title of a copy, and is not on the site; an earlier cut may have left it. Nothing was sent. Use it, or delete it first.`
      : `spaces ${named} have the titles of copies, and are not on the site; an earlier cut may have left them. Nothing was sent. Use them, or delete them first.`;
  throw usageError('copy_found', message, { hint: again([...use, ...loose.map(({ id }) => id)]) });
}

/** With the duplicates that still have the title which the platform gave them. */
function withPerhaps(part: VersionSpace, spaces: readonly Space[]): VersionSpace {
  const { source } = part;
  if (!isMissing(part)) return part;
  const like = nameKey(source.space.title);
  const perhaps = spaces.filter(({ title }) => nameKey(title).replace(/^copy of /, '') === like);
  return {
    ...part,
    perhaps: perhaps.filter(({ id, parent }) => id !== source.space.id && parent === source.space.parent),
  };
}

/** What a cut is about. */
interface About {
  /** Ids of the spaces that are duplicated. */
  sources: readonly string[];
  titles: readonly string[];
}

/** What the command is called in a journal, and was called before. */
const cutting: readonly string[] = ['sites release cut', 'release cut'];

/**
 * Refuses to begin a cut that a job of this machine began and did not finish: what it made would be made again.
 * @throws DocsError usage `unfinished_job`
 */
export function refuseUnfinished(session: Session, about: About): void {
  const folder = new JobFolder(session.io);
  const origin = originOf(session);
  const jobs = folder.readAll(() => {});
  const undoing = jobs.filter(({ header }) => header.undoes !== undefined);
  const open = jobs.find((job) => {
    const { header } = job;
    if (!cutting.includes(header.command) || header.undoes !== undefined || header.origin !== origin)
      return false;
    return stateOf(job) !== 'done' && isAbout(job, about) && leftSomething(job, undoing);
  });
  if (open === undefined) return;
  const { job, total } = open.header;
  const message = `job ${job} began to cut this version and is not finished: ${doneOf(countsOf(open).ok, total)}. Resume it, or undo it with docs undo ${job}; nothing was sent.`;
  throw usageError('unfinished_job', message, { hint: `docs jobs resume ${job}` });
}

function isAbout({ items }: Job, { sources, titles }: About): boolean {
  const has = (op: string, fits: (plan: Job['items'][number]['change']) => boolean) =>
    items.some(({ change }) => change.op.id === op && fits(change));
  const titled = has(
    updateSpace.id,
    ({ input: { body } }) => isObject(body) && titles.includes(String(body.title)),
  );
  return titled && has(duplicateSpace.id, ({ input }) => sources.includes(String(input.path?.spaceId)));
}

/** Whether something that it made, or may have made, is there. */
function leftSomething({ header, items }: Job, undoing: readonly Job[]): boolean {
  const undone = undoneItems(header.job, undoing);
  return items.some(
    ({ change, state }) =>
      change.op.id === duplicateSpace.id &&
      ['ok', 'started', 'unknown'].includes(state) &&
      !undone.has(change.item),
  );
}
