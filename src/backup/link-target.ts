import { pagesIn } from '../access/links/read-links.js';
import { DocsError } from '../base/errors.js';
import { sameName } from '../base/name.js';
import { type Named, namesIn } from '../files/markdown-links.js';
import { counted } from '../output/text.js';
import { type Candidate, type Contents, nameOf, type SpaceContent } from './link-content.js';
import { packSource } from './pack.js';
import { linkReader } from './pack-links.js';
import type { BackupReader } from './reader.js';

/** Looks for what a broken link should lead to: by id, then by title. */

interface Broken {
  /** The space that the link is in. */
  from: SpaceContent;
  pageId: string;
  named: Named;
  /** What a backup knows of the target. */
  former: Former | undefined;
  /** What readers see of the link. */
  texts: readonly string[];
}

export type TargetSearch =
  | { is: 'one'; by: 'id' | 'title'; candidate: Candidate; why?: string }
  | { is: 'several'; by: 'id' | 'title'; candidates: readonly Candidate[]; why: string }
  | { is: 'none'; why: string; candidates?: readonly Candidate[] };

/** A link that is left all the same; what was found for it is still listed. */
export function lost(found: TargetSearch, why: string): TargetSearch {
  if (found.is === 'none') return found;
  return { is: 'none', why, candidates: found.is === 'one' ? [found.candidate] : found.candidates };
}

export async function findTarget(broken: Broken, contents: Contents): Promise<TargetSearch> {
  return (await byIdOf(broken, contents)) ?? (await byTitle(broken, contents));
}

/** A page or file keeps its id when it moves; a copy of a space has the same ids. */
async function byIdOf(
  { from, named, former }: Broken,
  contents: Contents,
): Promise<TargetSearch | undefined> {
  const id = named.id ?? former?.id;
  const kind = named.id === undefined ? former?.kind : named.kind;
  if (id === undefined || kind === undefined) return undefined;
  if (kind === 'space') return undefined;
  const near = [from, await linkedSpace(named, contents)].filter((content) => content !== undefined);
  const found = near.flatMap((content) => withId(content, kind, id));
  if (found[0] !== undefined) return { is: 'one', by: 'id', candidate: found[0] };
  const all = (await contents.everywhere()).flatMap((content) => withId(content, kind, id));
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  if (others.length === 0) return { is: 'one', by: 'id', candidate: first };
  const why = `${counted(all.length, 'space')} have a ${kind} with this id: ${namesOf(all)}`;
  return { is: 'several', by: 'id', candidates: all, why };
}

async function linkedSpace({ space }: Named, contents: Contents): Promise<SpaceContent | undefined> {
  return space === undefined ? undefined : contents.of({ id: space });
}

function withId({ space, byId, files }: SpaceContent, kind: 'page' | 'file', id: string): Candidate[] {
  if (kind === 'page') {
    const found = byId.get(id);
    return found === undefined ? [] : [pageCandidate(space, found)];
  }
  return files.filter((file) => file.id === id).map(({ name }) => ({ space, file: { id, name } }));
}

function pageCandidate(
  space: Candidate['space'],
  { page, path }: { page: { id: string; title: string }; path: string },
): Candidate {
  return { space, page: { id: page.id, title: page.title, path } };
}

/**
 * First the space of the link and the one that it names, then all others: the first of these with a candidate
 * decides; of several candidates, the nearest. A title that was read is all that counts; else what readers see, and the name in the path, do.
 */
async function byTitle(broken: Broken, contents: Contents): Promise<TargetSearch> {
  const { from, named, former } = broken;
  const fits = fitting(broken);
  if (fits === undefined)
    return { is: 'none', why: 'neither its address nor its text has a title to look for' };
  if ((former?.kind ?? named.kind) === 'space')
    return decided({ candidates: await spacesWith(broken, contents) }, 0);
  const linked = await linkedSpace(named, contents);
  const near = linked === undefined || linked === from ? [from] : [from, linked];
  const nearest = near.flatMap(fits);
  if (nearest.length > 0) return decided(await nearestOf(broken, nearest, contents), 0);
  const others = (await contents.everywhere()).filter((content) => !near.includes(content));
  const found = await nearestOf(broken, others.flatMap(fits), contents);
  return decided(found, contents.unread.length);
}

