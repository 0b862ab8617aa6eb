import type { Member } from '../api/resources/members.js';
import { meant, type Role, roles } from '../api/shapes.js';
import { type Static, Type } from '../api/type.js';
import { defined } from '../base/values.js';
import { closed, flag, maybe, oneOf, orNull, roleText, stateOf, text } from '../output/printed-shapes.js';
import type { Unread } from '../snapshot/unread.js';
import { reasons } from './levels.js';

/** Failures that are listed one by one; of more, only the number. */
const mostTold = 100;

/** What could not be read, counted; memory does not grow with the number of members. */
export class Tally {
  /** The first failures. */
  readonly unread: Unread[] = [];
  /** Reads that failed. */
  failures = 0;
  /** People or pairs that were given out. */
  rows = 0;
  /** Rows of which the role, or what gives it, is not known. */
  unknown = 0;
  /** Whether the same command may tell more when it is run again. */
  retryable = false;

  fail(...failed: readonly Unread[]): void {
    this.failures += failed.length;
    this.retryable ||= failed.some(({ error }) => error.failure.retryable === true);
    this.unread.push(...failed.slice(0, Math.max(0, mostTold - this.unread.length)));
  }
}

/** A member by what a reader knows them by. */
export interface Person {
  id: string;
  displayName: string;
  email?: string;
}

export function personOf({ id, user }: Member): Person {
  return defined({ id, displayName: user.displayName, email: user.email });
}

/** Email, else display name, else id. The platform's text, so it is not safe to print as it is. */
export function nameOf({ email, displayName, id }: Person): string {
  return email ?? (displayName || id);
}

/** What `docs access` prints of people and spaces. Scripts and `docs access diff` read these keys. */

/** A role, null for none, `unknown` where it could not be read. */
export type KnownRole = Role | null | 'unknown';
export const KnownRole = meant('role', orNull(oneOf(...roles, 'unknown')));

const PersonRef = closed({
  id: text,
  email: Type.Union([Type.String(), Type.Null()], { description: 'null if the token cannot see it' }),
  displayName: text,
});
type PersonRef = Static<typeof PersonRef>;

export function refOf({ id, user }: Member): PersonRef {
  return { id, email: user.email ?? null, displayName: user.displayName };
}

export const ResourceRef = closed({ id: text, title: text });
export type ResourceRef = Static<typeof ResourceRef>;

export function resourceRef({ id, title }: ResourceRef): ResourceRef {
  return { id, title };
}

/** One person and one space, as `docs access matrix` prints them. */
export const Pair = closed({ person: PersonRef, space: ResourceRef, role: KnownRole });
export type Pair = Static<typeof Pair>;

/** One person with a role in a space, as `docs access who` prints them. */
export const Holder = closed({
  person: PersonRef,
  space: ResourceRef,
  role: KnownRole,
  via: Type.Unsafe<(typeof reasons)[number]>({ enum: reasons, description: 'Source of the role' }),
  teams: Type.Array(ResourceRef, {
    description: 'Where it is granted, the teams of the person: the grant is to one of them or to the person',
  }),
});
export type Holder = Static<typeof Holder>;

/** What `docs impact access` prints: a person whose role in a space changes, or may change. */
export const WhatIfRow = closed({
  person: PersonRef,
  space: ResourceRef,
  change: stateOf('gains', 'loses', 'changes', 'unknown'),
  from: KnownRole,
  to: { ...KnownRole, description: 'The role afterwards, at least' },
  most: { ...KnownRole, description: 'The role afterwards, at most' },
  certain: Type.Boolean({ description: 'Whether the role changes for sure' }),
});
export type WhatIfRow = Static<typeof WhatIfRow>;

/** What `docs access diff` prints. */

const directions = ['gained', 'lost', 'changed', 'unknown', 'appeared', 'disappeared'] as const;

/** A role that changed; or a person or a space, then without the other, that only one of the matrices has. */
export const AccessDifference = closed({
  change: stateOf(...directions),
  person: orNull(PersonRef),
  space: orNull(
    closed({
      id: Type.Union([Type.String(), Type.Null()], {
        description: 'null if both matrices name spaces by title alone',
      }),
      title: text,
    }),
  ),
  from: KnownRole,
  to: KnownRole,
});
export type AccessDifference = Static<typeof AccessDifference>;

/** What `docs access explain` prints. Keys are promises (command-tree). */

/**
 * A layer of an explanation. A level is that of a space or a collection as it is set; a role is what the layer gives
 * the person: of the organization role, the most that default levels give. One is shadowed where it would count if no
 * other layer came first or gave more.
 */
const Layer = closed({
  layer: oneOf('organization-role', 'grant', 'space', 'collection', 'organization'),
  id: maybe,
  title: maybe,
  level: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Default level setting: a role, inherit, or null for no access',
    }),
  ),
  role: KnownRole,
  decides: flag,
  shadowed: flag,
  why: text,
});

export type Layer = Static<typeof Layer>;

/** Who can read what a site shows. */
export const Audience = closed({
  published: Type.Boolean({ description: 'Whether the site is published; if not, no one can read it' }),
  visibility: text,
  url: Type.Union([Type.String(), Type.Null()], { description: 'Where it is published' }),
  conditions: Type.Array(text, { description: 'Visitors see it only if all of these match' }),
  readers: text,
});
export type Audience = Static<typeof Audience>;

/** A place of a space on a site. */
export const Publication = closed({ site: ResourceRef, siteSpace: text, ...Audience.properties });
export type Publication = Static<typeof Publication>;

export const Explanation = closed({
  person: closed({ ...PersonRef.properties, role: orNull(roleText), disabled: flag }),
  resource: closed({ object: oneOf('space', 'collection', 'site'), id: text, title: text }),
  role: KnownRole,
  atLeast: Type.Boolean({ description: 'Whether grants that the API does not show may give more' }),
  reason: Type.Unsafe<(typeof reasons)[number]>({ enum: reasons }),
  why: text,
  layers: Type.Array(Layer, { description: 'In order of precedence' }),
  teams: Type.Optional(
    Type.Array(ResourceRef, { description: 'Teams of the person, if a grant to one may give the role' }),
  ),
  publications: Type.Optional(Type.Array(Publication, { description: 'Of a space: where it is published' })),
  audience: Type.Optional(Audience),
  permits: Type.Optional(
    Type.Array(text, { description: 'Of a site: operations that the organization role permits' }),
  ),
  notRead: Type.Array(text, { description: 'Items that could not be read' }),
});
export type Explanation = Static<typeof Explanation>;

/** A person with their role in each space of the matrix. */
export interface MatrixRow {
  person: PersonRef;
  /** Role in the organization; null for a guest. */
  organizationRole: Role | null;
  /** In the order of the spaces of the request, then spaces that only their list has. */
  cells: { space: ResourceRef; role: KnownRole }[];
}
