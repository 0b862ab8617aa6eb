import {
  type SpaceSource,
  sourceLists,
  spaceListOperations,
  spacesIn,
} from '../../api/organization-spaces.js';
import { listCollections } from '../../api/resources/collections.js';
import { listPages } from '../../api/resources/content.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import { listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSites } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';
import { listTeams } from '../../api/resources/teams.js';
import { defined } from '../../defined.js';
import type { Reading } from '../../reading/reading.js';
import type { Found, Person } from './found.js';
import { type MapQuestion, MapReading } from './map-reading.js';
import type { MapPart } from './nodes.js';
import { readSite } from './read-site.js';

/** What is read, for the declaration of the command. */
export const mapOperations = [
  ...spaceListOperations,
  ...[getOrg, listSectionGroups, listSections, listTeams, listOpenApiSpecs, listSamlProviders, listPages],
];

/**
 * Reads the parts of an organization, as many at once as the reading says. What cannot be read is in `missing`.
 * @throws DocsError the failure of the organization where nothing at all could be read; as `readFailure`
 */
export async function readMap(reading: Reading, question: MapQuestion): Promise<Found> {
  const map = new MapReading(reading, question);
  readOrganization(map);
  const { parts } = question;
  if (parts.has('spaces')) readCollections(map);
  if (parts.has('spaces') || parts.has('sites')) readSites(map);
  if (parts.has('spaces')) readAdministrators(map);
  readLists(map);
  await map.ended();
  const { found } = map;
  const own = found.missing.find(({ unread }) => unread.kind === 'organization');
  // A platform that answers nothing is one failure, not seven.
  if (own !== undefined && isEmpty(found)) throw own.unread.error;
  return found;
}

function isEmpty(found: Found): boolean {
  return Object.values(found).every((value) => !(value instanceof Map) || value.size === 0);
}

function readOrganization(map: MapReading): void {
  const { organizationId } = map.reading;
  map.add([], { kind: 'organization', id: organizationId }, async ({ client }) => {
    map.found.organization = await client.call(getOrg, { path: { organizationId } });
  });
}

function readCollections(map: MapReading): void {
  const { organizationId } = map.reading;
  const { collections, inCollections } = map.found;
  map.add(['spaces'], { kind: 'collections', id: organizationId }, async ({ client }) => {
    const input = { path: { organizationId }, query: { nested: true } };
    for await (const collection of client.call(listCollections, input)) {
      const { id, title } = collection;
      if (collections.has(id)) continue;
      collections.set(id, collection);
      const ids: string[] = [];
      inCollections.set(id, ids);
      readSpacesIn(map, { kind: 'collection', id, title }, (space) => ids.push(space.id));
    }
  });
}

function readSites(map: MapReading): void {
  const { organizationId } = map.reading;
  const { sites } = map.found;
  map.add(['sites', 'spaces'], { kind: 'sites', id: organizationId }, async ({ client }) => {
    for await (const site of client.call(listSites, { path: { organizationId } })) {
      if (sites.has(site.id)) continue;
      const own = { site, groups: new Map(), sections: new Map(), siteSpaces: new Map() };
      sites.set(site.id, own);
      readSite(map, own);
    }
  });
}

/** Their lists hold the spaces that are in no collection and on no site. */
function readAdministrators(map: MapReading): void {
  const { organizationId } = map.reading;
  map.add(['spaces'], { kind: 'administrators', id: organizationId }, async ({ client }) => {
    for await (const admin of sourceLists.administrators(client, organizationId)) readSpacesIn(map, admin);
  });
}

function readSpacesIn(map: MapReading, source: SpaceSource, also: (space: Space) => void = () => {}): void {
  map.add(['spaces'], source, async ({ client, organizationId }) => {
    for await (const { items } of spacesIn(client, organizationId, source))
      for (const space of items) {
        map.visit(space, source.kind);
        also(space);
      }
  });
}

interface OneList {
  /** As in `teams of o1: …`. */
  kind: string;
  read(map: MapReading, path: { organizationId: string }): Promise<void>;
}

/** The parts that are one list each. */
const lists: Partial<Record<MapPart, OneList>> = {
  teams: {
    kind: 'teams-of',
    async read({ reading: { client }, found }, path) {
      for await (const team of client.call(listTeams, { path })) found.teams.set(team.id, team);
    },
  },
  people: {
    kind: 'members-of',
    async read({ reading: { client }, found, question }, path) {
      for await (const member of client.call(listMembers, { path }))
        found.people.set(member.id, personOf(member, question.people));
    },
  },
  openapi: {
    kind: 'OpenAPI-specs-of',
    async read({ reading: { client }, found }, path) {
      for await (const spec of client.call(listOpenApiSpecs, { path })) found.specs.set(spec.id, spec);
    },
  },
  saml: {
    kind: 'SAML-providers-of',
    async read({ reading: { client }, found }, path) {
      for await (const one of client.call(listSamlProviders, { path })) found.providers.set(one.id, one);
    },
  },
};

function readLists(map: MapReading): void {
  const { organizationId } = map.reading;
  for (const part of map.question.parts) {
    const list = lists[part];
    if (list === undefined) continue;
    map.add([part], { kind: list.kind, id: organizationId }, () => list.read(map, { organizationId }));
  }
}

/** A large organization has many people: where only roles are counted, nothing else is kept. */
function personOf({ role, user, lastSeenAt, disabled, spaces, teams }: Member, isWhole: boolean): Person {
  const own = { role: role ?? 'guest' };
  if (!isWhole) return own;
  const { displayName: name, email } = user;
  return { ...own, name, disabled, spaces, teams, ...defined({ email, lastSeenAt }) };
}
