import { type Static, Type } from '../../api/type.js';
import { closed, orNull, stateOf, text } from '../../output/printed-shapes.js';
import { KnownRole, PersonRef } from '../pair.js';

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
