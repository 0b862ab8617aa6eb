import { defined } from '../../base/values.js';
import type { LinkTarget, LinkVia } from './link-target.js';
import type { LinkStatus } from './reference.js';

/** Where an address leads, and what is behind it in the address. */
export interface AddressedTarget {
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
      .map(decoded),
  ];
  return defined({ segments, anchor: hash.length > 1 ? decoded(hash.slice(1)) : undefined });
}

function keyOf(segments: readonly string[]): string {
  return segments.join('\n');
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
