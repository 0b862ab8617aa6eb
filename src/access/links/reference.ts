import type { LinkItem, Reference } from '../../api/resources/spaces.js';
import type { Static } from '../../api/type.js';
import { idOf } from '../../base/ids.js';
import { asText, decodePercent, defined, isObject } from '../../base/values.js';

/**
 * What the platform tells of a link, by ids whether it gives ids or whole resources; and what a link leads to.
 */

/** Where an address leads, and what is behind it in the address. */
interface AddressedTarget {
  to: LinkTarget;
  via: LinkVia;
}

/**
 * What addresses lead to. The platform does not tell that of a link to a URL, so it is looked up among the
 * addresses that it gives of spaces and sites.
 */
export class AddressBook {
  /** By host and path, as `keyOf`. */
  readonly #published = new Map<string, LinkTarget>();
  readonly #appHosts = new Set<string>();
  readonly #spaces = new Set<string>();

  /** An address of readers, with everything below it; of several that fit the longest counts. */
  addPublished(address: string, to: LinkTarget): void {
    const parts = partsOf(address);
    if (parts !== undefined) this.#published.set(keyOf(parts.segments), to);
  }

  /** A space that addresses in the app may name. @param app an address of it there, for its host */
  addSpace(id: string, app: string | undefined): void {
    this.#spaces.add(id);
    const host = app === undefined ? undefined : partsOf(app)?.segments[0];
    if (host !== undefined) this.#appHosts.add(host);
  }

