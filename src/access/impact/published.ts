import { type ContentPage, listPages } from '../../api/resources/content.js';
import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { getSpace, type Space } from '../../api/resources/spaces.js';
import { withoutFinalSlashes } from '../../base/characters.js';
import { groupBy } from '../../base/values.js';
import { readAll } from '../../jobs/sequence.js';
import type { SiteContent } from '../../snapshot/organization.js';
import { unreadOf } from '../../snapshot/unread.js';
import { readInbound } from '../links/inbound.js';
import { pagesOf } from '../links/read-links.js';
import type { Findings } from './findings.js';
import type { DeadUrl, ImpactLink, Redirect } from './shapes.js';

/** What a site publishes: its sections, its spaces, and the address of each page. */

/** A published address, and what it stands on. */
export interface Address extends Omit<DeadUrl, 'becomes'> {
  /** Who can read it: the visibility of the site, or of the space. */
  visibility: string;
  section?: string;
  siteSpace?: string;
  space?: string;
  page?: string;
}

/** The pages of a space, read once however many sites publish it; undefined where they could not be read. */
export type PagesOf = (spaceId: string) => Promise<readonly ContentPage[] | undefined>;

/** Reads the pages of spaces, each space once. What cannot be read counts as unknown. */
export function pageReader(found: Findings): PagesOf {
  const read = new Map<string, Promise<readonly ContentPage[] | undefined>>();
  return (id) => {
    const known = read.get(id);
    if (known !== undefined) return known;
    const pages = found.attempt({ kind: 'pages', id, space: id }, async () => {
      const input = { path: { spaceId: id }, query: { metadata: false } };
      return [...flattened((await found.reading.client.call(listPages, input)).pages)];
    });
    read.set(id, pages);
    return pages;
  };
}

function* flattened(pages: readonly ContentPage[]): Generator<ContentPage> {
  for (const page of pages) {
    yield page;
    yield* flattened(page.pages ?? []);
  }
}

/**
 * All published addresses of sites: of the site, its sections, its spaces and their pages, hidden pages included,
 * which readers reach by their address. A site that is not published has none.
 * @param wants which site spaces the pages are read of
 */
export async function addressesOf(
  found: Findings,
  all: readonly SiteContent[],
  pagesOf: PagesOf,
  wants: (parts: SiteContent, siteSpace: SiteSpace) => boolean,
): Promise<Address[]> {
  const published = all.filter(({ site }) => site.published);
  const lists = await readAll(found.reading, published, async (parts) => {
    const { site, siteSpaces } = parts;
    const outer = outerAddresses(parts);
    if (outer === undefined) {
      found.cannotTell(
        { kind: 'site', id: site.id, title: site.title },
        'address_unknown',
        'The platform does not show its published address.',
      );
      return [];
    }
    const inner = await readAll(found.reading, siteSpaces, async (siteSpace) => {
      const at = outer.find((address) => address.siteSpace === siteSpace.id && address.kind === 'site-space');
      return at === undefined || !wants(parts, siteSpace) ? [] : pageAddresses(found, at, siteSpace, pagesOf);
    });
    return [...outer, ...inner.flat()];
  });
  return lists.flat();
}

/** The addresses of site, sections and site spaces; undefined where the platform does not tell the first. */
function outerAddresses({ site, sections, siteSpaces }: SiteContent): Address[] | undefined {
  const base = site.urls?.published;
  if (base === undefined) return undefined;
  const { visibility } = site;
  const of = { site: site.id, visibility };
  const addresses: Address[] = [{ ...of, url: base, kind: 'site', title: site.title }];
  const sectionUrl = (section: SiteSection) => section.urls?.published ?? below(base, section.path);
  for (const section of sections) {
    const { id, title } = section;
    addresses.push({ ...of, url: sectionUrl(section), kind: 'section', title, section: id });
  }
  for (const { id, title, path, section: inSection, space, urls } of siteSpaces) {
    const section = sections.find((one) => one.id === inSection);
    const url = urls?.published ?? below(section === undefined ? base : sectionUrl(section), path);
    addresses.push({
      ...of,
      url,
      kind: 'site-space',
      title,
      siteSpace: id,
      section: section?.id,
      space: space?.id,
    });
  }
  return addresses;
}

