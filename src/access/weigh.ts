import type { Role } from '../api/shapes.js';
import {
  type DefaultLevel,
  defaultLevelOf,
  type Levelled,
  type Reason,
  reasonOf,
  roleByLevels,
} from './levels.js';
import type { KnownRole, PlaceRef } from './pair.js';

/** A space or a collection, with what access to it depends on. */
export type Place = Levelled & { object: 'space' | 'collection'; visibility?: string };

export interface Question {
  /** Role in the organization; null for a guest. */
  organizationRole: Role | null;
  place: Place;
  /** By id: those around the place, as far as they could be read. */
  collections: ReadonlyMap<string, Levelled>;
  /** The effective role, as the platform tells it; undefined of a collection, where no operation tells it. */
  role: KnownRole | undefined;
  /** All teams of the person; undefined where they could not be read. */
  teams?: readonly PlaceRef[] | undefined;
}

/** A question with what follows from it. */
export interface Weighed extends Omit<Question, 'role'> {
  /** Of a collection, what organization role and levels give. */
  role: KnownRole;
  /** Whether grants may give more, as in collections, where no operation tells of them. */
  atLeast: boolean;
  reason: Reason;
  level: DefaultLevel;
  /** What organization role and levels give; undefined where the level is not known. */
  byLevels: Role | null | undefined;
}

/** The role of a person in a space or a collection, and the reason for it. */
export function weigh({ role: told, ...question }: Question): Weighed {
  const { organizationRole, place, collections } = question;
  const level = defaultLevelOf(place, collections);
  const byLevels = roleByLevels(organizationRole, level);
  const role = told === undefined ? (byLevels === undefined ? 'unknown' : byLevels) : told;
  const reason = reasonOf(role, { organizationRole, byLevels });
  const atLeast = told === undefined && organizationRole !== 'admin';
  return { ...question, role, atLeast, reason, level, byLevels };
}
