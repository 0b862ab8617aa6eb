import { closed, maybe, oneOf, text } from '../api/shapes.js';
import { type Static, Type } from '../api/type.js';

const described = (description: string) => Type.Optional(Type.String({ description }));

/** How it is known that an agent acts: it called the MCP server. Without it, the environment says so, which anyone can set. */
export const Via = Type.Literal('mcp', {
  description: 'Absent if only the environment says that an agent acts',
});

/** Who runs a command, as journals and the audit chain tell it, and as both are printed. */
export const Actor = closed({
  kind: oneOf('person', 'ci', 'agent'),
  /** The signed-in member's email or id; of CI the system; else the user of this machine. */
  name: text,
  client: described('The agent, with its version if it states one'),
  via: Type.Optional(Via),
  plan: maybe,
  approval: described('Who approved the plan'),
  policy: Type.Optional(
    Type.Unsafe<readonly string[]>(Type.Array(text, { description: 'SHA-256 of each policy in force' })),
  ),
  rule: described('The rule that allowed it'),
});
export type Actor = Static<typeof Actor>;