  /**
   * @param status `in-app`: the platform itself takes the address for one of the app
   * @returns undefined for what is elsewhere on the web, and what no known address begins
   */
  find(address: string, status?: LinkStatus): AddressedTarget | undefined {
    const parts = partsOf(address);
    if (parts === undefined) return undefined;
    const { segments, anchor } = parts;
    for (let length = segments.length; length > 0; length -= 1) {
      const to = this.#published.get(keyOf(segments.slice(0, length)));
      if (to !== undefined)
        return { to: withRest(to, segments.slice(length), anchor, address), via: 'published-address' };
    }
    if (status !== 'in-app' && !this.#isApp(segments[0] ?? '')) return undefined;
    // Whatever the form of the address, the id of a space stands in it.
    const at = segments.findIndex((segment, index) => index > 0 && this.#spaces.has(segment));
    if (at === -1) return undefined;
    const rest = segments.slice(at + 1);
    const inChange = rest[0] === '~' ? 3 : 0; // `/~/changes/<number>`
    const to = { kind: 'space', space: segments[at] ?? '' } as const;
    return { to: withRest(to, rest.slice(inChange), anchor, address), via: 'app-address' };
  }

  #isApp(host: string): boolean {
    return [...this.#appHosts].some((own) => host === own || host.endsWith(`.${own}`));
  }
}

/** The target with the page and the anchor that the address names. */
function withRest(
  to: LinkTarget,
  rest: readonly string[],
  anchor: string | undefined,
  url: string,
): LinkTarget {
  const path = rest.length === 0 ? undefined : rest.join('/');
  const isPage = to.kind === 'space' && path !== undefined;
  return defined({ ...to, kind: isPage ? ('page' as const) : to.kind, path, anchor, url });
}

/** The host, then the segments of the path, decoded; http and https are one. */
function partsOf(address: string): { segments: string[]; anchor?: string } | undefined {
  const full = address.startsWith('//') ? `https:${address}` : address;
  if (!/^https?:\/\//i.test(full) || !URL.canParse(full)) return undefined;
  const { host, pathname, hash } = new URL(full);
  const segments = [
    host,
    ...pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodePercent),
  ];
  return defined({ segments, anchor: hash.length > 1 ? decodePercent(hash.slice(1)) : undefined });
}

function keyOf(segments: readonly string[]): string {
  return segments.join('\n');
}

export const linkStatuses = ['ok', 'broken', 'in-app'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

export type Link = Static<typeof LinkItem>;
type Referred = Static<typeof Reference>;

/** A target or a place of a link, by ids. */
interface ReferredIds {
  kind?: string;
  url?: string;
  page?: string;
  file?: string;
  space?: string;
}

export interface FoundSpace {
  id: string;
  title?: string;
}

export interface FoundPage {
  id: string;
  title?: string;
  /** Slugs from the top, such as `guides/install`. */
  path?: string;
  /** Address in the app. */
  url?: string;
  /** Path in the repository that the space is synchronized with. */
  file?: string;
}

/** The ids of a reference; empty where the platform gives none. */
export function idsOf(reference: Referred | undefined): ReferredIds {
  const { kind, url, page, file, space } = reference ?? {};
  return defined({ kind, url, page: idOf(page), file: idOf(file), space: idOf(space) });
}

/** The part of a page that a reference names. The specification does not, so any text is taken. */
function anchorOf(reference: Referred | undefined): string | undefined {
  const { anchor } = (reference ?? {}) as { anchor?: unknown };
  return typeof anchor === 'string' && anchor !== '' ? anchor.replace(/^#/, '') : undefined;
}

/** What a whole resource says of itself. */
export interface ResourceNames {
  title?: string;
  path?: string;
  /** Address in the app. */
  url?: string;
  /** Of a file. */
  name?: string;
}

/** Nothing where only the id of a resource is given. */
export function resourceNames(resource: unknown): ResourceNames {
  if (!isObject(resource)) return {};
  const { title, path, name, urls } = resource;
  const url = isObject(urls) ? asText(urls.app) : undefined;
  return defined({ title: asText(title), path: asText(path), name: asText(name), url });
}

/**
 * The pages that have the link, each once, as it refers to them. Undefined is a page that the platform does not
 * tell, which is left out where it tells another.
 */
export function placesOf({ locationReferences }: Link): Map<string | undefined, Referred['page']> {
  const on = new Map(locationReferences.map(({ page }) => [idOf(page), page]));
  if (on.size > 1) on.delete(undefined);
  if (on.size === 0) on.set(undefined, undefined);
  return on;
}

/** What a link leads to, as far as the platform or the address in the text tells. */
export interface LinkTarget {
  kind: 'space' | 'page' | 'file' | 'site' | 'anchor' | 'address';
  /** Id of the space that the target is in. */
  space?: string;
  page?: string;
  file?: string;
  site?: string;
  /** What an address names below its space or site, without the anchor: `guides/install`. */
  path?: string;
  /** The part of a page after `#`. */
  anchor?: string;
  /** As written, for what the platform knows as an address only. */
  url?: string;
}

/**
 * How it is known what a link leads to.
 *
 * - `reference`: the platform knows the target, so `links check` finds the link broken once it is gone
 * - `app-address`, `published-address`: an address in the text, which the platform does not check
 */
export type LinkVia = 'reference' | 'app-address' | 'published-address';

/** What a link leads to, and how that is known. */
interface FoundTarget {
  to: LinkTarget;
  /** Undefined for an address that is none of the platform, or none that is known. */
  via: LinkVia | undefined;
}

/**
 * The target of a link: by the ids of its reference, else by the address as it is written.
 * @param from the space that the link is in, whose pages and files a reference may name without it
 */
export function targetOf(
  link: Pick<Link, 'status' | 'targetReference'>,
  from: string,
  book: AddressBook,
): FoundTarget {
  const ids = idsOf(link.targetReference);
  const { url, page, file, space = from, kind } = ids;
  const anchor = anchorOf(link.targetReference);
  if (page !== undefined) return reference(inPage(defined({ space, page, anchor, url })));
  if (file !== undefined) return reference(defined({ kind: 'file' as const, space, file, url }));
  const isSpace = kind === 'space' || (kind === undefined && ids.space !== undefined);
  if (url === undefined) return reference(isSpace ? { kind: 'space', space } : { kind: 'address' });
  const found = writtenTarget(url, from) ?? book.find(url, link.status);
  if (found !== undefined) return found;
  // A path that is broken was looked up by the platform.
  const isPath = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return { to: { kind: 'address', url }, via: isPath ? 'reference' : undefined };
}

/**
 * What a path stands for that names its target by id: `/spaces/<id>`, `/spaces/<id>/pages/<id>`, `/files/<id>`.
 * The platform gives it in place of a reference where there is no target, or none that the token can see.
 */
function writtenTarget(url: string, from: string): FoundTarget | undefined {
  const found = /^(?:\/spaces\/([\w-]+))?(?:\/(pages|files)\/([\w-]+))?\/?(?:\?[^#]*)?(?:#(.*))?$/.exec(url);
  const [, space = from, kind, id, hash] = found ?? [];
  if (found === null || (found[1] === undefined && id === undefined)) return undefined;
  if (kind === undefined || id === undefined) return reference({ kind: 'space', space, url });
  if (kind === 'files') return reference({ kind: 'file', space, file: id, url });
  return reference(inPage(defined({ space, page: id, anchor: hash ? decodePercent(hash) : undefined, url })));
}

function inPage(of: Omit<LinkTarget, 'kind'>): LinkTarget {
  return { kind: of.anchor === undefined ? 'page' : 'anchor', ...of };
}

function reference(to: LinkTarget): FoundTarget {
  return { to, via: 'reference' };
}
