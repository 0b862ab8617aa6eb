import { aboutOperation } from '../model/resources.js';

/**
 * How descriptions of operations may differ from the words of their requests: kinds of the organization as code and of
 * workflows beside the resource of an operation, names of fields beside those of bodies, and what goes without saying.
 */

/** Kinds beside those of the resource of an operation, by operation or its first word. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'section-groups.add': ['sections'],
  'section-groups.remove': ['sections'],
  // A space that is gone for good comes back as an empty one, which only a new site brings.
  'sites.create': ['spaces'],
  'change-request-content': ['change-requests'],
  // The read that proves a version of a site.
  'site-spaces.list': ['sites'],
};

/** The resource of an operation: `teams`. */
export function resourceOf(operation: string): string {
  return operation.slice(0, operation.indexOf('.'));
}

/** What an operation may be said to be about. */
export function kindsOf(operation: string): readonly string[] {
  const resource = resourceOf(operation);
  const inFiles = aboutOperation(operation)?.resource.printed.files ?? [];
  return [resource, inFiles, kinds[resource] ?? [], kinds[operation] ?? []].flat();
}

/** How a description tells fields of a body: by their names, and by the names of the things whose ids they hold. */
interface Telling {
  /** The fields of the body; none where the path or the operation itself says it. */
  of: readonly string[];
  /** Told by a key or a title, where the body has an id. */
  byName?: true;
}

const named = (...of: string[]): Telling => ({ of, byName: true });

/** Names of fields in descriptions beside those of the body, by operation. */
const fields: Readonly<Record<string, Readonly<Record<string, Telling>>>> = {
  'adaptive-schemas.set': { schema: { of: ['jsonSchema'] } },
  'change-request-comments.create': { warning: { of: ['body'] } },
  'change-request-content.import': { content: { of: ['url'] } },
  'openapi.create': { url: { of: ['source'] } },
  'openapi.set': { url: { of: ['source'] } },
  'orgs.update': { default_site: named('defaultContent') },
  'saml.create': { default_team: named('defaultTeam') },
  'saml.update': { default_team: named('defaultTeam') },
  'section-groups.add': { parent: named(), section: named('sectionId') },
  'section-groups.remove': { parent: named() },
  'sections.create': { space: named('spaceId') },
  'sections.update': { default: named('defaultSiteSpace'), defaultSiteSpace: named('defaultSiteSpace') },
  'site-spaces.create': { space: named('spaceId') },
  'sites.create': { from: named() },
  'sites.update': {
    default: named('defaultSiteSection', 'defaultSiteSpace'),
    defaultSiteSection: named('defaultSiteSection'),
    defaultSiteSpace: named('defaultSiteSpace'),
  },
  'spaces.duplicate': { copyOf: named() },
  'spaces.restore': { title: named(), from: named() },
};

/** The same for every move. */
const places: Readonly<Record<string, Telling>> = {
  place: named('position'),
  before: named('position'),
  parent: named('parent'),
};

/** How a field of a description tells the body; undefined where it has the name of the body's own field. */
export function tellingOf(operation: string, field: string): Telling | undefined {
  const moves = operation.endsWith('.move') ? places : {};
  return { ...moves, ...fields[operation] }[field];
}

/** What a creation sends beside what it tells: the place of what it makes, which path and key name. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  'change-request-content.import': ['source'],
  'collections.create': ['parent'],
  'custom-fields.create': ['name'],
  'openapi.create': ['slug'],
  'section-groups.add': ['sectionId'],
  'section-groups.create': ['sections'],
  'sections.create': ['spaceId'],
  'site-spaces.create': ['spaceId', 'sectionId'],
  'sites.create': ['type', 'spaces', 'visibility'],
};

/** The fields of a body that a description may leave out. */
export function isUnsaid(operation: string, field: string): boolean {
  return unsaid[operation]?.includes(field) === true;
}
