import { claimChanges } from '../../access/adaptive/claims.js';
import { type Static, Type } from '../../api/type.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';

/** A claim that changes, a condition that would break, or one that is broken already. */
export const SchemaRow = closed({
  status: stateOf(...claimChanges, 'breaks', 'unknown', 'broken'),
  kind: oneOf('claim', 'section', 'site-space'),
  claims: Type.Array(text, {
    description: 'The claim, or those on account of which the condition is listed',
  }),
  title: maybe,
  path: maybe,
  condition: maybe,
  why: text,
  id: Type.String({ description: 'Of the section or site space; of a claim its name' }),
});
export type SchemaRow = Static<typeof SchemaRow>;
