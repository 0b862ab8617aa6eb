import { paging } from '../../api/check.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import type { Command, Option } from '../declare/command.js';
import { globalOptions } from '../declare/global-flags.js';
import { contextFlags } from '../declare/standing-flags.js';
import type { DescribedCommand } from './described-command.js';
import { anyOf, type JsonSchema, plainSchema } from './plain-schema.js';
import { argumentSchema, objectOf, optionSchema } from './value-schema.js';

/** The input of a command as JSON Schema: what is typed, and the requests that come of it. */

/**
 * What is typed: `args` by name, `flags` by long name without dashes. false is the second flag of a
 * pair (`--no-x`), a list is a flag repeated, or the positionals in order.
 */
export function inputSchema(command: Command): JsonSchema {
  const args = objectOf(
    Object.fromEntries(command.args.map((argument) => [argument.name, argumentSchema(argument)])),
    command.args.filter(({ required }) => required).map(({ name }) => name),
  );
  // A required flag may come in the body of --input instead.
  const takesBody = command.options.some(({ name }) => name === 'input');
  const flags = flagsSchema(
    command.options,
    takesBody ? [] : command.options.filter(({ required }) => required).map(({ name }) => name),
  );
  const required = command.args.some((argument) => argument.required) ? ['args'] : [];
  return objectOf({ args, flags }, required);
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
  return command.operations.map((op) => {
    const query = queryOf(op);
    return {
      method: op.method,
      path: op.path,
      parameters: Object.fromEntries(
        pathParameters(op.path).map((parameter) => [parameter, sourceOf(command, parameter)]),
      ),
      ...(query !== undefined && { query }),
      ...(op.body !== undefined && { body: plainSchema(op.body) }),
    };
  });
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
