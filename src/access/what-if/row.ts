import { type Static, Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { closed, stateOf } from '../../output/printed-shapes.js';
import type { RoleChange } from '../impact/change.js';
import { rankOf } from '../levels.js';
import { KnownRole, PersonRef, PlaceRef } from '../pair.js';

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

/** In which direction a role moves; `changes` where it may be either. */
export function directionOf({
  from,
  to,
  most,
}: Pick<RoleChange, 'from' | 'to' | 'most'>): WhatIfRow['change'] {
  const [now, low, high] = [rankOf(from), rankOf(to), rankOf(most ?? to)];
  if (low >= now) return 'gains';
  return high > now ? 'changes' : 'loses';
}

export function rowOf(person: PersonRef, change: RoleChange): WhatIfRow {
  const { space, from, to, most, certain } = change;
  return { person, space, change: directionOf(change), from, to, most: most ?? to, certain };
}

/** The row as an impact tells it; undefined where the role could not be read. */
export function roleChangeOfRow({
  person,
  space,
  from,
  to,
  most,
  certain,
}: WhatIfRow): RoleChange | undefined {
  if (from === 'unknown' || to === 'unknown' || most === 'unknown') return undefined;
  const { id, email } = person;
  return {
    person: { id, ...defined({ email: email ?? undefined }) },
    ...{ space: { id: space.id, title: space.title }, from, to },
    ...(most !== to && most !== null && { most }),
    certain,
  };
}

/** A row about which nothing is claimed: the role could not be read. */
export function unknownRow(person: PersonRef, space: PlaceRef): WhatIfRow {
  const role = 'unknown';
  return { person, space, change: 'unknown', from: role, to: role, most: role, certain: false };
}
