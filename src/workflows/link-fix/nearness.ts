import type { Contents, SpaceContent } from './contents.js';
import { type Named, namesIn } from './named.js';
import type { Candidate } from './new-address.js';

/** Which of several pages or files a link more likely meant: by its path, then by collection, then by its own folder. */

interface Placed {
  from: SpaceContent;
  pageId: string;
  named: Named;
}

export interface Nearest {
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

export async function nearestOf(
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
