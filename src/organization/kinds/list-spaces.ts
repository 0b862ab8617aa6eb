import { sourceLists, spacesIn } from '../../api/organization-spaces.js';
import { listCollectionSpaces } from '../../api/resources/collections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSpaceFields } from '../../api/resources/space-fields.js';
import { DocsError } from '../../errors.js';
import type { Resource } from '../../jobs/request.js';
import type { LiveReading } from '../kind.js';
import type { LiveItem } from '../model.js';

interface Place {
  index: number;
  parent?: LiveItem;
}

type ItemOf = (space: Resource, place: Place) => LiveItem;

/**
 * The spaces of an organization, each once. No list has them all: those of a collection come in its order, those
 * at the top level, which the platform shows no order of, from the lists of sites and of some administrators.
 */
export async function* listSpaces(reading: LiveReading, itemOf: ItemOf): AsyncGenerator<LiveItem> {
  const values = valueReader(reading);
  const inCollections = async (collections: readonly LiveItem[]) =>
    (await Promise.all(collections.map((parent) => inCollection(reading, parent, values)))).flat();
  // The longest chain of requests begins with the administrators, so they are asked for first.
  const elsewhere = Promise.all([ofAdministrators(reading, values), onSites(reading, values)]);
  elsewhere.catch(() => {}); // Thrown again below, which may be later.
  const collections = await reading.all('collections');
  const inside = await inCollections(collections);
  const [visible, published] = await elsewhere;
  const seen = new Set<unknown>();
  for (const { space, place } of [...inside, ...atTop(reading, collections, [...published, ...visible])]) {
    if (seen.has(space.id)) continue;
    seen.add(space.id);
    yield itemOf({ ...space, ...(await values(space)) }, place);
  }
}

interface Found {
  space: Resource;
  place: Place;
}

/** Reads the values of the custom fields of a space, as soon as the space is found, each space once. */
type ReadValues = (space: Resource) => Promise<{ customFields?: unknown }>;

async function inCollection(reading: LiveReading, parent: LiveItem, values: ReadValues): Promise<Found[]> {
  const found = (await reading.reads.all(listCollectionSpaces, { path: { collectionId: parent.id } })) ?? [];
  return announced(found, values).map((space, index) => ({ space, place: { index, parent } }));
}

async function onSites({ reads, organizationId, all }: LiveReading, values: ReadValues): Promise<Resource[]> {
  const onSite = async ({ id: siteId }: LiveItem) =>
    (await reads.all(listSiteSpaces, { path: { organizationId, siteId } })) ?? [];
  const found = (await Promise.all((await all('sites')).map(onSite))).flat();
  return announced(
    found.flatMap(({ space }) => (space === undefined ? [] : [space as Resource])),
    values,
  );
}

/**
 * What some administrators can access, which holds what is in no collection and no site.
 * @throws DocsError where the token may see the spaces of none of them
 */
async function ofAdministrators(
  { client, organizationId }: LiveReading,
  values: ReadValues,
): Promise<Resource[]> {
  const lists: Promise<Resource[]>[] = [];
  for await (const source of sourceLists.administrators(client, organizationId)) {
    const list = pagesOf(spacesIn(client, organizationId, source), values);
    list.catch(() => {}); // Settled below, which may be later.
    lists.push(list);
  }
  const settled = await Promise.allSettled(lists);
  const failed = settled.filter((list) => list.status === 'rejected').map(({ reason }) => reason as unknown);
  const [first] = failed.filter((cause) => !isRefused(cause));
  if (first !== undefined || (lists.length > 0 && failed.length === lists.length)) throw first ?? failed[0];
  return settled.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
}

async function pagesOf(pages: AsyncIterable<{ items: Resource[] }>, values: ReadValues): Promise<Resource[]> {
  const found: Resource[] = [];
  for await (const { items } of pages) found.push(...announced(items, values));
  return found;
}

function announced<S extends Resource>(spaces: S[], values: ReadValues): S[] {
  // A failure is thrown where the values are awaited.
  for (const space of spaces) values(space).catch(() => {});
  return spaces;
}

export function isRefused(cause: unknown): boolean {
  return cause instanceof DocsError && (cause.kind === 'forbidden' || cause.kind === 'not-found');
}

/** Spaces outside of collections. One in a collection that the token may not see has no place in the files. */
function atTop(
  { missed }: LiveReading,
  collections: readonly LiveItem[],
  spaces: readonly Resource[],
): Found[] {
  const visible = new Set(collections.map(({ id }) => id));
  return spaces.flatMap((space) => {
    if (typeof space.parent !== 'string') return { space, place: { index: 0 } };
    if (!visible.has(space.parent))
      missed(`The token may not see the collection of the space ${space.title}.`);
    return [];
  });
}

function valueReader({ reads, wants, all }: LiveReading): ReadValues {
  if (!wants('spaces', 'fields')) return async () => ({});
  const known = new Map<unknown, ReturnType<ReadValues>>();
  const read: ReadValues = async ({ id }) => {
    if ((await all('fields')).length === 0) return { customFields: [] };
    const entries = await reads.one(listSpaceFields, { path: { spaceId: String(id) } });
    return { customFields: ((entries ?? []) as unknown as Resource[]).map(smallEntry) };
  };
  return (space) => {
    const values = known.get(space.id) ?? read(space);
    known.set(space.id, values);
    return values;
  };
}

/** Each space has all fields; of them name and type tell what a value means. */
function smallEntry({ customField, value }: Resource): Resource {
  const { name, type } = customField as { name: string; type: string };
  return { customField: { name, type }, ...(value !== undefined && { value }) };
}
