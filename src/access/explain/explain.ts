import { getCollection } from '../../api/resources/collections.js';
import { getMember, type Member } from '../../api/resources/members.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import type { Reading, Unread } from '../../reading/reading.js';
import { unreadWords } from '../../reading/reading.js';
import { placeRef, refOf } from '../pair.js';
import { about } from '../read/about.js';
import { readSpacesOf } from '../read/people.js';
import { levelled, placeOf, readParents, type Structure } from '../read/structure.js';
import { readTeamsOf } from '../read/teams.js';
import { type Place, type Weighed, weigh } from '../weigh.js';
import { audienceOf, publicationsOf } from './audience.js';
import type { Explanation } from './explanation.js';
import { layersOf } from './layers.js';
import { permitsOf } from './site-permits.js';
import { disabledWords, siteWords, whyWords } from './why-words.js';

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
  place: Place,
  { role, unread }: { role: Weighed['role'] | undefined; unread: Unread[] },
): Promise<Weighed> {
  const around: Structure = { collections: new Map(), spaces: new Map(), unread };
  await readParents(reading, around, [place]);
  const weighed = weigh({ organizationRole: member.role, place, collections: around.collections, role });
  if (weighed.reason !== 'granted') return weighed;
  const { teams, unread: failed } = await readTeamsOf(reading, member);
  unread.push(...failed);
  return failed.length > 0 ? weighed : { ...weighed, teams: teams.map(placeRef) };
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
    resource: { object: place.object, ...placeRef(place) },
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
    resource: { object: 'site', ...placeRef(site) },
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