async function pageAddresses(
  found: Findings,
  at: Address,
  siteSpace: SiteSpace,
  pagesOf: PagesOf,
): Promise<Address[]> {
  const { space, id, title } = siteSpace;
  if (space === undefined) {
    const message = `Site ${at.site ?? ''} lists a space that this token cannot see.`;
    found.cannotTell({ kind: 'site-space', id, title }, 'hidden_space', message);
    return [];
  }
  return pagesBelow(at, space.id, pagesOf);
}

/** The public address that a space has without a site, and those of its pages. */
export async function publicAddresses(
  found: Findings,
  { id, title, visibility, urls }: Space,
  pagesOf: PagesOf,
): Promise<Address[]> {
  const url = urls?.public;
  if (url === undefined) return [];
  const at: Address = { url, kind: 'space', title, visibility, space: id };
  return found.wants('urls') ? [at, ...(await pagesBelow(at, id, pagesOf))] : [at];
}

async function pagesBelow(at: Address, spaceId: string, pagesOf: PagesOf): Promise<Address[]> {
  const pages = (await pagesOf(spaceId)) ?? [];
  // Groups and links to elsewhere have no address of their own.
  const own = pages.filter(({ type, path }) => !['group', 'link'].includes(type) && path !== undefined);
  return own.map((page) => ({
    ...at,
    kind: 'page',
    url: below(at.url, page.path ?? '').replace(/\/$/, ''),
    title: page.title,
    page: page.id,
  }));
}

/** The address below another, each segment of the path encoded, ending in a slash. */
export function below(base: string, path: string): string {
  const start = base.endsWith('/') ? base : `${base}/`;
  const segments = path.split('/').filter((segment) => segment !== '');
  return start + segments.map((segment) => `${encodeURIComponent(segment)}/`).join('');
}

/** An address without its last slash, as links and redirects compare it. */
export function bare(url: string): string {
  return withoutFinalSlashes(url);
}

/** Whether an address is another, or below it. */
export function isWithin(url: string, parent: string): boolean {
  const [one, other] = [bare(url), bare(parent)];
  return one === other || one.startsWith(`${other}/`);
}

/** What becomes of published addresses: which stop, which become others, and where their readers should go. */

/** `stays`, `gone`, or what the address becomes; `unknown` where it changes and nobody can tell into what. */
export type Fate = 'stays' | 'gone' | 'unknown' | { becomes: string };

/**
 * Tells the dead addresses, and a redirect for each. An address that several things share dies with the last.
 * @param all every address of the sites in question
 */
export function tellDead(found: Findings, all: readonly Address[], fateOf: (address: Address) => Fate): void {
  const fates = all.map((address) => ({ address, fate: fateOf(address) }));
  const living = fates.filter(({ fate }) => fate === 'stays').map(({ address }) => address);
  const stays = new Set(living.map(({ url }) => bare(url)));
  const places = placesIn(living);
  const told = new Set<string>();
  for (const { address, fate } of fates) {
    const key = bare(address.url);
    if (fate === 'stays' || stays.has(key) || told.has(key)) continue;
    told.add(key);
    const { url, kind, title } = address;
    const of = { url, kind, title, site: address.site };
    if (fate === 'unknown') {
      found.urls.push(of);
      found.redirects.push({ from: url, to: null, why: 'not-told' });
    } else if (fate === 'gone') {
      found.urls.push(of);
      found.redirects.push(redirectOf(address, places));
    } else {
      found.urls.push({ ...of, becomes: fate.becomes });
      found.redirects.push({ from: url, to: fate.becomes, why: 'moved' });
    }
  }
}

/** What is left to go to: by site, the addresses that show content; and every page on every site. */
interface Places {
  bySite: ReadonlyMap<string | undefined, Address[]>;
  byPage: ReadonlyMap<string | undefined, Address[]>;
}

