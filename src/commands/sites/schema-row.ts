import { claimChanges } from '../../access/adaptive/claim-schema.js';
import { type Static, Type } from '../../api/type.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';

/** A claim that changes, or a condition that would break. */
export const SchemaRow = closed({
  status: stateOf(...claimChanges, 'breaks', 'unknown'),
  kind: oneOf('claim', 'section', 'site-space'),
  claims: Type.Array(text, { description: 'The claim, or the changed claims that the condition uses' }),
  title: maybe,
  path: maybe,
  condition: maybe,
  why: text,
  id: Type.String({ description: 'Of the section or site space; of a claim its name' }),
});
export type SchemaRow = Static<typeof SchemaRow>;
