import { getAdaptiveSchema } from '../api/resources/adaptive-schemas.js';
import { listCollections } from '../api/resources/collections.js';
import { listCustomFields } from '../api/resources/custom-fields.js';
import { listMembers, listTeamMembers, type TeamMembership } from '../api/resources/members.js';
import {
  getLatestOpenApiContent,
  listOpenApiSpecs,
  listOpenApiVersions,
  type OpenApiSpec,
} from '../api/resources/openapi.js';
import type { Organization } from '../api/resources/orgs.js';
import { listSamlProviders, listSsoLogins } from '../api/resources/saml.js';
import { listSites, type Site } from '../api/resources/sites.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { listTeams, type Team } from '../api/resources/teams.js';
import { listTranslations } from '../api/resources/translations.js';
import { defined, isObject } from '../base/values.js';
import { readAll } from '../jobs/in-order.js';
import { isFirst, isIn, type Shard } from '../shards/shard.js';
import { organization } from '../snapshot/organization.js';
import { allSpaces, type Listed, type Order } from '../snapshot/spaces.js';
import { type Reading, type Unread, unlessNotFound, unreadOf } from '../snapshot/unread.js';
import { keepAccess, writeAccess } from './access.js';
import { jsonText } from './folder.js';
import { type About, cleaned, type Gathering, pageLimit } from './gathering.js';
import type { FileEntry } from './manifest.js';
import { namesOf } from './names.js';

interface AccessHow {
  /** Whether who can access which space is read; otherwise the file of the last run stays. */
  access: boolean;
  /** Called as that is read: how many members are done. */
  onMember?(done: number): void;
  /** Permissions of the members of this part; the first part reads the rest, too. */
  shard?: Shard | undefined;
}

/** Reads everything of the organization but its spaces, each part on its own. */
export async function readOrganization(
  gathering: Gathering,
  organization: Organization,
  { access, onMember, shard }: AccessHow,
): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const path = { organizationId };
  const query = { limit: pageLimit };
  const { id, title } = organization;
  const permissions = async (): Promise<void> => {
    const count = access ? await writeAccess(gathering, onMember, shard) : await keepAccess(gathering);
    if (count !== undefined) gathering.tally.access = count;
  };
  if (!isFirst(shard)) return permissions();
  await gathering.write('org.json', jsonText(cleaned(organization)), { kind: 'organization', id, title });
  const list = (kind: string, items: AsyncIterable<unknown>) => attemptList(gathering, kind, items);
  await list('members', client.call(listMembers, { path, query }));
  await permissions();
  await list('collections', client.call(listCollections, { path, query: { ...query, nested: true } }));
  await list('custom-fields', client.call(listCustomFields, { path, query }));
  await list('translations', client.call(listTranslations, { path, query }));
  await list('saml', client.call(listSamlProviders, { path, query }));
  await list(
    'sso',
    itemsOf(() => client.call(listSsoLogins, { path })),
  );
  await attemptEach(gathering, 'teams', client.call(listTeams, { path, query }), writeTeam);
  await attemptEach(gathering, 'openapi', client.call(listOpenApiSpecs, { path, query }), writeSpec);
  await attemptEach(gathering, 'sites', client.call(listSites, { path, query }), writeSite);
}

/** A list as one file. */
async function attemptList(gathering: Gathering, kind: string, items: AsyncIterable<unknown>): Promise<void> {
  const about = { kind, id: gathering.reading.organizationId };
  const isList = (entry: FileEntry) => entry.kind === kind;
  await gathering.attempt(about, isList, async () => {
    gathering.count(kind, await gathering.writeList(`${kind}.json`, items, about));
  });
}

/** The items of an answer without pages. */
async function* itemsOf<T>(call: () => Promise<{ items: readonly T[] }>): AsyncGenerator<T> {
  yield* (await call()).items;
}

interface Item {
  id: string;
  title?: string;
  slug?: string;
}

/** Where the files of an item go: `teams/writers`. */
interface ItemPart {
  gathering: Gathering;
  at: string;
  about: About;
}

async function attemptEach<T extends Item>(
  gathering: Gathering,
  kind: string,
  listing: AsyncIterable<T>,
  read: (part: ItemPart, item: T) => Promise<void>,
): Promise<void> {
  const items: T[] = [];
  const listed = await gathering.attempt(
    { kind, id: gathering.reading.organizationId },
    (entry) => entry.path.startsWith(`${kind}/`),
    async () => {
      for await (const item of listing) items.push(item);
    },
  );
  if (!listed) return;
  gathering.count(kind, items.length);
  const names = namesOf(items.map(({ id, title, slug }) => ({ id, title: title ?? slug ?? '' })));
  await readAll(gathering.reading, items, (item) => {
    const { id, title = item.slug ?? id } = item;
    const at = `${kind}/${names.get(id)}/`;
    return gathering.attempt(
      { kind: singular(kind), id, title },
      (entry) => entry.path.startsWith(`${kind}/`) && entry.id === id,
      () => read({ gathering, at, about: { kind, id, title } }, item),
    );
  });
}

async function writeTeam({ gathering, at, about }: ItemPart, team: Team): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const path = { organizationId, teamId: team.id };
  const members = client.call(listTeamMembers, { path, query: { limit: pageLimit } });
  await gathering.writeList(`${at}members.json`, members, { ...about, kind: 'team-members' }, inTeam);
  await gathering.write(`${at}team.json`, jsonText(cleaned(team)), { ...about, kind: 'team' });
}

/** Who, and with which role; the rest of a member is in members.json. */
function inTeam({ organization, team }: TeamMembership): unknown {
  const { id, displayName, email } = organization.user;
  return cleaned({ id: organization.id, user: { id, displayName, email }, team });
}

