import type { LinkItem, Reference } from '../../api/resources/spaces.js';
import { idOf } from '../../api/shapes.js';
import type { Static } from '../../api/type.js';
import { defined, isObject } from '../../base/values.js';

/** What the platform tells of a link, with ids whether it gives references as ids or as whole resources. */

export const linkStatuses = ['ok', 'broken', 'in-app'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

export type Link = Static<typeof LinkItem>;
type Referred = Static<typeof Reference>;

/** A target or a place of a link, by ids. */
export interface ReferredIds {
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
export function anchorOf(reference: Referred | undefined): string | undefined {
  const { anchor } = (reference ?? {}) as { anchor?: unknown };
  return typeof anchor === 'string' && anchor !== '' ? anchor.replace(/^#/, '') : undefined;
}

/** What a whole resource says of itself. */
export interface Told {
  title?: string;
  path?: string;
  /** Address in the app. */
  url?: string;
  /** Of a file. */
  name?: string;
}

/** Nothing where only the id of a resource is given. */
export function toldOf(resource: unknown): Told {
  if (!isObject(resource)) return {};
  const { title, path, name, urls } = resource;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const url = isObject(urls) ? text(urls.app) : undefined;
  return defined({ title: text(title), path: text(path), name: text(name), url });
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
