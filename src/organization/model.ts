/**
 * The organization as files, and as the platform shows it, in one form: flat lists of items that a planner can
 * compare (PLANS.md, 2). Values are in the form of the files: fields by their keys there, roles as words, other
 * items by reference.
 */

import type { FilePlace } from '../files/yaml/mistake.js';

export type { FilePlace };

export const kindNames = [
  'fields',
  'people',
  'teams',
  'memberships',
  'collections',
  'spaces',
  'openapi',
  'translations',
  'sites',
  'groups',
  'sections',
  'site-spaces',
  'saml',
  'organization',
] as const;
/** In the order in which they are created and changed; deletions go the other way. */
export type KindName = (typeof kindNames)[number];

/** `teams/writers`; of a site's parts `sections/acme-docs/guides`. Unique, and the key in the lock. */
export type Address = `${KindName}/${string}`;

/** The entry of the lock for the guards: no item has it, although it has the id of the organization. */
export const guardsAddress: Address = 'organization/guards';

/** A value that names another item. */
export interface Reference {
  $ref: Address;
}

/** The value of an environment variable: `!env NAME`. */
export interface EnvironmentReference {
  $env: string;
}

/** JSON, a `Reference` or an `EnvironmentReference`; the text of a `!file` is read in. */
export type Value = unknown;

/** What a collection of a file says about items that it does not name. */
export type Manage = 'none' | 'additive' | 'exact';

export interface DesiredItem {
  kind: KindName;
  address: Address;
  /** The last part of the address: the key in the file, or the natural key. */
  key: string;
  /** The item in which it stands. */
  parent?: Address;
  /** Its place among the children of its parent, of whatever kind. */
  index: number;
  /** The fields that the file names, and no others. */
  fields: Readonly<Record<string, Value>>;
  /** The key that it had. */
  was?: string;
  protected: boolean;
  external: boolean;
  at: FilePlace;
  /** Where each field stands. */
  places: Readonly<Record<string, FilePlace>>;
}

/** One list that a file manages: all people, the teams, the structure of one site. */
export interface Scope {
  kinds: readonly KindName[];
  /** The site whose parts it lists. */
  within?: Address;
  manage: Manage;
  at: FilePlace;
}

export interface Guards {
  minAdmins?: number;
  requiredAdmins?: readonly string[];
  requireSelf?: boolean;
  /** A share of 1, or a count. */
  maxRemovals?: { share: number } | { count: number };
}

/** What the files of a folder say. */
export interface Desired {
  items: ReadonlyMap<Address, DesiredItem>;
  scopes: readonly Scope[];
  guards: Guards;
}

/** A resource of the platform. */
export interface LiveItem {
  kind: KindName;
  id: string;
  /** The item in which it is; undefined at the top. */
  parent?: LiveItem;
  /** Its place among its siblings, of whatever kind, where the platform has an order; else 0. */
  index: number;
  /** All fields that files can have, in the form of the files; references hold ids: `{ $id, kind }`. */
  fields: Readonly<Record<string, unknown>>;
  /** What natural keys and titles are matched by. */
  natural?: string;
  title: string;
  resource: Readonly<Record<string, unknown>>;
}

/** A value of a live item that names another. */
export interface LiveReference {
  $id: string;
  kind: KindName;
}

export interface Live {
  organizationId: string;
  /** By kind, each in the platform's order; kinds that were not read are absent. */
  items: ReadonlyMap<KindName, readonly LiveItem[]>;
  missed: readonly Missed[];
}

/** What the token may not read. An item of the files that was not found may be there all the same (unread.ts). */
export interface Missed {
  kind: KindName;
  /** The items were read, but not this field of all of them. */
  field?: string;
  /** Only what stands in it was not read: in a site, in a team. */
  within?: Pick<LiveItem, 'kind' | 'id'>;
  /** A sentence. */
  message: string;
}