/** The content of a version never changes, so it is read only if there is a new version. */
async function writeSpec({ gathering, at, about }: ItemPart, spec: OpenApiSpec): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const path = { organizationId, specSlug: spec.slug };
  const version = spec.lastVersion || undefined;
  const content = `${at}content.json`;
  const kept = await gathering.kept(content);
  if (kept !== undefined && version !== undefined && kept.version === version) gathering.files.push(kept);
  else {
    const latest = await client.call(getLatestOpenApiContent, { path }).catch(unlessNotFound);
    const own = defined({ ...about, kind: 'openapi-content', version });
    if (latest !== undefined) await gathering.write(content, jsonText(cleaned(latest)), own);
  }
  const versions = client.call(listOpenApiVersions, { path, query: { limit: pageLimit } });
  await gathering.writeList(`${at}versions.json`, versions, { ...about, kind: 'openapi-versions' });
  await gathering.write(`${at}spec.json`, jsonText(cleaned(spec)), { ...about, kind: 'openapi-spec' });
}

async function writeSite({ gathering, at, about }: ItemPart, site: Site): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const path = { organizationId, siteId: site.id };
  const own = organization(gathering.reading).site(site.id);
  const lists = { sections: own.sections(), 'section-groups': own.groups(), 'site-spaces': own.siteSpaces() };
  for (const [kind, items] of Object.entries<AsyncIterable<unknown>>(lists)) {
    const own = { ...about, kind };
    const named = (item: unknown) => onlyNamed(cleaned(item));
    gathering.count(kind, await gathering.writeList(`${at}${kind}.json`, items, own, named));
  }
  const schema = await client.call(getAdaptiveSchema, { path }).catch(unlessNotFound);
  if (schema !== undefined)
    await gathering.write(`${at}adaptive-schema.json`, jsonText(cleaned(schema)), {
      ...about,
      kind: 'adaptive-schema',
    });
  await gathering.write(`${at}site.json`, jsonText(cleaned(site)), { ...about, kind: 'site' });
}

/** A site only names its spaces, so that it does not change whenever one of them does. */
function onlyNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onlyNamed);
  if (typeof value !== 'object' || value === null) return value;
  const { object, id, title } = value as Record<string, unknown>;
  if (object === 'space') return { object, id, title };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, onlyNamed(member)]));
}

function singular(kind: string): string {
  return kind === 'openapi' ? 'openapi-spec' : kind.replace(/s$/, '');
}

/** The order of the spaces in each collection; that of collections is the order of `collections.json`. */

export function isOrders({ kind }: FileEntry): boolean {
  return kind === 'orders';
}

/**
 * Writes `orders.json`, a line for each collection, from lists that a run has read to find spaces. Of a collection
 * whose list could not be read, the line of the last run stays.
 */
export async function writeOrders(gathering: Gathering, { orders, unread }: FoundSpaces): Promise<void> {
  const { organizationId: id } = gathering.reading;
  if (unread.some(({ kind }) => kind === 'collections')) {
    const old = gathering.last(isOrders);
    if (old !== undefined && (await gathering.keep(isOrders))) gathering.older.add('orders');
    return;
  }
  const missed = new Set(unread.filter(({ kind }) => kind === 'collection').map((one) => one.id));
  const all = [...orders];
  if (missed.size > 0)
    for await (const line of gathering.lastItems(isOrders))
      if (isOrder(line) && missed.has(line.collection)) {
        all.push(line);
        gathering.older.add('orders');
      }
  all.sort((a, b) => (a.collection < b.collection ? -1 : 1));
  await gathering.writeList('orders.json', all, { kind: 'orders', id }, (order) => order);
}

export function isOrder(value: unknown): value is Order {
  return isObject(value) && typeof value.collection === 'string' && Array.isArray(value.items);
}

export type FoundSpaces = Listed<Space> & {
  orders: Order[];
  /** Ids of all that were found, those of other parts, too. */
  all: string[];
};

/**
 * Every space that can be found, once and by id. A space that an earlier run found and no list has now is
 * asked for: an administrator who could access it may have left. Those not found are gone only if nothing
 * is unread.
 * @param known spaces of an earlier run
 * @param shard only those of this part
 */
export async function findSpaces(
  reading: Reading,
  known: readonly { id: string; title: string }[],
  shard?: Shard,
): Promise<FoundSpaces> {
  const { spaces, unread, orders } = await allSpaces(reading, (space) => space);
  const listed = new Set(spaces.map(({ id }) => id));
  const others = known.filter(({ id }) => !listed.has(id));
  for (const found of await readAll(reading, others, (other) => lookFor(reading, other))) {
    if (found === undefined) continue;
    if ('error' in found) unread.push(found);
    else spaces.push(found);
  }
  const sorted = spaces.sort((a, b) => (a.id < b.id ? -1 : 1));
  const own = sorted.filter(({ id }) => isIn(shard, id));
  return { spaces: own, unread, orders, all: sorted.map(({ id }) => id) };
}

/** The space, if it still is in the organization, or why that is not known. */
async function lookFor(
  { client, organizationId, signal }: Reading,
  { id, title }: { id: string; title: string },
): Promise<Space | Unread | undefined> {
  try {
    const space = await client.call(getSpace, { path: { spaceId: id } }).catch(unlessNotFound);
    const there = space?.organization === organizationId && space.deletedAt === undefined;
    return there ? space : undefined;
  } catch (cause) {
    return unreadOf(cause, signal, { kind: 'space', id, title });
  }
}
