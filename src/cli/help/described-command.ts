import { type Static, Type } from '../../api/type.js';
import type { ExitName } from '../../base/errors.js';
import { closed, flag, maybe, oneOf, text } from '../../output/printed-shapes.js';
import type { JsonSchema } from './plain-schema.js';

/** The shape of what `docs commands --json` prints; describe.ts makes it. */

const schema = (description: string) => Type.Unsafe<JsonSchema>(Type.Object({}, { description }));
const anyObject = Type.Unsafe<JsonSchema>(Type.Object({}));

/** A positional as data. */
export const DescribedArgument = closed({
  name: text,
  required: flag,
  variadic: flag,
  description: text,
  type: oneOf('string'),
  choices: Type.Optional(Type.Array(text)),
  reads: Type.Optional(Type.Array(oneOf('@file', '-'))),
  idsFrom: Type.Optional(Type.String({ description: 'Command that lists what can be typed here' })),
});
export type DescribedArgument = Static<typeof DescribedArgument>;

/** A flag as data; limits and reading are those of one value. */
export const DescribedOption = closed({
  flags: Type.String({ description: 'As help writes it' }),
  name: text,
  required: flag,
  variadic: Type.Boolean({ description: 'Whether the flag may be repeated' }),
  choices: Type.Optional(Type.Array(text)),
  nullable: flag,
  description: text,
  type: oneOf('string', 'number', 'boolean'),
  negative: Type.Optional(Type.String({ description: 'The flag that says false' })),
  short: maybe,
  valueOptional: Type.Optional(Type.Boolean({ description: 'The flag may stand alone' })),
  closed: Type.Optional(Type.Boolean({ description: 'Whether only the choices are taken' })),
  limits: Type.Optional(anyObject),
  default: Type.Optional(Type.Unknown()),
  clearedBy: Type.Optional(Type.String({ description: 'How null is said' })),
  reads: Type.Optional(Type.Array(oneOf('@file', '-'))),
  idsFrom: maybe,
});
export type DescribedOption = Static<typeof DescribedOption>;

/** What `docs commands --json` prints of a command (command-tree, "Commands that are not one operation"). */
const listed = {
  path: Type.String({ description: 'The words after docs' }),
  summary: text,
  aliases: Type.Array(text),
  args: Type.Array(DescribedArgument),
  options: Type.Array(DescribedOption),
  operations: Type.Array(
    closed({ method: text, path: text, success: Type.Integer(), returns: oneOf('one', 'page', 'none') }),
  ),
  examples: Type.Array(closed({ run: text, does: text })),
  danger: oneOf('read', 'change', 'confirm', 'type-title'),
  why: maybe,
  usage: text,
};

/** What `--full` adds. */
const further = {
  topic: maybe,
  writesHere: Type.Optional(
    Type.Boolean({ description: 'Whether it writes on this machine: settings, journals, files' }),
  ),
  globals: Type.Array(DescribedOption),
  request: Type.Array(
    closed({
      method: text,
      path: text,
      parameters: Type.Record(text, text, { description: 'Where each path parameter comes from' }),
      query: Type.Optional(anyObject),
      body: Type.Optional(anyObject),
    }),
  ),
  input: schema('JSON Schema of what is typed'),
  body: Type.Optional(schema('JSON Schema of the body that --input takes')),
  result: schema('JSON Schema of what --json prints'),
  preview: Type.Optional(schema('JSON Schema of what --dry-run --json prints')),
  exitCodes: Type.Array(closed({ code: Type.Integer(), name: Type.Unsafe<ExitName>(text), meaning: text })),
};

/** A command with all that is known of it. */
export const DescribedCommand = closed({ ...listed, ...further });
export type DescribedCommand = Static<typeof DescribedCommand>;

/** Names of what `--full` adds. */
export const fullFields: readonly string[] = Object.keys(further);

/** A command as `docs commands` prints it: with `--full` all of it. */
export const ListedCommand = closed({ ...listed, ...Type.Partial(closed(further)).properties });

/** A command without what only `--full` prints. */
export function inBrief(command: DescribedCommand): Partial<DescribedCommand> {
  return Object.fromEntries(Object.entries(command).filter(([key]) => !fullFields.includes(key)));
}
