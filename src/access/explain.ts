import { getCollection } from '../api/resources/collections.js';
import { operations } from '../api/resources/index.js';
import { getMember, type Member } from '../api/resources/members.js';
import { getSite, type Site } from '../api/resources/sites.js';
import { getSpace } from '../api/resources/spaces.js';
import type { Role } from '../api/shapes.js';
import { DocsError } from '../base/errors.js';
import { idOf } from '../base/ids.js';
import { readAll } from '../jobs/sequence.js';
import { organization } from '../snapshot/organization.js';
import { type Reading, readPartly, type Unread, unreadWords } from '../snapshot/unread.js';
import {
  disabledWords,
  type LevelledResource,
  layersOf,
  siteWords,
  type Weighed,
  weigh,
  whyWords,
} from './layers.js';
import { rankOf } from './levels.js';
import { readSpacesOf, readTeamsOf } from './people.js';
import { type Audience, type Explanation, type Publication, refOf, resourceRef } from './person.js';
import { about, levelled, placeOf, readParents, type Structure } from './structure.js';

/** What role a person has in a space, in a collection or on a site, and why. */

/** The operations on a site and on what is in it, by id. */
const onSites = operations.filter(({ path }) => path === getSite.path || path.startsWith(`${getSite.path}/`));

/** Ids of the operations on a site that an organization role permits, as they are declared. */
function permitsOf(role: Role): string[] {
  return onSites.filter(({ needs }) => rankOf(needs) <= rankOf(role)).map(({ id }) => id);
}

/** How many there are. */
export const siteOperations = onSites.length;

export interface Resource {
  object: 'space' | 'collection' | 'site';
  id: string;
}

export interface Explained {
  explanation: Explanation;
  unread: Unread[];
}

/**
 * The role of a person in a space, in a collection or on a site, and why.
 * @param person the id of a member
 * @returns with what could not be read in `unread`
 * @throws DocsError where the person or the resource cannot be read; as `readFailure`
 */
export async function explainAccess(
  reading: Reading,
  person: string,
  resource: Resource,
): Promise<Explained> {
  const { client, organizationId } = reading;
  const member = await client.call(
    getMember,
    { path: { organizationId, userId: person } },
    about('member', person),
  );
  if (resource.object === 'site') return explainSite(reading, member, resource.id);
  if (resource.object === 'collection') return explainCollection(reading, member, resource.id);
  return explainSpace(reading, member, resource.id);
}

async function explainSpace(reading: Reading, member: Member, id: string): Promise<Explained> {
  const { spaces, unread: failed } = await readSpacesOf(reading, member, placeOf);
  const own = spaces.find(({ space }) => space.id === id);
  const place =
    own?.space ?? placeOf(await reading.client.call(getSpace, { path: { spaceId: id } }, about('space', id)));
  const unread: Unread[] = own === undefined && failed !== undefined ? [failed] : [];
  const role = own?.role ?? (failed === undefined ? null : 'unknown');
  const weighed = await weighPlace(reading, member, { ...place, object: 'space' }, { role, unread });
  const published = await publicationsOf(reading, id);
  unread.push(...published.unread);
  return explained(member, weighed, unread, { publications: published.publications });
}

async function explainCollection(reading: Reading, member: Member, id: string): Promise<Explained> {
  const collection = await reading.client.call(
    getCollection,
    { path: { collectionId: id } },
    about('collection', id),
  );
  const unread: Unread[] = [];
  const place = { ...levelled(collection), object: 'collection' as const };
  const weighed = await weighPlace(reading, member, place, { role: undefined, unread });
  return explained(member, weighed, unread, {});
}

/** Reads the collections around a place and, where a grant gives the role, the teams. */
async function weighPlace(
  reading: Reading,
  member: Member,
  place: LevelledResource,
  { role, unread }: { role: Weighed['role'] | undefined; unread: Unread[] },
): Promise<Weighed> {
  const around: Structure = { collections: new Map(), spaces: new Map(), unread };
  await readParents(reading, around, [place]);
  const weighed = weigh({ organizationRole: member.role, place, collections: around.collections, role });
  if (weighed.reason !== 'granted') return weighed;
  const { teams, unread: failed } = await readTeamsOf(reading, member);
  unread.push(...failed);
  return failed.length > 0 ? weighed : { ...weighed, teams: teams.map(resourceRef) };
}

function explained(
  member: Member,
  weighed: Weighed,
  unread: Unread[],
  more: Pick<Explanation, 'publications'>,
): Explained {
  const { place, role, atLeast, reason, teams } = weighed;
  const explanation: Explanation = {
    person: personOf(member),
    resource: { object: place.object, ...resourceRef(place) },
    role,
    atLeast,
    reason,
    why: [whyWords(weighed), disabledWords(member)].filter(Boolean).join(' '),
    layers: layersOf(weighed),
    ...(teams !== undefined && { teams: [...teams] }),
    ...more,
    notRead: unread.map(unreadWords),
  };
  return { explanation, unread };
}

async function explainSite(reading: Reading, member: Member, id: string): Promise<Explained> {
  const { client, organizationId } = reading;
  const site = await client.call(getSite, { path: { organizationId, siteId: id } }, about('site', id));
  const { role } = member;
  const why = [siteWords(role), disabledWords(member)].filter(Boolean).join(' ');
  const explanation: Explanation = {
    person: personOf(member),
    resource: { object: 'site', ...resourceRef(site) },
    role,
    atLeast: false,
    reason: role === 'admin' ? 'admin' : role === null ? 'none' : 'default',
    why,
    layers: [{ layer: 'organization-role', role, decides: true, shadowed: false, why: 'decides on sites' }],
    audience: audienceOf(site),
    ...(role !== null && { permits: permitsOf(role) }),
    notRead: [],
  };
  return { explanation, unread: [] };
}

function personOf(member: Member): Explanation['person'] {
  return { ...refOf(member), role: member.role, disabled: member.disabled };
}

/** Who can read what a site shows: by the visibility of the site, and by conditions on spaces and sections. */

const readersBy: Readonly<Record<Site['visibility'], string>> = {
  public: 'anyone, and search engines may index it',
  unlisted: 'anyone with the address; search engines do not index it',
  'share-link': 'anyone with a share link',
  'visitor-auth': 'visitors whom its visitor authentication lets in',
};

/** @param place where on the site, with the conditions of the space and of its section; default: the whole site */
function audienceOf(
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
    readers: published ? readers : 'no one, because the site is not published',
  };
}

/** The places of a space on sites. What could not be read is in `unread`. @throws DocsError as `readFailure` */
async function publicationsOf(
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
    return { site: resourceRef(site), siteSpace, ...audienceOf(site, { url: urls?.published, conditions }) };
  });
  return { publications, unread };
}

function hidden(): DocsError {
  return new DocsError('forbidden', 'hidden_space', 'the site shows spaces that this token cannot see');
}
