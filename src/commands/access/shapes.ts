import { reasons } from '../../access/levels.js';
import { KnownRole, PersonRef, PlaceRef } from '../../access/person.js';
import type { Role } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import { closed, flag, maybe, oneOf, orNull, roleText, stateOf, text } from '../../output/printed-shapes.js';

/** What `docs access diff` prints. */

const directions = ['gained', 'lost', 'changed', 'unknown', 'appeared', 'disappeared'] as const;

/** A role that changed; or a person or a space, then without the other, that only one of the matrices has. */
export const AccessDifference = closed({
  change: stateOf(...directions),
  person: orNull(PersonRef),
  space: orNull(
    closed({
      id: Type.Union([Type.String(), Type.Null()], {
        description: 'null where both matrices name spaces by title alone',
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
      description: 'Default level as it is set: a role, inherit, or null for nobody',
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
  published: Type.Boolean({ description: 'Whether the site is published; nobody can read it otherwise' }),
  visibility: text,
  url: Type.Union([Type.String(), Type.Null()], { description: 'Where it is published' }),
  conditions: Type.Array(text, { description: 'Visitors see it only where all of these hold' }),
  readers: text,
});
export type Audience = Static<typeof Audience>;

/** A place of a space on a site. */
export const Publication = closed({ site: PlaceRef, siteSpace: text, ...Audience.properties });
export type Publication = Static<typeof Publication>;

export const Explanation = closed({
  person: closed({ ...PersonRef.properties, role: orNull(roleText), disabled: flag }),
  resource: closed({ object: oneOf('space', 'collection', 'site'), id: text, title: text }),
  role: KnownRole,
  atLeast: Type.Boolean({ description: 'Whether grants that no operation tells of may give more' }),
  reason: Type.Unsafe<(typeof reasons)[number]>({ enum: reasons }),
  why: text,
  layers: Type.Array(Layer, { description: 'In order of precedence' }),
  teams: Type.Optional(
    Type.Array(PlaceRef, { description: 'Teams of the person, where a grant to one may give the role' }),
  ),
  publications: Type.Optional(Type.Array(Publication, { description: 'Of a space: where it is published' })),
  audience: Type.Optional(Audience),
  permits: Type.Optional(
    Type.Array(text, { description: 'Of a site: operations that the organization role permits' }),
  ),
  notRead: Type.Array(text, { description: 'What could not be read' }),
});
export type Explanation = Static<typeof Explanation>;

/** A person with their role in each space of the matrix. */
export interface MatrixRow {
  person: PersonRef;
  /** Role in the organization; null for a guest. */
  organizationRole: Role | null;
  /** In the order of the spaces of the request, then spaces that only their list has. */
  cells: { space: PlaceRef; role: KnownRole }[];
}
