import { sourceLists, spacesIn } from '../../api/organization-spaces.js';
import { listCollectionSpaces } from '../../api/resources/collections.js';
import { listSpaceFields } from '../../api/resources/custom-fields.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import type { Resource } from '../../jobs/reads.js';
import type { LiveItem, LiveReading } from '../model.js';
import { allOf, isRefused, mayNotRead, notFound, unlessRefused } from './declare.js';

interface ListPosition {
  index: number;
  parent?: LiveItem;
}

/** @param unread fields that could not be read */
type ItemOf = (space: Resource, place: ListPosition, unread: readonly string[]) => LiveItem;

/**
 * The spaces of an organization, each once. No list has them all: those of a collection come in its order, those
 * at the top level, which the platform shows no order of, from the lists of sites and of some administrators.
 * @throws DocsError where the platform refuses all of these
 */
export async function* listSpaces(reading: LiveReading, itemOf: ItemOf): AsyncGenerator<readonly LiveItem[]> {
  const values = new Values(reading);
  // The longest chain of requests begins with the administrators, so they are asked for first.
  const elsewhere = Promise.all([
    part(reading, 'administrators', () => ofAdministrators(reading, values)),
    part(reading, 'sites', () => onSites(reading, values)),
  ]);
  elsewhere.catch(() => {}); // Thrown again below, which may be later.
  const collections = await part(reading, 'collections', () => reading.all('collections'));
  const inside = await Promise.all(
    (collections ?? []).map((parent) => inCollection(reading, parent, values)),
  );
  const [visible, published] = await elsewhere;
  if (collections === undefined && visible === undefined && published === undefined)
    await reading.all('collections'); // Refused, so this throws.
  const top = atTop(reading, collections, [...(published ?? []), ...(visible ?? [])]);
  const seen = new Set<unknown>();
  const items: LiveItem[] = [];
  for (const { space, place } of [...inside.flat(), ...top]) {
    if (seen.has(space.id)) continue;
    seen.add(space.id);
    const known = await values.of(space);
    items.push(itemOf({ ...space, ...known }, place, known?.customFields === undefined ? ['fields'] : []));
  }
  values.tellMissed();
  yield items;
}

interface ListedSpace {
  space: Resource;
  place: ListPosition;
}

/** Some of the lists in which spaces are; another list may show the same ones. */
function part<T>(reading: LiveReading, of: string, read: () => Promise<T>): Promise<T | undefined> {
  return unlessRefused(reading, { kind: 'spaces', what: `the spaces of ${of}` }, read);
}

async function inCollection(reading: LiveReading, parent: LiveItem, values: Values): Promise<ListedSpace[]> {
  const list = () => allOf(reading, listCollectionSpaces, { collectionId: parent.id });
  const found = await part(reading, `the collection ${parent.title}`, list);
  return values.announced(found ?? []).map((space, index) => ({ space, place: { index, parent } }));
}

async function onSites(reading: LiveReading, values: Values): Promise<Resource[]> {
  const onSite = ({ id: siteId, title }: LiveItem) =>
    part(reading, `the site ${title}`, () => allOf(reading, listSiteSpaces, { siteId }));
  const found = await Promise.all((await reading.all('sites')).map(onSite));
  return values.announced(
    found.flatMap((list) =>
      (list ?? []).flatMap(({ space }) => (space === undefined ? [] : [space as Resource])),
    ),
  );
}

/**
 * What some administrators can access, which holds what is in no collection and no site.
 * @throws DocsError where the token may see the spaces of none of them
 */
async function ofAdministrators(reading: LiveReading, values: Values): Promise<Resource[]> {
  const { client, organizationId } = reading;
  const lists: { title: string; list: Promise<Resource[]> }[] = [];
  for await (const source of sourceLists.administrators(client, organizationId)) {
    const list = pagesOf(spacesIn(client, organizationId, source), values);
    list.catch(() => {}); // Settled below, which may be later.
    lists.push({ title: source.title ?? source.id, list });
  }
  const refused: unknown[] = [];
  const found: Resource[] = [];
  for (const { title, list } of lists) {
    const own = await part(reading, `the administrator ${title}`, () =>
      list.catch((cause: unknown) => {
        refused.push(cause);
        throw cause;
      }),
    );
    found.push(...(own ?? []));
  }
  if (lists.length > 0 && refused.length === lists.length) throw refused[0];
  return found;
}

async function pagesOf(pages: AsyncIterable<{ items: Resource[] }>, values: Values): Promise<Resource[]> {
  const found: Resource[] = [];
  for await (const { items } of pages) found.push(...values.announced(items));
  return found;
}

/** Spaces outside of collections. One in a collection that the token may not see has no place in the files. */
function atTop(
  { missed }: LiveReading,
  collections: readonly LiveItem[] | undefined,
  spaces: readonly Resource[],
): ListedSpace[] {
  const visible = new Set(collections?.map(({ id }) => id));
  return spaces.flatMap((space) => {
    if (typeof space.parent !== 'string') return { space, place: { index: 0 } };
    if (collections !== undefined && !visible.has(space.parent)) {
      const message = `The token may not see the collection of the space ${space.title}.`;
      missed({ kind: 'spaces', message });
    }
    return [];
  });
}

/** The values of custom fields. */
class Values {
  readonly #known = new Map<unknown, Promise<{ customFields?: unknown } | undefined>>();
  readonly #refused: { title: unknown; cause: unknown }[] = [];

  constructor(private readonly reading: LiveReading) {}

  /** Reads them as soon as spaces are found. */
  announced<S extends Resource>(spaces: S[]): S[] {
    // A failure is thrown where the values are awaited.
    for (const space of spaces) this.of(space).catch(() => {});
    return spaces;
  }

  /** Those of a space, read once; undefined where the platform refuses them. */
  of(space: Resource): Promise<{ customFields?: unknown } | undefined> {
    const values = this.#known.get(space.id) ?? this.#read(space);
    this.#known.set(space.id, values);
    return values;
  }

  tellMissed(): void {
    const [first, ...others] = this.#refused;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` and of ${others.length} more`;
    const message = mayNotRead(`the field values of the space ${first.title}${more}`, first.cause);
    this.reading.missed({ kind: 'spaces', field: 'fields', message }, first.cause);
  }

  async #read({ id, title }: Resource): Promise<{ customFields?: unknown } | undefined> {
    const { wants, all, reads } = this.reading;
    if (!wants('spaces', 'fields', { id: String(id), title: String(title) })) return {};
    try {
      if ((await all('fields')).length === 0) return { customFields: [] };
      const path = { spaceId: String(id) };
      const entries = await reads.one(listSpaceFields, { path });
      if (entries === null) throw notFound(listSpaceFields, path);
      // An answer of this operation is a list; the reader gives any answer as one resource.
      return { customFields: (entries as unknown as Resource[]).map(smallEntry) };
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      this.#refused.push({ title, cause });
      return undefined;
    }
  }
}

/** Each space has all fields; of them name and type tell what a value means. */
function smallEntry({ customField, value }: Resource): Resource {
  const { name, type } = customField as { name: string; type: string };
  return { customField: { name, type }, ...(value !== undefined && { value }) };
}
