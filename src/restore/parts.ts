import type { KindName } from '../organization/model.js';

/** What `--only` takes, and what is read for each. */

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
export type RestorePart = (typeof parts)[number];

/** The parts that decide who can access what. */
export const ofAccess: readonly RestorePart[] = ['structure', 'members', 'teams'];

/** The part of `--only` that restores items of a kind of the organization as code. */
export const partOf: Readonly<Record<KindName, RestorePart>> = {
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
const needed: Readonly<Record<RestorePart, readonly KindName[]>> = {
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
export function wantsOf(wanted: ReadonlySet<RestorePart>): (kind: KindName, field?: string) => boolean {
  const named = new Set([...wanted].flatMap((part) => needed[part]));
  return (kind, field) => {
    if (kind === 'spaces' && field === 'fields') return wanted.has('fields');
    if (kind === 'sites' && field !== undefined) return wanted.has('sites');
    return named.has(kind);
  };
}
