import { Type } from '../../api/type.js';
import { closed, flag, maybe, oneOf, text } from '../../output/printed-shapes.js';

/** The shape of what `docs commands --json` prints; describe.ts makes it. */

const anyObject = Type.Object({});

const describedArgument = closed({
  name: text,
  required: flag,
  variadic: flag,
  description: text,
  type: oneOf('string'),
  choices: Type.Optional(Type.Array(text)),
  reads: Type.Optional(Type.Array(oneOf('@file', '-'))),
  idsFrom: Type.Optional(Type.String({ description: 'Command that lists what can be typed here' })),
});

const describedOption = closed({
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

/** A command as `docs commands --json` prints it. */
export const DescribedCommand = closed({
  path: Type.String({ description: 'The words after docs' }),
  summary: text,
  aliases: Type.Array(text),
  args: Type.Array(describedArgument),
  options: Type.Array(describedOption),
  operations: Type.Array(
    closed({ method: text, path: text, success: Type.Integer(), returns: oneOf('one', 'page', 'none') }),
  ),
  examples: Type.Array(closed({ run: text, does: text })),
  danger: oneOf('read', 'change', 'confirm', 'type-title'),
  why: maybe,
  topic: maybe,
  usage: text,
  globals: Type.Array(describedOption),
  request: Type.Array(
    closed({
      method: text,
      path: text,
      parameters: Type.Record(text, text, { description: 'Where each path parameter comes from' }),
      query: Type.Optional(anyObject),
      body: Type.Optional(anyObject),
    }),
  ),
  input: Type.Object({}, { description: 'JSON Schema of what is typed' }),
  body: Type.Optional(Type.Object({}, { description: 'JSON Schema of the body that --input takes' })),
  result: Type.Object({}, { description: 'JSON Schema of what --json prints' }),
  preview: Type.Optional(Type.Object({}, { description: 'JSON Schema of what --dry-run --json prints' })),
  exitCodes: Type.Array(closed({ code: Type.Integer(), name: text, meaning: text })),
});
