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