function decided({ candidates, only, why: nearer }: Nearest, unread: number): TargetSearch {
  const [first, ...others] = candidates;
  if (first === undefined) {
    const where = unread === 0 ? '' : ` in what could be read`;
    return { is: 'none', why: `nothing has its id or its title${where}` };
  }
  if (only !== undefined && unread === 0) return { is: 'one', by: 'title', candidate: only, why: nearer };
  if (others.length > 0)
    return { is: 'several', by: 'title', candidates, why: `several fit: ${namesOf(candidates)}` };
  if (unread === 0) return { is: 'one', by: 'title', candidate: first };
  const why = 'one has its title, and another may: not everything could be read';
  return { is: 'several', by: 'title', candidates, why };
}

/** Candidates that a sentence names; `candidates` of the row has all. */
const mostNamed = 3;

function namesOf(candidates: readonly Candidate[]): string {
  const named = candidates.slice(0, mostNamed).map(nameOf).join(', ');
  const more = candidates.length - mostNamed;
  return more > 0 ? `${named}, and ${more} more` : named;
}

type Fits = (content: SpaceContent) => Candidate[];

/** @returns undefined where there is nothing to look for */
function fitting({ named, former, texts, pageId }: Broken): Fits | undefined {
  const kind = former?.kind ?? named.kind;
  if (kind === 'file') {
    const name = former?.title ?? named.file;
    if (name === undefined) return undefined;
    return ({ space, files }) =>
      files
        .filter((file) => same(file.name, name))
        .map((file) => ({ space, file: { id: file.id, name: file.name } }));
  }
  const titles = former?.title === undefined ? texts : [former.title];
  const slug = former?.title === undefined ? named.slug?.toLowerCase() : undefined;
  if (titles.every((title) => title === '') && slug === undefined) return undefined;
  return ({ space, byId }) =>
    [...byId.values()]
      .filter(({ page }) => page.id !== pageId)
      .filter(
        ({ page }) => titles.some((title) => same(page.title, title)) || page.slug?.toLowerCase() === slug,
      )
      .map((placed) => pageCandidate(space, placed));
}

async function spacesWith({ former, texts, from }: Broken, contents: Contents): Promise<Candidate[]> {
  const titles = former?.title === undefined ? texts : [former.title];
  return (await contents.spaces())
    .filter(({ id, title = '' }) => id !== from.space.id && titles.some((one) => same(title, one)))
    .map(({ id, title = id }) => ({ space: { id, title } }));
}

function same(one: string, other: string): boolean {
  return other !== '' && sameName(one, other);
}

/** Which of several pages or files a link more likely meant: by its path, then by collection, then by its own folder. */

interface Placed {
  from: SpaceContent;
  pageId: string;
  named: Named;
}

interface Nearest {
  /** All of them, the nearest first. */
  candidates: readonly Candidate[];
  /** The only one that is nearer than the others. */
  only?: Candidate;
  /** What makes it so: `the only one of 7 in the same collection`. */
  why?: string;
}

interface Rank {
  /** Names of the path that the link has, too, from the end. */
  names: number;
  /** Collections up from that of the link; Infinity where they share none. */
  levels: number;
  /** Whether it is in another space of a shared collection, in a folder of the same path as the page of the link. */
  isBeside: boolean;
}

async function nearestOf(
  link: Placed,
  candidates: readonly Candidate[],
  contents: Contents,
): Promise<Nearest> {
  if (candidates.length < 2) return { candidates };
  const rankOf = await ranking(link, candidates, contents);
  const ranked = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate) }));
  ranked.sort((one, other) => compare(one.rank, other.rank));
  const sorted = ranked.map(({ candidate }) => candidate);
  const [first, second] = ranked;
  if (first === undefined || second === undefined || compare(first.rank, second.rank) === 0)
    return { candidates: sorted };
  const why = `the only one of ${sorted.length} ${reason(first.rank, second.rank)}`;
  return { candidates: sorted, only: first.candidate, why };
}

