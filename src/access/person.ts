import type { Member } from '../api/resources/members.js';
import { meant, type Role, roles } from '../api/shapes.js';
import { type Static, Type } from '../api/type.js';
import { defined } from '../base/values.js';
import { closed, oneOf, orNull, stateOf, text } from '../output/printed-shapes.js';
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

export const PersonRef = closed({
  id: text,
  email: Type.Union([Type.String(), Type.Null()], { description: 'null where the token cannot see it' }),
  displayName: text,
});
export type PersonRef = Static<typeof PersonRef>;

export function refOf({ id, user }: Member): PersonRef {
  return { id, email: user.email ?? null, displayName: user.displayName };
}

export const PlaceRef = closed({ id: text, title: text });
export type PlaceRef = Static<typeof PlaceRef>;

export function placeRef({ id, title }: PlaceRef): PlaceRef {
  return { id, title };
}

/** One person and one space, as `docs access matrix` prints them. */
export const Pair = closed({ person: PersonRef, space: PlaceRef, role: KnownRole });
export type Pair = Static<typeof Pair>;

/** One person with a role in a space, as `docs access who` prints them. */
export const Holder = closed({
  person: PersonRef,
  space: PlaceRef,
  role: KnownRole,
  via: Type.Unsafe<(typeof reasons)[number]>({ enum: reasons, description: 'What gives the role' }),
  teams: Type.Array(PlaceRef, {
    description: 'Where it is granted, the teams of the person: the grant is to one of them or to the person',
  }),
});
export type Holder = Static<typeof Holder>;

/** What `docs access what-if` prints: a person whose role in a space changes, or may change. */
export const WhatIfRow = closed({
  person: PersonRef,
  space: PlaceRef,
  change: stateOf('gains', 'loses', 'changes', 'unknown'),
  from: KnownRole,
  to: { ...KnownRole, description: 'The role afterwards, at least' },
  most: { ...KnownRole, description: 'The role afterwards, at most' },
  certain: Type.Boolean({ description: 'Whether the role changes for sure' }),
});
export type WhatIfRow = Static<typeof WhatIfRow>;
