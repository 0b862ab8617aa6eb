import { paging } from '../../api/check.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import type { Argument, Command, Option } from '../declare/command.js';
import { contextFlags } from '../declare/context-flags.js';
import { globalOptions } from '../declare/global-flags.js';
import type { DescribedCommand } from './described-command.js';
import { anyOf, type JsonSchema, plainSchema } from './plain-schema.js';

/** The input of a command as JSON Schema: what is typed, and the requests that come of it. */

/**
 * What is typed: `args` by name, `flags` by long name without dashes. false is the second flag of a
 * pair (`--no-x`), a list is a flag repeated, or the positionals in order.
 */
export function inputSchema(command: Command): JsonSchema {
  const names = (takers: readonly (Argument | Option)[]) =>
    takers.filter(({ required }) => required).map(({ name }) => name);
  const schemas = command.args.map((argument) => [argument.name, argumentSchema(argument)] as const);
  const args = objectOf(Object.fromEntries(schemas), names(command.args));
  // A required flag may come in the body of --input instead.
  const takesBody = command.options.some(({ name }) => name === 'input');
  const flags = flagsSchema(command.options, takesBody ? [] : names(command.options));
  return objectOf({ args, flags }, names(command.args).length > 0 ? ['args'] : []);
}

/** The same with `globals`: the flags that every command takes. */
export function wholeInputSchema(command: Command): JsonSchema {
  const input = inputSchema(command);
  const properties = { ...(input.properties as JsonSchema), globals: flagsSchema(globalOptions, []) };
  return { ...input, properties };
}

function flagsSchema(options: readonly Option[], required: readonly string[]): JsonSchema {
  return objectOf(Object.fromEntries(options.map((option) => [option.name, optionSchema(option)])), required);
}

/** The body that `--input` takes; undefined where the command sends none. */
export function bodySchema(command: Command): JsonSchema | undefined {
  const bodies = command.operations.flatMap(({ body }) => (body === undefined ? [] : [plainSchema(body)]));
  return command.spec === undefined || bodies.length === 0 ? undefined : anyOf(bodies);
}

/** The requests of a command, in the order in which the runner tries them. */
export function requestsOf(command: Command): DescribedCommand['request'] {
  return command.operations.map((op) => ({
    method: op.method,
    path: op.path,
    parameters: Object.fromEntries(pathParameters(op.path).map((name) => [name, sourceOf(command, name)])),
    ...defined({ query: queryOf(op), body: op.body && plainSchema(op.body) }),
  }));
}

function queryOf(op: AnyOperation): JsonSchema | undefined {
  const properties = { ...op.query.properties, ...(op.returns.kind === 'page' && paging) };
  if (Object.keys(properties).length === 0) return undefined;
  return plainSchema({ ...op.query, properties });
}

/** Where a path parameter comes from, as it is typed. */
function sourceOf(command: Command, parameter: string): string {
  const argument = command.args.find(({ field }) => field === parameter);
  if (argument !== undefined) return argument.required ? `<${argument.name}>` : `[${argument.name}]`;
  const flag = (contextFlags as Record<string, string>)[parameter];
  const taken = command.options.some(({ name }) => name === flag);
  return flag !== undefined && taken ? `--${flag}` : 'looked up';
}

/** Keywords that limit a value. */
const limitKeywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'] as const;

/** The type of one value, as it is typed. */
export function typeOf(option: Option): 'string' | 'number' | 'boolean' {
  if (option.boolean !== undefined) return 'boolean';
  return option.number ? 'number' : 'string';
}

/** Whether a flag may stand alone though it takes a value: `--wait [time]`. */
export function isValueOptional({ value }: Pick<Option, 'value'>): boolean {
  return value?.startsWith('[') ?? false;
}

/** The limits of one value; none where a parser makes something else of what is typed. */
export function limitsOf({ schema, parse }: Option): Record<string, unknown> {
  if (schema === undefined || (parse !== undefined && schema.type !== 'string')) return {};
  const found = limitKeywords.filter((keyword) => schema[keyword] !== undefined);
  return Object.fromEntries(found.map((keyword) => [keyword, schema[keyword]]));
}

/** A flag's value: of a repeated one, the list of its values. */
function optionSchema(option: Option): JsonSchema {
  const value = valueSchema(option);
  const one = isValueOptional(option) ? { anyOf: [value, { const: true }] } : value;
  const about = { description: option.description, ...defined({ default: option.default }) };
  return option.variadic ? { type: 'array', items: one, minItems: 1, ...about } : { ...one, ...about };
}

function valueSchema(option: Option): JsonSchema {
  const type = typeOf(option);
  if (type === 'boolean') return option.boolean === true ? { const: true } : { type };
  const { choices, closed, nullable } = option;
  if (choices !== undefined && closed)
    return { enum: nullable ? [...choices, 'none', 'null'] : [...choices] };
  const whole = type === 'number' && option.schema?.type === 'integer' ? 'integer' : type;
  return { type: whole, ...limitsOf(option), ...(choices !== undefined && { examples: [...choices] }) };
}

/** A positional's value, or the list of them. */
function argumentSchema(argument: Argument): JsonSchema {
  const { choices } = argument;
  const one: JsonSchema = choices === undefined ? { type: 'string', minLength: 1 } : { enum: [...choices] };
  const about = { description: argument.description };
  if (!argument.variadic) return { ...one, ...about };
  return { type: 'array', items: one, ...(argument.required && { minItems: 1 }), ...about };
}

/** An object of named values. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
}
