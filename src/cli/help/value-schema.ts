import type { Argument, Option } from '../declare/command.js';
import type { JsonSchema } from './plain-schema.js';

/** What may be typed for a positional or a flag, as JSON Schema and in words. */

/** Keywords that limit a value. */
const limitKeywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'] as const;

export type Limits = Partial<Record<(typeof limitKeywords)[number], unknown>>;
export type ValueType = 'string' | 'number' | 'boolean';

/** The type of one value, as it is typed. */
export function typeOf(option: Option): ValueType {
  if (option.boolean !== undefined) return 'boolean';
  return option.number ? 'number' : 'string';
}

/** Whether a flag may stand alone though it takes a value: `--wait [time]`. */
export function isValueOptional({ value }: Pick<Option, 'value'>): boolean {
  return value?.startsWith('[') ?? false;
}

/** The limits of one value; none where a parser makes something else of what is typed. */
export function limitsOf({ schema, parse }: Option): Limits {
  if (schema === undefined || (parse !== undefined && schema.type !== 'string')) return {};
  const found = limitKeywords.filter((keyword) => schema[keyword] !== undefined);
  return Object.fromEntries(found.map((keyword) => [keyword, schema[keyword]]));
}

/** A flag's value: of a repeated one, the list of its values. */
export function optionSchema(option: Option): JsonSchema {
  const value = valueSchema(option);
  const one = isValueOptional(option) ? { anyOf: [value, { const: true }] } : value;
  const about = {
    description: option.description,
    ...(option.default !== undefined && { default: option.default }),
  };
  return option.variadic ? { type: 'array', items: one, minItems: 1, ...about } : { ...one, ...about };
}

function valueSchema(option: Option): JsonSchema {
  const type = typeOf(option);
  if (type === 'boolean') return option.boolean === true ? { const: true } : { type };
  const { choices, closed, nullable } = option;
  if (choices !== undefined && closed) return { enum: nullable ? [...choices, 'none'] : [...choices] };
  const whole = type === 'number' && option.schema?.type === 'integer' ? 'integer' : type;
  return { type: whole, ...limitsOf(option), ...(choices !== undefined && { examples: [...choices] }) };
}

/** A positional's value, or the list of them. */
export function argumentSchema(argument: Argument): JsonSchema {
  const { choices } = argument;
  const one: JsonSchema = choices === undefined ? { type: 'string', minLength: 1 } : { enum: [...choices] };
  const about = { description: argument.description };
  if (!argument.variadic) return { ...one, ...about };
  return { type: 'array', items: one, ...(argument.required && { minItems: 1 }), ...about };
}

/** An object of named values. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
}
