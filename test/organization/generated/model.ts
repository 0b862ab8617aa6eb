import type { Role } from '../../../src/api/shapes.js';

/**
 * A random organization, before it is a state of the sandbox (state.ts). What names something else does so by a
 * number, counted round the list of what there is, so that a smaller organization is one as well.
 */

export interface Organization {
  title: string;
  emailDomains: readonly string[];
  hostname: string | null;
  defaultRole: Role | null;
  /** A site; null for none. */
  defaultSite: number | null;
  sso: boolean;
  ai: boolean;
  inviteLinks: boolean;
  /** The first two are admins, whatever their roles say. */
  people: readonly Person[];
  teams: readonly Team[];
  fields: readonly Field[];
  library: readonly LibraryNode[];
  sites: readonly Site[];
  specs: readonly Spec[];
  translations: readonly string[];
  saml: readonly Provider[];
}

export interface Person {
  /** The part of the email before its number. */
  local: string;
  role: Role | null;
  sso: boolean;
  disabled: boolean;
}

export interface Team {
  title: string;
  members: readonly { person: number; owner: boolean }[];
}

export interface Field {
  name: string;
  type: FieldType;
  title: string | null;
  description: string | null;
  placeholder: string | null;
  /** Of select and multiselect, where they have any. */
  options: readonly string[];
}

export type FieldType = 'text' | 'number' | 'boolean' | 'select' | 'multiselect' | 'url' | 'date';
export type Level = Role | 'inherit' | null;

export type LibraryNode = CollectionNode | SpaceNode;

export interface CollectionNode {
  is: 'collection';
  title: string;
  description: string | null;
  level: Level;
  contents: readonly LibraryNode[];
}

export interface SpaceNode {
  is: 'space';
  title: string;
  emoji: string;
  locked: boolean;
  level: Level;
  visibility: 'public' | 'unlisted' | 'private' | 'in-collection';
  /** Deleted, and not yet gone: in no list. */
  deleted: boolean;
  values: readonly { field: number; value: number }[];
}

export interface Site {
  title: string;
  type: 'basic' | 'premium' | 'ultimate' | 'sponsored';
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  published: boolean;
  basename: string | null;
  proxy: string | null;
  adaptive: boolean;
  /** Names of the claims of its adaptive schema; null for none. */
  claims: readonly string[] | null;
  /** Among the sections, or the spaces at the root. */
  default: number;
  structure: { spaces: readonly Place[] } | { parts: readonly (Section | Group)[] };
}

export interface Group {
  is: 'group';
  title: string;
  icon: string | null;
  sections: readonly Section[];
}

export interface Section {
  is: 'section';
  title: string;
  path: string;
  icon: string | null;
  description: string | null;
  condition: string | null;
  /** Among its spaces. */
  default: number;
  spaces: readonly Place[];
}

/** A space on a site. */
export interface Place {
  space: number;
  path: string;
  condition: string | null;
}

export interface Spec {
  slug: string;
  /** Null where its text was given instead. */
  url: string | null;
}

export interface Provider {
  label: string;
  entityId: string | null;
  certificate: string | null;
  ssoUrl: string | null;
  team: number | null;
  role: Role | null;
}
