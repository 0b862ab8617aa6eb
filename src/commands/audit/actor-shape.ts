import { Type } from '../../api/type.js';
import { closed, maybe, oneOf, text } from '../../output/printed-shapes.js';

/** Who did it, as jobs and the audit chain print it. */
export const ActorShape = closed({
  kind: oneOf('person', 'ci', 'agent'),
  name: text,
  client: Type.Optional(Type.String({ description: 'The agent, with its version where it says so' })),
  plan: maybe,
  approval: Type.Optional(Type.String({ description: 'Who approved the plan' })),
  policy: Type.Optional(Type.Array(text, { description: 'SHA-256 of each policy in force' })),
  rule: Type.Optional(Type.String({ description: 'The rule that allowed it' })),
});
