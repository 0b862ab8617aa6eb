import fc from 'fast-check';
import { type Role, roles } from '../../../src/api/shapes.js';

/**
 * Random organizations in which access comes about in every way: roles, nested levels, visibilities, grants to
 * people and to teams. The same seed gives the same ones, and fast-check makes a failing one smaller.
 */

export type Level = Role | 'inherit' | null;

interface Grant {
  /** Index of a person or a team. */
  to: number;
  level: Role;
}

export interface SpaceNode {
  /** Index of a collection; null at the top. */
  parent: number | null;
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth' | 'in-collection' | 'private';
  level: Level;
  deleted: boolean;
  users: Grant[];
  teams: Grant[];
}

export interface AccessOrganization {
  /** The first is an administrator; null is a guest. */
  people: { role: Role | null; disabled: boolean }[];
  teams: { person: number; owner: boolean }[][];
  /** Each inside one of those before it, or at the top. */
  collections: { parent: number | null; level: Level }[];
  spaces: SpaceNode[];
  sites: { visibility: 'public' | 'share-link' | 'visitor-auth'; published: boolean; spaces: number[] }[];
}

const some = fc.nat(40);
const level = fc.constantFrom<Level>(...roles, 'inherit', 'inherit', 'inherit', null);
const grants = fc.array(fc.record({ to: some, level: fc.constantFrom(...roles) }), { maxLength: 3 });

const space: fc.Arbitrary<SpaceNode> = fc.record({
  parent: fc.option(some, { nil: null, freq: 4 }),
  visibility: fc.constantFrom(
    ...(['public', 'unlisted', 'share-link', 'visitor-auth', 'private', 'private'] as const),
    ...(['in-collection', 'in-collection', 'in-collection'] as const),
  ),
  level,
  deleted: fc.constantFrom(false, false, false, false, false, true),
  users: grants,
  teams: grants,
});

/** Few people and spaces, so that they meet in many ways. */
export const accessOrganization: fc.Arbitrary<AccessOrganization> = fc
  .record({
    people: fc.array(
      fc.record({
        role: fc.constantFrom(...roles, 'edit' as const, 'read' as const, null, null),
        disabled: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    teams: fc.array(fc.array(fc.record({ person: some, owner: fc.boolean() }), { maxLength: 4 }), {
      maxLength: 4,
    }),
    collections: fc.array(fc.record({ parent: fc.option(some, { nil: null }), level }), { maxLength: 4 }),
    spaces: fc.array(space, { minLength: 1, maxLength: 6 }),
    sites: fc.array(
      fc.record({
        visibility: fc.constantFrom('public', 'share-link', 'visitor-auth'),
        published: fc.boolean(),
        spaces: fc.uniqueArray(some, { maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map((org) => ({ ...org, people: [{ role: 'admin' as const, disabled: false }, ...org.people] }));
