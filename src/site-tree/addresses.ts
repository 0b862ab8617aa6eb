import { Findings } from '../access/impact/findings.js';
import {
  type Address,
  addressesOf,
  bare,
  below,
  type Fate,
  isWithin,
  pageReader,
  tellDead,
  tellLinks,
} from '../access/impact/published.js';
import type { DeadUrl, Redirect } from '../access/impact/shapes.js';
import type { Summarized } from '../access/impact/summary.js';
import type { PlanNote } from '../plans/plan.js';
import { type Reading, type Unread, unreadWords } from '../snapshot/unread.js';
import type { Joined } from './join.js';
import { type LiveSite, treeOf } from './read-site.js';
import { flattened, type TreeLine, type TreeNode } from './text.js';

/** What to tell of addresses that change: the API cannot add a redirect, so people add them in the app. */

const add =
  'The API cannot add redirects: add them in the app, for these and the pages below. --redirects lists each.';
const open = 'This address changes; the platform shows the new one only afterwards.';
const gone = 'This address stops working, and nothing of the site could take its place.';
const taken = 'Something else is at this address afterwards, so no redirect can lead from it.';

/** The address as the item, and where its redirect leads as the hint. */
export function addressNotes({ redirects, retaken, unknown }: AddressChanges): PlanNote[] {
  return [
    ...topmost(redirects).map(({ from, to, why, count }): PlanNote => {
      const about = { item: from, ...(count > 1 && { count }) };
      if (to !== null) return { code: 'redirect', ...about, message: add, hint: to };
      return why === 'not-told'
        ? { code: 'address-changes', ...about, message: open }
        : { code: 'address-gone', ...about, message: gone };
    }),
    ...retaken.map((item): PlanNote => ({ code: 'address-retaken', item, message: taken })),
    ...unknown.map(
      (one): PlanNote => ({
        code: 'unread',
        item: one.title ?? one.id,
        message: `Could not read which addresses change: ${unreadWords(one)}`,
      }),
    ),
  ];
}

/** Redirects, each with those below it that lead to the same, or to the same below its target. */
function topmost(redirects: readonly Redirect[]): (Redirect & { count: number })[] {
  const tops: (Redirect & { count: number })[] = [];
  for (const one of redirects.toSorted((a, b) => a.from.length - b.from.length)) {
    const top = tops.find((each) => isBelow(one, each));
    if (top === undefined) tops.push({ ...one, count: 1 });
    else top.count += 1;
  }
  return tops;
}

function isBelow(one: Redirect, top: Redirect): boolean {
  if (one.why !== top.why || !isWithin(one.from, top.from)) return false;
  if (one.to === top.to) return true;
  if (one.to === null || top.to === null) return false;
  return bare(one.to) === bare(top.to) + bare(one.from).slice(bare(top.from).length);
}

/** The redirects that can be added, with a header. */
export function redirectRows({ redirects }: AddressChanges): (readonly string[])[] {
  return [['from', 'to'], ...redirects.flatMap(({ from, to }) => (to === null ? [] : [[from, to]]))];
}

/** What becomes of the published addresses of a site once its tree is that of a text. */

export interface AddressChanges {
  urls: readonly DeadUrl[];
  redirects: readonly Redirect[];
  /** Addresses from which no redirect can lead, since something else is at them afterwards. */
  retaken: readonly string[];
  unknown: readonly Unread[];
  dead: readonly Address[];
  living: readonly Address[];
}

/** Reads the pages of the spaces whose address changes. */
export async function addressChanges(
  reading: Reading,
  read: LiveSite,
  joined: Joined,
): Promise<AddressChanges> {
  const { fateOf } = new After(read, joined);
  const found = new Findings(reading, new Set(['urls']));
  const wants: Parameters<typeof addressesOf>[3] = (_, { id, section }) =>
    fateOf({ kind: 'site-space', siteSpace: id, ...(section !== undefined && { section }) }) !== 'stays';
  const all = await addressesOf(found, [read], pageReader(found), wants);
  tellDead(found, all, fateOf);
  const { urls, redirects, unknown } = found;
  const later = new Set(urls.flatMap(({ becomes }) => (becomes === undefined ? [] : [bare(becomes)])));
  const isRetaken = ({ from }: Redirect) => later.has(bare(from));
  const dead = all.filter((one) => fateOf(one) !== 'stays');
  return {
    urls,
    redirects: redirects.filter((one) => !isRetaken(one)),
    retaken: redirects.filter(isRetaken).map(({ from }) => from),
    unknown,
    dead,
    living: all.filter((one) => !dead.includes(one)),
  };
}

