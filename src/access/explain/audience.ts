import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces, type SiteSpace } from '../../api/resources/site-spaces.js';
import { listSites, type Site } from '../../api/resources/sites.js';
import { idOf } from '../../api/shapes.js';
import { DocsError } from '../../errors.js';
import { readAll } from '../../jobs/in-order.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import { placeRef } from '../pair.js';
import type { Audience, Publication } from './explanation.js';

/** Who can read what a site shows: by the visibility of the site, and by conditions on spaces and sections. */

const readersBy: Readonly<Record<Site['visibility'], string>> = {
  public: 'anyone, and search engines may index it',
  unlisted: 'anyone with the address; search engines do not index it',
  'share-link': 'anyone with a share link',
  'visitor-auth': 'visitors whom its visitor authentication lets in',
};

/** @param place where on the site, with the conditions of the space and of its section; default: the whole site */
export function audienceOf(
  site: Site,
  place: { url: string | undefined; conditions: string[] } = { url: site.urls?.published, conditions: [] },
): Audience {
  const { published, visibility } = site;
  const named: string | undefined = readersBy[visibility];
  const readers = named ?? `those whom the visibility ${visibility} lets in`;
  return {
    published,
    visibility,
    url: place.url ?? null,
    conditions: place.conditions,
    readers: published ? readers : 'nobody, as the site is not published',
  };
}

/** The places of a space on sites. What could not be read is in `unread`. @throws DocsError as `readFailure` */
export async function publicationsOf(
  reading: Reading,
  spaceId: string,
): Promise<{ publications: Publication[]; unread: Unread[] }> {
  const { client, organizationId, signal } = reading;
  const [sites, unread]: [Site[], Unread[]] = [[], []];
  try {
    const query = { space: spaceId };
    for await (const site of client.call(listSites, { path: { organizationId }, query })) sites.push(site);
  } catch (cause) {
    unread.push(unreadOf(cause, signal, { kind: 'sites', id: organizationId }));
  }
  const found = await readAll(reading, sites, (site) => onSite(reading, site, spaceId));
  for (const one of found) unread.push(...one.unread);
  return { publications: found.flatMap((one) => one.publications), unread };
}

async function onSite(
  { client, organizationId, signal }: Reading,
  site: Site,
  spaceId: string,
): Promise<{ publications: Publication[]; unread: Unread[] }> {
  const path = { organizationId, siteId: site.id };
  const { id, title } = site;
  const places: SiteSpace[] = [];
  const sections = new Map<string, string | undefined>();
  const unread: Unread[] = [];
  let isHidden = false;
  try {
    for await (const place of client.call(listSiteSpaces, { path })) {
      if (idOf(place.space) === spaceId) places.push(place);
      isHidden ||= place.space === undefined;
    }
    if (isHidden && places.length === 0) throw hidden();
  } catch (cause) {
    unread.push(unreadOf(cause, signal, { kind: 'site-spaces', id, title }));
  }
  if (places.some(({ section }) => section !== undefined))
    try {
      for await (const one of client.call(listSections, { path })) sections.set(one.id, one.condition);
    } catch (cause) {
      unread.push(unreadOf(cause, signal, { kind: 'sections', id, title }));
    }
  const publications = places.map(({ id: siteSpace, section = '', condition, urls }) => {
    const conditions = [sections.get(section), condition].filter((one) => one !== undefined);
    return { site: placeRef(site), siteSpace, ...audienceOf(site, { url: urls?.published, conditions }) };
  });
  return { publications, unread };
}

function hidden(): DocsError {
  return new DocsError('forbidden', 'hidden_space', 'The site shows spaces that this token cannot see.');
}
