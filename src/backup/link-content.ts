import type { Finding } from '../access/links/finding.js';
import { type PageAtPath, pagesAtPaths } from '../access/links/read-links.js';
import type { FoundSpace } from '../access/links/reference.js';
import { type ContentFile, type ContentPage, getContent } from '../api/resources/content.js';
import { decodePercent, defined } from '../base/values.js';
import { hasPageEnding, type Named, namedBy, type WrittenLink } from '../files/markdown-links.js';
import { readAll } from '../jobs/sequence.js';
import { type OrganizationSnapshot, organization } from '../snapshot/organization.js';
import { allSpaces } from '../snapshot/spaces.js';
import { type Reading, readPartly, type Unread, unreadOf } from '../snapshot/unread.js';
import { placeInPack } from './pack.js';
import { absolutePath, joined, linkReader, relativePath } from './pack-links.js';

/**
 * Pages and files of spaces, each space read once, when it is first asked for; and what addresses on a page lead
 * to.
 */

interface PlacedPage extends PageAtPath {
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
  for (const { page, path } of pagesAtPaths(roots)) {
    const isFolder = (page.pages ?? []).length > 0;
    places.set(page.id, { page, path, file: isFolder ? `${path}/README.md` : `${path}.md` });
  }
  return places;
}

/** A page, file or space that a link may lead to. */
export interface Candidate {
  space: { id: string; title: string };
  page?: { id: string; title: string; path: string };
  file?: { id: string; name: string };
}

/** `Install (guides/install) of Handbook`. */
export function nameOf({ space, page, file }: Candidate): string {
  if (page !== undefined) return `${page.title} (${page.path}) of ${space.title}`;
  return file === undefined ? `the space ${space.title}` : `${file.name} of ${space.title}`;
}

/**
 * How a link to the target is written, in the way in which it was: a path stays a path, an id an id. Another space
 * has ids alone. Query and fragment are not part of it.
 */
export function newAddress(from: SpaceContent, pageId: string, { id, path }: Named, to: Candidate): string {
  const thing = to.page ? `/pages/${to.page.id}` : to.file ? `/files/${to.file.id}` : '';
  if (to.space.id !== from.space.id || thing === '') return `/spaces/${to.space.id}${thing}`;
  if (id !== undefined) return thing;
  const place = from.byId.get(pageId);
  const wanted = to.page?.id ?? to.file?.id;
  const target = pathOf(from, to, hasPageEnding(path));
  if (place === undefined || target === undefined) return thing;
  const relative = relativePath(place.file, target);
  const paths = path.startsWith('/') ? [absolutePath(target)] : [relative, absolutePath(target)];
  // Paths are ambiguous in places, so each is tried as the platform reads it.
  return paths.find((one) => from.read(pageId, '', one)?.id === wanted) ?? thing;
}

function pathOf(
  { byId, files }: SpaceContent,
  { page, file }: Candidate,
  asFile: boolean,
): string | undefined {
  if (page !== undefined) return asFile ? byId.get(page.id)?.file : byId.get(page.id)?.path;
  const found = files.find(({ id }) => id === file?.id);
  return found?.git?.path ?? found?.name;
}

/** Which links of a text a finding is about: the platform names the target, and not its places in the text. */

/** A finding, with the links of the text that lead to its target. */
interface Matched {
  finding: Finding;
  links: readonly WrittenLink[];
}

/**
 * Finds the links of each finding. Those whose address the platform does not tell are the broken ones that nothing
 * else names, if there are as many.
 */
export function matched(
  findings: readonly Finding[],
  links: readonly WrittenLink[],
  content: SpaceContent,
  pageId: string,
): Matched[] {
  const keyed = links.flatMap((link) => {
    const key = keyOf(link.address, content, pageId);
    return key === undefined ? [] : [{ link, key }];
  });
  const wanted = findings.map(({ target }) => keyOfTarget(target, content, pageId));
  const free = [...new Set(keyed.map(({ key }) => key))].filter((key) => !wanted.includes(key));
  const untold = wanted.filter((key) => key === undefined).length;
  const rest = free.filter((key) => isLost(key));
  return findings.map((finding, index) => {
    const key = wanted[index] ?? (rest.length === untold ? rest.shift() : undefined);
    return { finding, links: keyed.filter((one) => one.key === key).map(({ link }) => link) };
  });
}

/** The same for all addresses that lead to the same target, whether it is there or not. */
function keyOf(address: string, content: SpaceContent, pageId: string): string | undefined {
  const named = namedBy(address);
  if (named === undefined) return undefined;
  const { space = content.space.id, kind, id, path } = named;
  if (kind === 'space') return `space ${id}`;
  if (id !== undefined)
    return space === content.space.id && isThere(content, kind, id)
      ? `there ${id}`
      : `${kind} ${space} ${id}`;
  const found = content.read(pageId, '', address);
  if (found !== undefined) return `there ${found.id}`;
  const place = content.byId.get(pageId);
  const within = place?.path.split('/') ?? [];
  const isParent = (place?.page.pages ?? []).length > 0;
  const base = path.startsWith('/') ? [] : isParent ? within : within.slice(0, -1);
  return `path ${pagePath(joined(base, decodePercent(path)))}`;
}

function isThere({ byId, files }: SpaceContent, kind: string | undefined, id: string): boolean {
  return kind === 'page' ? byId.has(id) : files.some((file) => file.id === id);
}

/** Whether a key is of a path or an id of the space that leads nowhere. */
function isLost(key: string): boolean {
  return key.startsWith('path ') || key.startsWith('page ') || key.startsWith('file ');
}

/** The same for a target as the platform tells it; undefined where it does not. */
export function keyOfTarget(
  { url, page, file, space }: Finding['target'],
  content: SpaceContent,
  pageId: string,
): string | undefined {
  if (url !== undefined) return keyOf(url, content, pageId) ?? `url ${url}`;
  const where = space ?? content.space.id;
  if (page !== undefined) return `page ${where} ${page}`;
  if (file !== undefined) return `file ${where} ${file}`;
  return space === undefined ? undefined : `space ${space}`;
}

/** As the platform looks up pages: without the ending, and without the name of the page of a folder. */
function pagePath(path: string): string {
  return path.replace(/\.(?:md|markdown|html?)$/i, '').replace(/(?:^|\/)(?:readme|index)$/i, '');
}

/**
 * The target with a new path, and its query and fragment as they stand.
 * @returns undefined where escapes make it uncertain what follows the path
 */
export function rewritten({ raw, address }: WrittenLink, path: string): string | undefined {
  const named = namedBy(address);
  if (named === undefined) return undefined;
  const { rest } = named;
  if (raw === address) return path + rest;
  // What was escaped is written anew, so it must need no escape.
  return /^[\w\-.~!$',;:@/?#%=+]*$/.test(rest) ? path + rest : undefined;
}
