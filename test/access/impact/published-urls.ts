import { type ContentPage, listPages } from '../../../src/api/resources/content.js';
import { listSections } from '../../../src/api/resources/sections.js';
import { listSiteSpaces } from '../../../src/api/resources/site-spaces.js';
import { listSites } from '../../../src/api/resources/sites.js';
import { getSpace } from '../../../src/api/resources/spaces.js';
import type { Client } from '../../sandbox/client.js';

/**
 * Every address that the platform publishes, without its last slash: of sites, sections, spaces and pages, and the
 * public addresses of spaces. Read with no code of the impact.
 * @param pagesOf the paths of the pages of a space, read once
 * @param spaces ids of spaces that may be public; those that are gone are left out
 */
export async function publishedUrls(
  client: Client,
  organizationId: string,
  spaces: readonly string[],
  pagesOf = new Map<string, string[]>(),
): Promise<Set<string>> {
  const urls = new Set<string>();
  const add = (url: string | undefined) => url !== undefined && urls.add(url.replace(/\/$/, ''));
  const addSpace = async (spaceId: string, url: string | undefined) => {
    if (url === undefined) return;
    add(url);
    const paths = pagesOf.get(spaceId) ?? pathsOf((await client.ok(listPages, { path: { spaceId } })).pages);
    pagesOf.set(spaceId, paths);
    for (const path of paths) add(url + path);
  };
  for (const { id: siteId, visibility, urls: own } of await client.all(listSites, {
    path: { organizationId },
  })) {
    add(own?.published);
    const path = { organizationId, siteId };
    // The address of such a site ends in its key.
    const shareKey = visibility === 'share-link' ? own?.published?.split('/').at(-2) : undefined;
    const query = shareKey === undefined ? {} : { shareKey };
    for (const section of await client.all(listSections, { path, query })) add(section.urls?.published);
    for (const { space, urls: at } of await client.all(listSiteSpaces, { path, query }))
      await addSpace(space?.id ?? '', at?.published);
  }
  for (const spaceId of spaces) {
    const response = await client.send('GET', `/v1/spaces/${spaceId}`);
    if (response.status === 404) continue;
    const space = await client.ok(getSpace, { path: { spaceId } });
    await addSpace(spaceId, space.urls?.public);
  }
  return urls;
}

function pathsOf(pages: readonly ContentPage[]): string[] {
  return pages.flatMap(({ path = '', pages: below = [] }) => [path, ...pathsOf(below)]);
}

/** What is in the first and not in the second, sorted. */
export function missing(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...before].filter((url) => !after.has(url)).sort();
}

/** The addresses that an impact lists, as `publishedUrls` writes them. */
export function listed(urls: readonly { url: string }[]): string[] {
  return urls.map(({ url }) => url.replace(/\/$/, '')).sort();
}
