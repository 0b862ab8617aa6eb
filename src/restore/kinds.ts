import type { KindName } from '../organization/model.js';

/**
 * What each kind of file in a backup becomes in a restore. This table is what `--only` takes, what the command
 * tells before it starts, and what the guide shows. A kind that is not here is not restored silently: a test holds
 * that a backup writes no other.
 */

export const parts = [
  'structure',
  'fields',
  'members',
  'teams',
  'sites',
  'specs',
  'translations',
  'saml',
  'settings',
  'pages',
] as const;
/** A word of `--only`. */
export type Part = (typeof parts)[number];

export interface Restoring {
  /** How it comes back, as a sentence; absent where nothing of it does. */
  by?: { part: Part; how: string };
  /** What of it does not come back, and why. */
  cannot?: readonly Lack[];
}

export interface Lack {
  /** The noun, in the plural: `comments`. */
  what: string;
  /** A sentence. */
  why: string;
  /** The key of the counts in the manifest that says how many there are; absent where that is not counted. */
  count?: string;
}

const byPlan = (part: Part, what: string) => ({ part, how: `${what} through the plan.` });
const byImport = {
  part: 'pages' as const,
  how: 'Pages and files by an import into a change request, from --import-base.',
};

/** By the kind of file in the manifests. */
export const restoring: Readonly<Record<string, Restoring>> = {
  organization: {
    by: byPlan('settings', 'Settings'),
    cannot: [{ what: 'logo', why: 'The platform does not return the URL that was set.' }],
  },
  members: {
    by: byPlan('members', 'Roles and SSO of members who are still there'),
    cannot: [
      {
        what: 'members who left',
        why: 'No operation adds a member: invite them, and run the restore again.',
      },
      { what: 'members unlinked from SSO', why: 'No operation removes a member from SSO.' },
    ],
  },
  access: {
    cannot: [
      {
        what: 'permissions of single people in spaces',
        why: 'No operation sets them; the default levels of spaces and collections are restored.',
      },
    ],
  },
  orders: { by: byPlan('structure', 'The order of the spaces in each collection') },
  collections: { by: byPlan('structure', 'Collections') },
  'custom-fields': {
    by: byPlan('fields', 'Definitions of custom fields'),
    cannot: [{ what: 'types of custom fields', why: 'No operation changes the type of a custom field.' }],
  },
  translations: {
    by: byPlan('translations', 'Titles of translation settings'),
    cannot: [
      { what: 'languages of translations', why: 'No operation sets the languages.', count: 'translations' },
    ],
  },
  saml: {
    by: byPlan('saml', 'SAML providers with their certificates'),
    cannot: [
      { what: 'ids of deleted SAML providers', why: 'A new provider gets a new id and new addresses.' },
    ],
  },
  sso: { cannot: [{ what: 'SSO logins', why: 'No operation makes one: people log in again.', count: 'sso' }] },
  team: { by: byPlan('teams', 'Teams') },
  'team-members': { by: byPlan('teams', 'Members of teams with their roles') },
  'openapi-spec': { by: byPlan('specs', 'Specs that have a URL') },
  'openapi-content': {
    cannot: [
      {
        what: 'texts of OpenAPI specs',
        why: 'The backup does not have the text as it was uploaded: run "docs openapi publish" with yours.',
        count: 'openapi',
      },
    ],
  },
  'openapi-versions': {
    cannot: [{ what: 'earlier versions of OpenAPI specs', why: 'The platform numbers versions itself.' }],
  },
  site: {
    by: byPlan('sites', 'Sites'),
    cannot: [{ what: 'publication of sites', why: 'No operation publishes a site.' }],
  },
  sections: { by: byPlan('sites', 'Sections') },
  'section-groups': { by: byPlan('sites', 'Section groups') },
  'site-spaces': { by: byPlan('sites', 'The spaces of sites') },
  'adaptive-schema': { by: byPlan('sites', 'Adaptive schemas') },
  space: {
    by: byPlan('structure', 'Deleted spaces, and title, place and settings of all'),
    cannot: [{ what: 'icons of spaces', why: 'The platform does not return the URL that was set.' }],
  },
  fields: {
    by: byPlan('fields', 'Values of custom fields'),
    cannot: [
      {
        what: 'values of custom fields that were set since',
        why: 'No operation clears the value of a custom field but that of text and of several choices.',
      },
    ],
  },
  content: { by: byImport },
  page: { by: byImport },
  'page-markdown': { by: byImport },
  file: { by: byImport },
  comments: {
    cannot: [
      {
        what: 'comments',
        why: 'They would be written in your name, at the time of the restore.',
        count: 'comments',
      },
      {
        what: 'replies',
        why: 'They would be written in your name, at the time of the restore.',
        count: 'replies',
      },
    ],
  },
  'change-request': {
    cannot: [
      {
        what: 'change requests',
        why: 'They would be written in your name, on content that has moved on.',
        count: 'changeRequests',
      },
    ],
  },
};

/** What no backup has. */
export const never: readonly Lack[] = [
  { what: 'closed change requests', why: 'A backup does not have them.' },
  { what: 'earlier revisions', why: 'A backup does not have them.' },
  { what: 'tokens, invite links and other secrets', why: 'A backup does not have them.' },
  { what: 'ids and URLs', why: 'What is created again gets new ones.' },
];

/** The part of `--only` that restores items of a kind of the organization as code. */
export const partOf: Readonly<Record<KindName, Part>> = {
  fields: 'fields',
  people: 'members',
  teams: 'teams',
  memberships: 'teams',
  collections: 'structure',
  spaces: 'structure',
  openapi: 'specs',
  translations: 'translations',
  sites: 'sites',
  groups: 'sites',
  sections: 'sites',
  'site-spaces': 'sites',
  saml: 'saml',
  organization: 'settings',
};

/** The kinds that must be read to restore a part: its own, and those that they name or stand in. */
const needed: Readonly<Record<Part, readonly KindName[]>> = {
  structure: ['collections', 'spaces', 'sites'],
  fields: ['fields', 'collections', 'spaces', 'sites'],
  members: ['people'],
  teams: ['people', 'teams', 'memberships'],
  sites: ['collections', 'spaces', 'sites', 'groups', 'sections', 'site-spaces'],
  specs: ['openapi'],
  translations: ['translations'],
  saml: ['teams', 'saml'],
  settings: ['sites', 'organization'],
  pages: ['collections', 'spaces', 'sites'],
};

/** What is read, of the backup and of the platform, to restore some parts: kinds, and fields that cost requests. */
export function wantsOf(wanted: ReadonlySet<Part>): (kind: KindName, field?: string) => boolean {
  const named = new Set([...wanted].flatMap((part) => needed[part]));
  return (kind, field) => {
    if (kind === 'spaces' && field === 'fields') return wanted.has('fields');
    if (kind === 'sites' && field !== undefined) return wanted.has('sites');
    return named.has(kind);
  };
}

/** What does not come back of the parts that are restored, with how many there are. */
export function lacksOf(
  wanted: ReadonlySet<Part>,
  kindsThere: ReadonlySet<string>,
  counts: Readonly<Record<string, number>>,
): (Lack & { number?: number })[] {
  const own = Object.entries(restoring).flatMap(([kind, { by, cannot = [] }]) =>
    kindsThere.has(kind) && (by === undefined || wanted.has(by.part)) ? cannot : [],
  );
  return [...own, ...never].flatMap((lack) => {
    const number = lack.count === undefined ? undefined : counts[lack.count];
    if (lack.count !== undefined && (number ?? 0) === 0) return [];
    return [{ ...lack, ...(number !== undefined && { number }) }];
  });
}
