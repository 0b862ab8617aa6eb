import { isObject } from '../../../is-object.js';
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
  ['organization', one('settings', 'organization', ['title'], [])],
  ['translations', list('settings', 'translation', ['title'], ['languages'])],
  ['saml', list('settings', 'saml-provider', ['label', 'title', 'name'], ['entityID', 'ssoURL'])],
  ['members', list('people', 'member', ['user.displayName'], ['user.email'])],
  ['team', one('people', 'team', ['title'], ['description'])],
  ['collections', list('spaces', 'collection', ['title'], ['description'])],
  ['space', one('spaces', 'space', ['title'], ['description'])],
  ['custom-fields', list('fields', 'custom-field', ['title', 'name'], ['name', 'description', 'options'])],
  ['fields', { area: 'fields', things: fieldValues }],
  ['site', one('sites', 'site', ['title'], ['description', 'hostname', 'urls.published'])],
  ['sections', list('sites', 'section', ['title'], ['description', 'path'])],
  ['section-groups', list('sites', 'section-group', ['title'], ['description'])],
  ['site-spaces', list('sites', 'site-space', ['title'], ['path'])],
  ['openapi-spec', one('specs', 'spec', ['slug'], ['sourceURL'])],
  [
    'change-request',
    one('change-requests', 'change-request', ['subject'], ['description', 'createdBy.displayName']),
  ],
  ['comments', { area: 'comments', isList: true, things: comments }],
]);

function one(area: SearchedKind['area'], kind: string, titles: string[], texts: string[]): SearchedKind {
  return { area, things: (value) => [thing(value, kind, titles, texts)] };
}

function list(area: SearchedKind['area'], kind: string, titles: string[], texts: string[]): SearchedKind {
  return { ...one(area, kind, titles, texts), isList: true };
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