function placesIn(living: readonly Address[]): Places {
  const spaces = living.filter(({ kind }) => kind === 'site-space');
  const [sites, sections] = [
    new Set(spaces.map(({ site }) => site)),
    new Set(spaces.map(({ section }) => section)),
  ];
  const hasContent = ({ kind, site, section }: Address) =>
    kind === 'page' || (kind === 'site' ? sites.has(site) : sections.has(section));
  const shown = living.filter(hasContent);
  const onSites = shown.filter(({ kind, site }) => kind !== 'page' && site !== undefined);
  return { bySite: groupBy(onSites, ({ site }) => site), byPage: groupBy(shown, contentOf) };
}

function contentOf({ space, page }: Address): string | undefined {
  return space === undefined ? undefined : `${space} ${page ?? ''}`;
}

function redirectOf(address: Address, { bySite, byPage }: Places): Redirect {
  const from = address.url;
  const content = contentOf(address);
  const same = content === undefined ? [] : (byPage.get(content) ?? []);
  // Another audience may not be let in.
  const elsewhere = same.find(({ visibility }) => visibility === address.visibility);
  if (elsewhere !== undefined) return { from, to: elsewhere.url, why: 'elsewhere' };
  const parents = (bySite.get(address.site) ?? []).filter(({ url }) => isWithin(from, url));
  const nearest = parents.sort((a, b) => b.url.length - a.url.length)[0];
  return nearest === undefined
    ? { from, to: null, why: 'nothing-left' }
    : { from, to: nearest.url, why: 'parent' };
}

/** What links are looked for: to anything in these spaces, and to addresses that stop. */
interface Dying {
  spaces?: ReadonlySet<string>;
  dead: readonly Address[];
  living: readonly Address[];
}

/** Tells the links from elsewhere that break, but those that are broken already. Reads the links of every space. */
export async function tellLinks(found: Findings, { spaces, dead, living }: Dying): Promise<void> {
  const addresses = topmost(dead.map(({ url }) => bare(url)));
  if ((spaces === undefined || spaces.size === 0) && addresses.length === 0) return;
  const around = new Set(addresses);
  const otherAddresses = living.map(({ url }) => bare(url)).filter((url) => !around.has(url));
  const wanted = { spaces, addresses, otherAddresses };
  const { links, unread } = await readInbound(found.reading, wanted, { onSpace: found.onSpace });
  found.unknown.push(...unread);
  const breaking = links.filter(({ status }) => status !== 'broken');
  found.links.push(...(await withTitles(found, breaking)));
}

/**
 * Links with the titles of the pages and spaces that they lead to; the pages of each space are read once. Where a
 * title cannot be read, the ids say what is meant, so nothing counts as unknown.
 * @throws as `readFailure`
 */
export async function withTitles(
  { reading, things }: Findings,
  links: readonly ImpactLink[],
): Promise<ImpactLink[]> {
  const known = new Map(things.map(({ id, title }) => [id, title]));
  const ids = new Set(links.flatMap(({ to: { space } }) => space ?? []));
  const paged = new Set(
    links.flatMap(({ to: { space, page } }) => (page === undefined ? [] : (space ?? []))),
  );
  const read = await readAll(reading, [...ids], async (id) => {
    const title = known.get(id) ?? (await titleOf(reading, id));
    return [id, { title, pages: paged.has(id) ? await pagesOf(reading, id) : undefined }] as const;
  });
  const spaces = new Map(read);
  return links.map((link) => {
    const { space = '', page = '' } = link.to;
    const { title: spaceTitle, pages } = spaces.get(space) ?? {};
    return { ...link, to: { ...link.to, title: pages?.get(page)?.title, spaceTitle } };
  });
}

async function titleOf({ client, signal }: Findings['reading'], id: string): Promise<string | undefined> {
  try {
    return (await client.call(getSpace, { path: { spaceId: id } })).title;
  } catch (cause) {
    unreadOf(cause, signal, { kind: 'space', id });
    return undefined;
  }
}

/** Without addresses below others: a link to them begins with the upper one, too. */
function topmost(addresses: readonly string[]): string[] {
  const tops: string[] = [];
  for (const one of [...new Set(addresses)].sort((a, b) => a.length - b.length))
    if (!tops.some((top) => isWithin(one, top))) tops.push(one);
  return tops;
}