/** The links from other spaces to addresses that stop or change. Reads the links of every space. */
export async function brokenLinks(
  reading: Reading,
  { site: { id, title } }: LiveSite,
  { dead, living, urls, unknown }: AddressChanges,
): Promise<Summarized> {
  const found = new Findings(reading, new Set(['links']));
  await tellLinks(found, { dead, living });
  const things = [{ object: 'site' as const, id, title }];
  const none = { dependents: [], people: [], irreversible: [] };
  return { things, links: found.links, urls: [...urls], unknown: [...unknown, ...found.unknown], ...none };
}

type SiteItem = Pick<Address, 'kind' | 'siteSpace' | 'section'> & { url?: string };

/** Where everything is afterwards. */
class After {
  readonly #read: LiveSite;
  /** By the id that it has now. */
  readonly #lines: ReadonlyMap<string, TreeLine>;
  readonly #nodes: ReadonlyMap<string, TreeNode>;
  /** Whether the platform leaves the path of what opens first out of its address. */
  readonly #isShort: boolean;

  constructor(read: LiveSite, { items }: Joined) {
    this.#read = read;
    this.#lines = new Map([...items].map(([line, { id }]) => [id, line]));
    const nodes = [...flattened(treeOf(read).nodes)];
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#isShort = nodes.some(({ isDefault, url, path = '' }) => isDefault && !endsWith(url, path));
  }

  readonly fateOf = (address: SiteItem): Fate => {
    const id = (address.kind === 'section' ? address.section : address.siteSpace) ?? '';
    const node = this.#nodes.get(id);
    if (address.kind === 'site' || node === undefined) return 'stays';
    const line = this.#lines.get(id);
    if (line === undefined) return 'gone';
    if (this.#isShort && this.#opening(line) !== this.#opening(node, address.section)) return 'unknown';
    const section = this.#nodes.get(address.section ?? '');
    const before = [...new Set([section, node])].flatMap((one) => one?.path ?? []);
    const after = [line.parent, line].flatMap((one) => this.#pathOf(one) ?? []);
    if (same(before, after)) return 'stays';
    return this.#becomes(address, node.url, before, after);
  };

  /** Which of the two that make an address open first. */
  #opening({ isDefault, ...one }: TreeLine | TreeNode, section?: string): string {
    const around = 'line' in one ? one.parent : this.#nodes.get(section ?? '');
    return `${isDefault} ${around?.isDefault ?? false}`;
  }

  /** Undefined for groups, which have none; empty where the platform will choose it. */
  #pathOf(line: TreeLine | undefined): string | undefined {
    if (line === undefined || line.kind === 'group') return undefined;
    if (line.path !== undefined) return line.path;
    const own = [...this.#lines].find(([, one]) => one === line)?.[0];
    return this.#nodes.get(own ?? '')?.path ?? '';
  }

  #becomes({ url }: SiteItem, top: string | undefined, before: string[], after: string[]): Fate {
    const base = this.#read.site.urls?.published;
    if (base === undefined || after.includes('')) return 'unknown';
    const old = bare(before.reduce(below, base));
    const next = bare(after.reduce(below, base));
    if (bare(top ?? old) !== old || !(url ?? old).startsWith(old)) return 'unknown';
    return { becomes: next + (url ?? old).slice(old.length) };
  }
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, at) => path === other[at]);
}

/** Whether an address, where there is one, ends in a path. */
function endsWith(url: string | undefined, path: string): boolean {
  return url === undefined || bare(url).endsWith(bare(below('', path)));
}
