import { type SpaceSource, spaceListOperations } from '../api/organization-spaces.js';
import type { Collection } from '../api/resources/collections.js';
import { listPages } from '../api/resources/content.js';
import type { Member } from '../api/resources/members.js';
import { listOpenApiSpecs, type OpenApiSpec } from '../api/resources/openapi.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import { listSamlProviders, type SamlProvider } from '../api/resources/saml.js';
import { listSectionGroups, listSections } from '../api/resources/sections.js';
import type { Site } from '../api/resources/sites.js';
import type { Space } from '../api/resources/spaces.js';
import { listTeams, type Team } from '../api/resources/teams.js';
import { type GroupedSite, type OrganizationSnapshot, organization } from './organization.js';
import { hidden, SpaceWalk } from './spaces.js';
import { Tasks } from './tasks.js';
import { type Reading, readPartly, type Unread, unlessNotFound, unreadOf } from './unread.js';

/** What was read of an organization for its map. Everything is by id: a list that changes may repeat an item. */
export interface OrganizationParts {
  organizationId: string;
  organization?: Organization;
  /** In the order of the platform. */
  collections: Map<string, Collection>;
  /** Lists may differ in what they tell of a space: each is as a collection has it, else a site, else a member. */
  spaces: Map<string, Space>;
  /** Ids of the spaces in each collection whose list was asked for, in its order. */
  inCollections: Map<string, string[]>;
  sites: Map<string, GroupedSite>;
  teams: Map<string, Team>;
  people: Map<string, Person>;
  specs: Map<string, OpenApiSpec>;
  providers: Map<string, SamlProvider>;
  /** Of each space that was asked. */
  pages: Map<string, number>;
  missing: UnreadPart[];
  /** The lists that have spaces, as far as they were read. */
  walk?: Pick<SpaceWalk<void>, 'order' | 'unread'>;
}

/** What a report lists of a member; the map itself counts roles. */
export interface Person extends Partial<Pick<Member, 'lastSeenAt' | 'disabled' | 'spaces' | 'teams'>> {
  role: string;
  name?: string;
  email?: string;
}

/** Something that could not be read. */
export interface UnreadPart {
  /** The parts that lack it; none where it is the organization itself. */
  parts: readonly MapPart[];
  /** Id of the node that lacks it, where it is a part of one. */
  node?: string;
  unread: Unread;
}

export function nothingRead(organizationId: string): OrganizationParts {
  return {
    organizationId,
    ...{ collections: new Map(), spaces: new Map(), inCollections: new Map(), sites: new Map() },
    ...{ teams: new Map(), people: new Map(), specs: new Map(), providers: new Map(), pages: new Map() },
    missing: [],
  };
}

/** What is read, for the declaration of the command. */
export const mapOperations = [
  ...spaceListOperations,
  ...[getOrg, listSectionGroups, listSections, listTeams, listOpenApiSpecs, listSamlProviders, listPages],
];

/**
 * Reads the parts of an organization, as many at once as the reading says. What cannot be read is in `missing`.
 * @throws DocsError the failure of the organization where nothing at all could be read; as `readFailure`
 */
export async function readMap(
  reading: Reading,
  question: MapQuestion,
  tasks = new Tasks(reading.concurrency),
): Promise<OrganizationParts> {
  const map = new MapReading(reading, question, tasks);
  readOrganization(map);
  const { parts } = question;
  const walk = parts.has('spaces') ? map.walk() : undefined;
  if (parts.has('spaces') || parts.has('sites')) readSites(map);
  readLists(map);
  await map.ended();
  if (walk !== undefined) await keepSpaces(map, walk);
  map.found.walk = walk;
  const { found } = map;
  const own = found.missing.find(({ unread }) => unread.kind === 'organization');
  // A platform that answers nothing is one failure, not seven.
  if (own !== undefined && isEmpty(found)) throw own.unread.error;
  return found;
}

function isEmpty(found: OrganizationParts): boolean {
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

/** The parts that are one list each, by what an error calls it: `teams of o1: …`. */
const lists: Partial<Record<MapPart, { kind: string; read(map: MapReading): Promise<void> }>> = {
  teams: {
    kind: 'teams-of',
    read: ({ organization, found }) => collectById(organization.teams(), found.teams),
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
    read: ({ organization, found }) => collectById(organization.openApiSpecs(), found.specs),
  },
  saml: {
    kind: 'SAML-providers-of',
    read: ({ organization, found }) => collectById(organization.samlProviders(), found.providers),
  },
};

async function collectById<T extends { id: string }>(
  list: AsyncIterable<T>,
  into: Map<string, T>,
): Promise<void> {
  for await (const item of list) into.set(item.id, item);
}

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
  return { ...own, name, disabled, spaces, teams, email, lastSeenAt };
}

interface MapQuestion {
  parts: ReadonlySet<MapPart>;
  /** Whether the pages of each space are counted: one request more for each. */
  pages: boolean;
  /** Whether names and emails of members are kept. */
  people: boolean;
  /** Called with each space of each list, so several times with some. */
  onSpace?(space: Space): void;
}

/** The lists that have spaces, those that tell most of them first. */
const sourceRanks = { collection: 0, site: 1, member: 2 } as const;

/** What is under way, and what was found so far. */
class MapReading {
  readonly reading: Reading;
  readonly organization: OrganizationSnapshot;
  readonly question: MapQuestion;
  readonly found: OrganizationParts;
  readonly #tasks: Tasks;
  readonly #ranks = new Map<string, number>();

  constructor(reading: Reading, question: MapQuestion, tasks: Tasks) {
    this.reading = reading;
    this.organization = organization(reading);
    this.question = question;
    this.found = nothingRead(reading.organizationId);
    this.#tasks = tasks;
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
    read: () => Promise<void>,
    isUrgent = true,
  ): void {
    this.#tasks.add(async () => {
      try {
        await read();
      } catch (cause) {
        this.missed(parts, unreadOf(cause, this.reading.signal, what));
      }
    }, isUrgent);
  }

  missed(parts: readonly MapPart[], unread: Unread, node = unread.id): void {
    const own = parts.filter((part) => this.question.parts.has(part));
    const isNode = node !== this.reading.organizationId;
    this.found.missing.push({ parts: own, node: isNode ? node : undefined, unread });
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
    this.question.onSpace?.(space);
    const known = this.#ranks.get(space.id);
    const rank = sourceRanks[from];
    if (known === undefined || rank < known) {
      spaces.set(space.id, space);
      this.#ranks.set(space.id, rank);
    }
    if (known === undefined && this.question.pages && this.question.parts.has('spaces')) this.#count(space);
  }

  #count({ id, title }: Space): void {
    const read = async () => {
      const { pages } = await this.reading.client.call(listPages, { path: { spaceId: id } });
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

/** How often each name occurs, in the order of the known names, then as they come. */
export function countsOf(names: readonly string[], known: readonly string[] = []): Record<string, number> {
  const counts = new Map<string, number>(known.map((name) => [name, 0]));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

/** What `docs orgs map` is made of: an organization as a tree. */

/** The parts, in the order in which they are shown, each with its heading. */
export const partTitles = {
  spaces: 'Spaces',
  sites: 'Sites',
  teams: 'Teams',
  people: 'People',
  openapi: 'OpenAPI specs',
  saml: 'SAML providers',
} as const;

export type MapPart = keyof typeof partTitles;

export const mapParts = Object.keys(partTitles) as MapPart[];
