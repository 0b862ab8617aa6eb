import type { FoundSpace } from '../../access/links/reference.js';
import { type ContentFile, type ContentPage, getContent } from '../../api/resources/content.js';
import { placeInPack } from '../../backup/pack.js';
import { linkReader } from '../../backup/pack-links.js';
import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/in-order.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { allSpaces } from '../../snapshot/spaces.js';
import { type Reading, readPartly, type Unread, unreadOf } from '../../snapshot/unread.js';

/** Pages and files of spaces, each space read once, when it is first asked for. */

/** A page where it stands in its space. */
export interface PlacedPage {
  page: ContentPage;
  path: string;
  /** As a Git repository has it: `guides/README.md` for a page with others below it. */
  file: string;
}

export interface SpaceContent {
  space: { id: string; title: string };
  /** Id of the revision that was read. */
  revision: string;
  pages: readonly ContentPage[];
  byId: ReadonlyMap<string, PlacedPage>;
  files: readonly ContentFile[];
  /** What an address on a page leads to in this space: see `linkReader`. */
  read: ReturnType<typeof linkReader>;
  /** Where each page stands in a pack of the whole space. */
  packed(): ReadonlyMap<string, string>;
}

/** A space, with the collection that it is in. */
export interface KnownSpace extends FoundSpace {
  parent?: string;
}

type Around = (space: string) => readonly string[];

export class Contents {
  readonly unread: Unread[] = [];
  readonly #reading: Reading;
  readonly #organization: OrganizationSnapshot;
  readonly #read = new Map<string, Promise<SpaceContent | undefined>>();
  #all: Promise<readonly KnownSpace[]> | undefined;
  #around: Promise<Around> | undefined;

  /** @param known the spaces of the organization, where they have been read */
  constructor(reading: Reading, known?: readonly KnownSpace[]) {
    this.#reading = reading;
    this.#organization = organization(reading);
    if (known !== undefined) this.#all = Promise.resolve(known);
  }

  /** @returns undefined for a space that is gone, and for one that is now among `unread` */
  of(space: FoundSpace): Promise<SpaceContent | undefined> {
    const known = this.#read.get(space.id) ?? this.#content(space);
    this.#read.set(space.id, known);
    return known;
  }

  /** The content of every space of the organization that can be read. */
  async everywhere(): Promise<SpaceContent[]> {
    const read = await readAll(this.#reading, await this.spaces(), (space) => this.of(space));
    return read.filter((content) => content !== undefined);
  }

  spaces(): Promise<readonly KnownSpace[]> {
    const known = ({ id, title, parent }: KnownSpace): KnownSpace => defined({ id, title, parent });
    this.#all ??= allSpaces(this.#reading, known, this.#organization).then(({ spaces, unread }) => {
      this.unread.push(...unread);
      return spaces;
    });
    return this.#all;
  }

  /** The collections around a space, from the inside; and those around any other. */
  async collectionsAround(space: string): Promise<[readonly string[], Around]> {
    this.#around ??= this.#readAround();
    const around = await this.#around;
    return [around(space), around];
  }

  async #readAround(): Promise<Around> {
    const what = { kind: 'collections', id: this.#reading.organizationId };
    const { items, unread } = await readPartly(this.#organization.collections(), this.#reading, what);
    this.unread.push(...unread);
    const above = new Map(items.map(({ id, parent }) => [id, parent]));
    const parents = new Map((await this.spaces()).map(({ id, parent }) => [id, parent]));
    return (space) => {
      const around = new Set<string>();
      // A circle, which no platform should have, ends where it began.
      for (let at = parents.get(space); at !== undefined && !around.has(at); at = above.get(at))
        around.add(at);
      return [...around];
    };
  }

  async #content({ id, title }: FoundSpace): Promise<SpaceContent | undefined> {
    const { client, signal } = this.#reading;
    try {
      const { id: revision, pages, files } = await client.call(getContent, { path: { spaceId: id } });
      const source = { space: { id }, pages, files, fileAt: () => undefined };
      const byId = placesOf(pages);
      let places: ReadonlyMap<string, string> | undefined;
      const packed = () => (places ??= placesInPack(pages));
      return {
        space: { id, title: title ?? id },
        revision,
        pages,
        byId,
        files,
        packed,
        read: linkReader(source),
      };
    } catch (cause) {
      const failure = unreadOf(cause, signal, defined({ kind: 'space', id, title }));
      // The platform answers so for what was deleted, too; links to it are broken for that.
      if (failure.error.kind !== 'not-found') this.unread.push(failure);
      return undefined;
    }
  }
}

function placesInPack(pages: readonly ContentPage[]): ReadonlyMap<string, string> {
  return new Map(placeInPack(pages, false).pages.map(({ page, file }) => [page.id, file]));
}

/** Each page before those below it. */
function placesOf(roots: readonly ContentPage[]): Map<string, PlacedPage> {
  const places = new Map<string, PlacedPage>();
  const waiting = roots.map((page) => ({ page, above: '' })).toReversed();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { page, above } = one;
    const { id, slug, title, pages = [] } = page;
    const path = page.path ?? above + (slug || title);
    places.set(id, { page, path, file: pages.length > 0 ? `${path}/README.md` : `${path}.md` });
    for (const below of (pages as ContentPage[]).toReversed())
      waiting.push({ page: below, above: `${path}/` });
  }
  return places;
}
