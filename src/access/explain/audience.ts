import type { Site } from '../../api/resources/sites.js';
import { idOf } from '../../api/shapes.js';
import { DocsError } from '../../base/errors.js';
import { readAll } from '../../jobs/in-order.js';
import type { Reading, Unread } from '../../reading/reading.js';
import { readPartly } from '../../snapshot/lists.js';
import { organization } from '../../snapshot/organization.js';
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
  const what = { kind: 'sites', id: reading.organizationId };
  const sites = organization(reading).sites({ space: spaceId });
  const { items, unread } = await readPartly(sites, reading, what);
  const found = await readAll(reading, items, (site) => onSite(reading, site, spaceId));
  for (const one of found) unread.push(...one.unread);
  return { publications: found.flatMap((one) => one.publications), unread };
}

async function onSite(
  reading: Reading,
  site: Site,
  spaceId: string,
): Promise<{ publications: Publication[]; unread: Unread[] }> {
  const { id, title } = site;
  const lists = organization(reading).site(id);
  const what = { kind: 'site-spaces', id, title };
  const { items, unread } = await readPartly(lists.siteSpaces(), reading, what);
  const places = items.filter(({ space }) => idOf(space) === spaceId);
  if (unread.length === 0 && places.length === 0 && items.some(({ space }) => space === undefined))
    unread.push({ ...what, error: hidden() });
  const sections = new Map<string, string | undefined>();
  if (places.some(({ section }) => section !== undefined)) {
    const listed = await readPartly(lists.sections(), reading, { ...what, kind: 'sections' });
    for (const one of listed.items) sections.set(one.id, one.condition);
    unread.push(...listed.unread);
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
