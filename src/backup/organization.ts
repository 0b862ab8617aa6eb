import { type Client, callOne, listOf } from '../api/client.js';
import type { TeamMembership } from '../api/resources/members.js';
import { getLatestOpenApiContent, type OpenApiSpec } from '../api/resources/openapi.js';
import type { Organization } from '../api/resources/orgs.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { defined, isObject } from '../base/values.js';
import { readAll } from '../jobs/sequence.js';
import { operationsOf } from '../model/operations.js';
import { type StoredResource, storedBeside, storedFolders, storedLists } from '../model/stored.js';
import { isFirst, isIn, type Shard } from '../shards/shard.js';
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

/** Reads everything of the organization but its spaces, each list and each item on its own. */
export async function readOrganization(
  gathering: Gathering,
  organization: Organization,
  { access, onMember, shard }: AccessHow,
): Promise<void> {
  const { id, title } = organization;
  const permissions = async (): Promise<void> => {
    const count = access ? await writeAccess(gathering, onMember, shard) : await keepAccess(gathering);
    if (count !== undefined) gathering.tally.access = count;
  };
  if (!isFirst(shard)) return permissions();
  await gathering.write('org.json', jsonText(cleaned(organization)), { kind: 'organization', id, title });
  for (const stored of storedLists) {
    await attemptList(gathering, stored);
    if (stored.name === 'member') await permissions();
  }
  for (const stored of storedFolders) await attemptEach(gathering, stored);
}

/** The items of a list, whether or not it has pages. */
async function* itemsOf(
  client: Client,
  { lists, listQuery, folder, isList }: StoredResource,
  path: Readonly<Record<string, string>>,
): AsyncGenerator<unknown> {
  const [op] = operationsOf(lists);
  if (op === undefined) return;
  // The lists of a site are short.
  const limit = isList && folder === 'sites' ? undefined : pageLimit;
  if (op.returns.kind === 'page') yield* listOf(client, op, { path, query: { limit, ...listQuery } });
  else yield* ((await callOne(client, { op, input: { path } })) as { items: readonly unknown[] }).items;
}

/** A list as one file. */
async function attemptList(gathering: Gathering, stored: StoredResource): Promise<void> {
  const { client, organizationId: id } = gathering.reading;
  const { kind, file } = stored;
  await gathering.attempt({ kind, id }, isOfKind(kind), async () => {
    const items = itemsOf(client, stored, { organizationId: id });
    gathering.count(kind, await gathering.writeList(file, items, { kind, id }));
  });
}

function isOfKind(kind: string): (entry: FileEntry) => boolean {
  return (entry) => entry.kind === kind;
}

type Item = Readonly<Record<string, unknown>> & { id: string; title?: string; slug?: string };

async function attemptEach(gathering: Gathering, stored: StoredResource): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const { folder = '', kind } = stored;
  const isInFolder = ({ path }: FileEntry) => path.startsWith(`${folder}/`);
  const items: Item[] = [];
  const listed = await gathering.attempt({ kind: folder, id: organizationId }, isInFolder, async () => {
    for await (const item of itemsOf(client, stored, { organizationId })) items.push(item as Item);
  });
  if (!listed) return;
  gathering.count(folder, items.length);
  const names = namesOf(items.map(({ id, title, slug }) => ({ id, title: title ?? slug ?? '' })));
  await readAll(gathering.reading, items, (item) => {
    const { id, title = item.slug ?? id } = item;
    const isOwn = (entry: FileEntry) => isInFolder(entry) && entry.id === id;
    return gathering.attempt({ kind, id, title }, isOwn, () =>
      writeItem(gathering, stored, item, { at: `${folder}/${names.get(id)}/`, about: { id, title } }),
    );
  });
}

/** Where the files of an item go, and what manifests say of each. */
interface ItemFolder {
  at: string;
  about: Omit<About, 'kind'>;
}

/** The files of an item: what is beside it first, so that its own file says that they are there. */
async function writeItem(
  gathering: Gathering,
  stored: StoredResource,
  item: Item,
  { at, about }: ItemFolder,
): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const { parameter, kind, file } = stored;
  const path = { organizationId, [parameter]: String(item[stored.id]) };
  if (stored.name === 'openapi-spec') await writeSpecContent(gathering, item as OpenApiSpec, { at, about });
  for (const beside of storedBeside(stored)) {
    const own = { kind: beside.kind, ...about };
    if (beside.isList) {
      const items = itemsOf(client, beside, path);
      const count = await gathering.writeList(at + beside.file, items, own, shownAs[beside.name] ?? cleaned);
      if (beside.folder === 'sites') gathering.count(beside.kind, count);
      continue;
    }
    const [op] = operationsOf(beside.gets);
    const found = op && (await callOne(client, { op, input: { path } }).catch(unlessNotFound));
    if (found !== undefined) await gathering.write(at + beside.file, jsonText(cleaned(found)), own);
  }
  await gathering.write(at + file, jsonText(cleaned(item)), { kind, ...about });
}

/** Items that are written in another form. */
const shownAs: Readonly<Record<string, ((item: unknown) => unknown) | undefined>> = {
  'team-member': inTeam,
  section: (item) => onlyNamed(cleaned(item)),
  'section-group': (item) => onlyNamed(cleaned(item)),
  'site-space': (item) => onlyNamed(cleaned(item)),
};

/** Who, and with which role; the rest of a member is in members.json. */
function inTeam(item: unknown): unknown {
  const { organization, team } = item as TeamMembership;
  const { id, displayName, email } = organization.user;
  return cleaned({ id: organization.id, user: { id, displayName, email }, team });
}

/** The content of a version never changes, so it is read only if there is a new version. */
async function writeSpecContent(
  gathering: Gathering,
  { slug: specSlug, lastVersion }: OpenApiSpec,
  { at, about }: ItemFolder,
): Promise<void> {
  const { client, organizationId } = gathering.reading;
  const version = lastVersion || undefined;
  const content = `${at}content.json`;
  const kept = await gathering.kept(content);
  if (kept !== undefined && version !== undefined && kept.version === version) gathering.files.push(kept);
  else {
    const path = { organizationId, specSlug };
    const latest = await client.call(getLatestOpenApiContent, { path }).catch(unlessNotFound);
    const own = defined({ kind: 'openapi-content', ...about, version });
    if (latest !== undefined) await gathering.write(content, jsonText(cleaned(latest)), own);
  }
}

/** A site only names its spaces, so that it does not change whenever one of them does. */
function onlyNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onlyNamed);
  if (typeof value !== 'object' || value === null) return value;
  const { object, id, title } = value as Record<string, unknown>;
  if (object === 'space') return { object, id, title };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, onlyNamed(member)]));
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
