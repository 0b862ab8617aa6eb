import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../src/cli/help/plain-schema.js';

/** JSON Schemas in tests: is something one, does a value fit, what would be a value that fits. */

const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false, validateFormats: false });

/** What is wrong with a schema itself; nothing where it is one. */
export function schemaFaults(schema: JsonSchema): string[] {
  ajv.validateSchema(schema);
  return texts(ajv.errors);
}

/** What does not fit a schema; nothing where all fits. */
export function faults(schema: JsonSchema, value: unknown): string[] {
  ajv.validate(schema, value);
  return texts(ajv.errors);
}

function texts(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The schema with no room for fields that it does not name: nothing may be printed that is not told. */
export function strict(schema: JsonSchema): JsonSchema {
  return strictPart(schema) as JsonSchema;
}

function strictPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strictPart);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, strictPart(part)]);
  const own = Object.fromEntries(entries) as JsonSchema;
  const names = own.properties === undefined ? [] : Object.keys(own.properties as object);
  return names.length > 0 && own.additionalProperties === undefined
    ? { ...own, additionalProperties: false }
    : own;
}

/** A value with everything that a schema names, lists with one item; what repeats itself ends at once. */
export function sample(schema: JsonSchema, name = 'value'): unknown {
  const at = schema as Record<string, JsonSchema & unknown[]>;
  if (at.const !== undefined) return at.const;
  if (Array.isArray(at.enum)) return at.enum[0];
  if (Array.isArray(at.anyOf)) return sample(at.anyOf[0] as JsonSchema, name);
  if (schema.type === 'array')
    return at.items === undefined || at.items.$ref !== undefined ? [] : [sample(at.items, name)];
  if (schema.type === 'object' || at.properties !== undefined) {
    const members = Object.entries((at.properties ?? {}) as Record<string, JsonSchema>);
    return Object.fromEntries(members.map(([key, part]) => [key, sample(part, key)]));
  }
  if (schema.type === 'number' || schema.type === 'integer') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.format === 'date-time') return '2025-06-15T12:00:00.000Z';
  if (typeof schema.pattern === 'string') return fitting(schema.pattern);
  return schema.type === 'string' ? `a ${name}` : { any: 'value' };
}

function fitting(pattern: string): string {
  const texts = ['pet-store', 'docs.acme.example', 'acme.example/docs'];
  const found = texts.find((text) => new RegExp(pattern).test(text));
  if (found === undefined) throw new Error(`no sample for ${pattern}`);
  return found;
}
