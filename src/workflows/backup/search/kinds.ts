import { isObject } from '../../../is-object.js';
import { type ResourceName, resources } from '../../../model/resources.js';
import type { SearchArea } from './report.js';

/** Something of a backup as it is searched. */
export interface Thing {
  kind: string;
  id?: string;
  title: string;
  /** What is searched beside the title. */
  texts: string[];
}

/** How the files of a kind are read. */
export interface SearchedKind {
  area: Exclude<SearchArea, 'titles'>;
  /** Whether it is a list with an item a line, which may be long. */
  isList?: true;
  things(value: unknown): Thing[];
}

/** By kind of file in the manifests; pages and files are read in ways of their own. */
export const searchedKinds: ReadonlyMap<string, SearchedKind> = new Map<string, SearchedKind>([
  searched('organization', 'settings', []),
  searched('translation', 'settings', ['languages']),
  searched('saml-provider', 'settings', ['entityID', 'ssoURL']),
  searched('member', 'people', ['user.email']),
  searched('team', 'people', ['description']),
  searched('collection', 'spaces', ['description']),
  searched('space', 'spaces', ['description']),
  searched('custom-field', 'fields', ['name', 'description', 'options']),
  ['fields', { area: 'fields', things: fieldValues }],
  searched('site', 'sites', ['description', 'hostname', 'urls.published']),
  searched('section', 'sites', ['description', 'path']),
  searched('section-group', 'sites', ['description']),
  searched('site-space', 'sites', ['path']),
  searched('openapi-spec', 'specs', ['sourceURL']),
  searched('change-request', 'change-requests', ['description', 'createdBy.displayName']),
  ['comments', { area: 'comments', isList: true, things: comments }],
]);

/** @param texts what is searched beside the title */
function searched(name: ResourceName, area: SearchedKind['area'], texts: string[]): [string, SearchedKind] {
  const { printed, titles, id } = resources[name];
  const things = (value: unknown) => [thing(value, printed.search, [...titles, id], texts)];
  // The file of one is called as the resource, a list of several in the plural.
  return [printed.backup, { area, things, ...(printed.backup !== name && { isList: true }) }];
}

function thing(value: unknown, kind: string, titles: readonly string[], texts: readonly string[]): Thing {
  const [id] = textsAt(value, 'id');
  const title = titles.flatMap((path) => textsAt(value, path))[0] ?? id ?? '';
  return {
    kind,
    ...(id !== undefined && { id }),
    title,
    texts: texts.flatMap((path) => textsAt(value, path)),
  };
}

/** The texts at a dotted path: one, or those of a list. */
export function textsAt(value: unknown, path: string): string[] {
  let at = value;
  for (const key of path.split('.')) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  if (typeof at === 'string') return [at];
  if (typeof at === 'number' || typeof at === 'boolean') return [String(at)];
  return Array.isArray(at) ? at.filter((item) => typeof item === 'string') : [];
}

function fieldValues(value: unknown): Thing[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry): Thing[] => {
    const texts = textsAt(entry, 'value');
    if (!isObject(entry) || texts.length === 0) return [];
    return [{ ...thing(entry.customField, 'field-value', ['title', 'name'], []), texts }];
  });
}

/** A comment and its replies; the title of each is the name of who wrote it. */
function comments(value: unknown): Thing[] {
  if (!isObject(value)) return [];
  const of = (item: unknown, kind: string): Thing =>
    thing(item, kind, ['postedBy.displayName'], ['body.markdown']);
  const replies = Array.isArray(value.replies) ? value.replies : [];
  return [of(value.comment, 'comment'), ...replies.map((reply) => of(reply, 'reply'))];
}