function compare(one: Rank, other: Rank): number {
  if (one.names !== other.names) return other.names - one.names;
  if (one.levels !== other.levels) return one.levels < other.levels ? -1 : 1;
  return Number(other.isBeside) - Number(one.isBeside);
}

function reason(first: Rank, second: Rank): string {
  if (first.names !== second.names) return 'with the path of the link';
  if (first.levels === second.levels) return 'in a folder of the same path';
  return first.levels === 0 ? 'in the same collection' : 'in a collection around that of the link';
}

async function ranking(
  { from, pageId, named }: Placed,
  candidates: readonly Candidate[],
  contents: Contents,
): Promise<(candidate: Candidate) => Rank> {
  const written = namesIn(named.path);
  const beside = folderOf(from.byId.get(pageId)?.path ?? '');
  const isHere = candidates.every(({ space }) => space.id === from.space.id);
  const [own = [], ofSpace] = isHere ? [] : await contents.collectionsAround(from.space.id);
  return ({ space, page }) => {
    const path = namesIn(page?.path ?? '');
    const around = ofSpace?.(space.id) ?? [];
    const level = own.findIndex((collection) => around.includes(collection));
    const isNear = level !== -1;
    return {
      names: commonEnd(written, path),
      levels: isNear ? level : Number.POSITIVE_INFINITY,
      isBeside: isNear && page !== undefined && folderOf(page.path) === beside,
    };
  };
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count))
    count += 1;
  // A title may fit without the name; only what is beyond the name tells more.
  return Math.max(count, 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** What a broken link led to when a backup was made. */
interface Former {
  kind: 'page' | 'file' | 'space';
  id: string;
  title?: string;
}

export interface FormerTargets {
  /** @param pageId the page with the link, and its space */
  find(
    place: { spaceId: string; pageId: string },
    address: string,
    named: Named,
  ): Promise<Former | undefined>;
}

interface Kept {
  titles: ReadonlyMap<string, string>;
  read: ReturnType<typeof linkReader>;
}

/** Looks targets up in a backup; spaces that it lacks tell nothing. */
export function formerTargets(reader: BackupReader): FormerTargets {
  const spaces = new Map(reader.manifest.spaces.map((entry) => [entry.id, entry]));
  const read = new Map<string, Promise<Kept | undefined>>();
  const kept = (spaceId: string): Promise<Kept | undefined> => {
    const entry = spaces.get(spaceId);
    const known = read.get(spaceId) ?? (entry ? keptOf(reader, entry) : Promise.resolve(undefined));
    read.set(spaceId, known);
    return known;
  };
  return {
    async find({ spaceId, pageId }, address, { kind, id, space }) {
      if (kind === 'space' && id !== undefined) {
        const title = spaces.get(id)?.title;
        return { kind, id, title };
      }
      if (kind !== undefined && id !== undefined) {
        const title = (await kept(space ?? spaceId))?.titles.get(id);
        return title === undefined ? undefined : { kind, id, title };
      }
      const own = await kept(spaceId);
      // Where the page was elsewhere or was not there, its paths led elsewhere.
      if (own === undefined || !own.titles.has(pageId)) return undefined;
      const found = own.read(pageId, '', address);
      if (found === undefined) return undefined;
      const title = own.titles.get(found.id);
      return { kind: found.kind, id: found.id, title };
    },
  };
}

type Entry = BackupReader['manifest']['spaces'][number];

async function keptOf(reader: BackupReader, entry: Entry): Promise<Kept | undefined> {
  try {
    const source = await packSource(reader, entry, undefined);
    const titles = new Map(source.files.map(({ id, name }) => [id, name]));
    for (const { id, title } of pagesIn(source.pages)) titles.set(id, title);
    return { titles, read: linkReader({ ...source, fileAt: () => undefined }) };
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return undefined;
    throw cause;
  }
}
