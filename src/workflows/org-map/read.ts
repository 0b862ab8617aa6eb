import { type SpaceSource, spaceListOperations } from '../../api/organization-spaces.js';
import { listPages } from '../../api/resources/content.js';
import type { Member } from '../../api/resources/members.js';
import { listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups, listSections } from '../../api/resources/sections.js';
import type { Site } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';
import { listTeams } from '../../api/resources/teams.js';
import { defined } from '../../base/values.js';
import { type GroupedSite, type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { hidden, SpaceWalk } from '../../snapshot/spaces.js';
import { Tasks } from '../../snapshot/tasks.js';
import { type Reading, readPartly, type Unread, unlessNotFound, unreadOf } from '../../snapshot/unread.js';
import { type Found, nothingFound, type Person } from './found.js';
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
  const walk = parts.has('spaces') ? map.walk() : undefined;
  if (parts.has('spaces') || parts.has('sites')) readSites(map);
  readLists(map);
  await map.ended();
  if (walk !== undefined) await keepSpaces(map, walk);
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

/** What the lists that have spaces gave, once they are read. What sites lack is told with them. */
async function keepSpaces(map: MapReading, walk: SpaceWalk<void>): Promise<void> {
  const { found, reading, organization } = map;
  // The walk has read the list, and tells where it failed.
  const what = { kind: 'collections', id: reading.organizationId };
  const { items } = await readPartly(organization.collections(), reading, what);
  for (const one of items) if (!found.collections.has(one.id)) found.collections.set(one.id, one);
  for (const { source, spaces } of walk.lists)
    if (source.kind === 'collection') found.inCollections.set(source.id, [...spaces.keys()]);
  for (const unread of walk.unread)
    if (!['sites', 'site', 'site-space'].includes(unread.kind)) map.missed(['spaces'], unread);
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
      if (own.space === undefined) map.missed(['sites', 'spaces'], hidden(own, source));
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

interface MapQuestion {
  parts: ReadonlySet<MapPart>;
  /** Whether the pages of each space are counted: one request more for each. */
  pages: boolean;
  /** Whether names and emails of members are kept. */
  people: boolean;
}

/** The lists that have spaces, those that tell most of them first. */
const sourceRanks = { collection: 0, site: 1, member: 2 } as const;

/** What is under way, and what was found so far. */
class MapReading {
  readonly reading: Reading;
  readonly organization: OrganizationSnapshot;
  readonly question: MapQuestion;
  readonly found: Found;
  readonly #tasks: Tasks;
  readonly #ranks = new Map<string, number>();

  constructor(reading: Reading, question: MapQuestion) {
    this.reading = reading;
    this.organization = organization(reading);
    this.question = question;
    this.found = nothingFound(reading.organizationId);
    this.#tasks = new Tasks(reading.concurrency);
  }

  /** @throws as `readFailure` */
  ended(): Promise<void> {
    return this.#tasks.ended();
  }

  /**
   * Adds a read whose failure is reported.
   * @param parts what lacks it then, as far as it is asked for
   */
  add(
    parts: readonly MapPart[],
    what: Omit<Unread, 'error'>,
    read: (reading: Reading) => Promise<void>,
    isUrgent = true,
  ): void {
    this.#tasks.add(async () => {
      try {
        await read(this.reading);
      } catch (cause) {
        this.missed(parts, unreadOf(cause, this.reading.signal, what));
      }
    }, isUrgent);
  }

  missed(parts: readonly MapPart[], unread: Unread, node = unread.id): void {
    const own = parts.filter((part) => this.question.parts.has(part));
    const isNode = node !== this.reading.organizationId;
    this.found.missing.push({ parts: own, ...(isNode && { node }), unread });
  }

  /** Adds the reads of all lists that have spaces. What they list is held in any case, so it is read once. */
  walk(): SpaceWalk<void> {
    const { organization: whole, reading } = this;
    const keep = (space: Space, { kind }: SpaceSource) => this.#visit(space, kind);
    return new SpaceWalk({ ...reading, client: whole.client }, this.#tasks, keep, whole).begin();
  }

  /** Keeps a space that a list has, and counts its pages where that is asked for. */
  #visit(space: Space, from: SpaceSource['kind']): void {
    const { spaces } = this.found;
    const known = this.#ranks.get(space.id);
    const rank = sourceRanks[from];
    if (known === undefined || rank < known) {
      spaces.set(space.id, space);
      this.#ranks.set(space.id, rank);
    }
    if (known === undefined && this.question.pages && this.question.parts.has('spaces')) this.#count(space);
  }

  #count({ id, title }: Space): void {
    const read = async ({ client }: Reading) => {
      const { pages } = await client.call(listPages, { path: { spaceId: id } });
      this.found.pages.set(id, countPages(pages));
    };
    this.add(['spaces'], { kind: 'pages-of-space', id, title }, read, false);
  }
}

interface Tree {
  pages?: readonly Tree[];
}

/** Pages at all depths. A stack, because a tree may be deeper than the call stack. */
function countPages(roots: readonly Tree[]): number {
  let count = 0;
  const waiting = [...roots];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    count += 1;
    for (const below of page.pages ?? []) waiting.push(below);
  }
  return count;
}
