import { homePath } from './layout.js';

/** Paths of pages: each segment encoded. */

type Query = Readonly<Record<string, string | undefined>>;

export function pathOf(...segments: readonly string[]): string {
  return homePath + segments.map(encodeURIComponent).join('/');
}

export function orgPath(org: string, ...rest: readonly string[]): string {
  return pathOf('orgs', org, ...rest);
}

export function spacePath(org: string, space: string, ...rest: readonly string[]): string {
  return orgPath(org, 'spaces', space, ...rest);
}

/** A path with the values of a query that there are. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') given.set(key, value);
  return given.size === 0 ? path : `${path}?${given}`;
}
