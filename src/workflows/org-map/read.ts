import {
  type SpaceSource,
  sourceLists,
  spaceListOperations,
  spacesIn,
} from '../../api/organization-spaces.js';
import { listPages } from '../../api/resources/content.js';
import type { Member } from '../../api/resources/members.js';
import { listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import type { Site } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';
import { listTeams } from '../../api/resources/teams.js';
import { defined } from '../../defined.js';
import { type Reading, unlessNotFound } from '../../reading/reading.js';
import type { GroupedSite } from '../../snapshot/organization.js';
import { hidden } from '../../snapshot/spaces.js';
import type { Found, Person } from './found.js';
import { type MapQuestion, MapReading } from './map-reading.js';
import type { MapPart } from './nodes.js';

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
  map.add([], { kind: 'organization', id: organizationId }, async () => {
    map.found.organization = await map.organization.settings();
  });
}

function readCollections(map: MapReading): void {
  const { organizationId } = map.reading;
  const { collections, inCollections } = map.found;
  map.add(['spaces'], { kind: 'collections', id: organizationId }, async () => {
    for await (const collection of map.organization.collections()) {
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
  map.add(['sites', 'spaces'], { kind: 'sites', id: organizationId }, async () => {
    for await (const site of map.organization.sites()) {
      if (sites.has(site.id)) continue;
      const own = { site, groups: [], sections: [], siteSpaces: [] };
      sites.set(site.id, own);
      readSite(map, own);
    }
  });
}

/** The lists of a site while they are read. */
type OpenSite = { [Part in keyof Omit<GroupedSite, 'site'>]: GroupedSite[Part][number][] } & { site: Site };

/** Adds the reads of a site: its spaces, and where it is to be drawn, its section groups and sections. */
function readSite(map: MapReading, { site: { id, title }, groups, sections, siteSpaces }: OpenSite): void {
  const site = map.organization.site(id);
  const source = { kind: 'site' as const, id, title };
  map.add(['sites', 'spaces'], source, () =>
    collect(site.siteSpaces(), siteSpaces, (own) => {
      if (own.space !== undefined) map.visit(own.space, 'site');
      else map.missed(['sites', 'spaces'], hidden(own, source));
    }),
  );
  if (!map.question.parts.has('sites')) return;
  map.add(['sites'], { ...source, kind: 'section-groups-of-site' }, () =>
    collect(site.groups(), groups).catch(unlessNotFound),
  );
  map.add(['sites'], { ...source, kind: 'sections-of-site' }, () =>
    collect(site.sections(), sections).catch(unlessNotFound),
  );
}

/** A list that changes while it is read may repeat an item: the last one counts. */
async function collect<T extends { id: string }>(
  list: AsyncIterable<T>,
  into: T[],
  also: (item: T) => void = () => {},
): Promise<void> {
  const places = new Map<string, number>();
  for await (const item of list) {
    const at = places.get(item.id) ?? into.length;
    places.set(item.id, at);
    into[at] = item;
    also(item);
  }
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
  read(map: MapReading): Promise<void>;
}

/** The parts that are one list each. */
const lists: Partial<Record<MapPart, OneList>> = {
  teams: {
    kind: 'teams-of',
    async read({ organization, found }) {
      for await (const team of organization.teams()) found.teams.set(team.id, team);
    },
  },
  people: {
    kind: 'members-of',
    async read({ organization, found, question }) {
      for await (const member of organization.members())
        found.people.set(member.id, personOf(member, question.people));
    },
  },
  openapi: {
    kind: 'OpenAPI-specs-of',
    async read({ organization, found }) {
      for await (const spec of organization.openApiSpecs()) found.specs.set(spec.id, spec);
    },
  },
  saml: {
    kind: 'SAML-providers-of',
    async read({ organization, found }) {
      for await (const one of organization.samlProviders()) found.providers.set(one.id, one);
    },
  },
};

function readLists(map: MapReading): void {
  const { organizationId } = map.reading;
  for (const part of map.question.parts) {
    const list = lists[part];
    if (list === undefined) continue;
    map.add([part], { kind: list.kind, id: organizationId }, () => list.read(map));
  }
}

/** A large organization has many people: where only roles are counted, nothing else is kept. */
function personOf({ role, user, lastSeenAt, disabled, spaces, teams }: Member, isWhole: boolean): Person {
  const own = { role: role ?? 'guest' };
  if (!isWhole) return own;
  const { displayName: name, email } = user;
  return { ...own, name, disabled, spaces, teams, ...defined({ email, lastSeenAt }) };
}
