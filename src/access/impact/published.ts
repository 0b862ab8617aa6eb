import { type ContentPage, listPages } from '../../api/resources/content.js';
import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import type { SiteContent } from '../../snapshot/organization.js';
import type { DeadUrl } from './change.js';
import type { Findings } from './findings.js';

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
      const path = { spaceId: id };
      const { pages: tree } = await found.reading.client.call(listPages, {
        path,
        query: { metadata: false },
      });
      return [...flattened(tree)];
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
        'The platform does not tell its published address.',
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
      ...(section !== undefined && { section: section.id }),
      ...(space !== undefined && { space: space.id }),
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
  return url.replace(/\/+$/, '');
}

/** Whether an address is another, or below it. */
export function isWithin(url: string, parent: string): boolean {
  const [one, other] = [bare(url), bare(parent)];
  return one === other || one.startsWith(`${other}/`);
}
