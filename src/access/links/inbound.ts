import type { Reading, Unread } from '../../reading/reading.js';

/** What a link leads to, as far as the platform or the address in the text tells. */
export interface LinkTarget {
  kind: 'space' | 'page' | 'file' | 'site' | 'anchor' | 'address';
  /** Id of the space that the target is in. */
  space?: string;
  page?: string;
  file?: string;
  site?: string;
  /** The part of a page after `#`. */
  anchor?: string;
  /** As written, for what the platform knows as an address only. */
  url?: string;
}

/** A link from elsewhere to something that is to change. */
export interface InboundLink {
  from: {
    space: { id: string; title: string };
    page?: { id: string; title?: string; path?: string; url?: string };
  };
  to: LinkTarget;
  /**
   * `reference`: the platform knows the target, so `links check` finds the link broken once it is gone;
   * `app-address`, `published-address`: an address in the text, which the platform does not check.
   */
  via: 'reference' | 'app-address' | 'published-address';
}

/** What links are looked for. */
export interface Wanted {
  /** Links to anything in these spaces. */
  spaces?: ReadonlySet<string>;
  /** Links to these files, by `<space>/<file>`. */
  files?: ReadonlySet<string>;
  /** Links to addresses that begin with one of these, up to a `/`, `?`, `#` or the end. */
  addresses?: readonly string[];
}

export interface Inbound {
  links: InboundLink[];
  /** Spaces whose links could not be read. */
  unread: Unread[];
  /** Spaces whose links were read. */
  read: number;
}

/**
 * Finds the links to something from all other spaces of the organization. Links within one of the wanted spaces
 * are left out: they go with it.
 * @param options.onSpace called after each space, with the number read and of all
 * @param options.until stops before further spaces are begun, and reports these as unread
 * @throws DocsError where the token is refused or the run is interrupted
 */
export type ReadInbound = (
  reading: Reading,
  wanted: Wanted,
  options?: { onSpace?: (read: number, of: number) => void; until?: AbortSignal },
) => Promise<Inbound>;
