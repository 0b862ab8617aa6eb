import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../src/cli/help/plain-schema.js';

/** JSON Schemas in tests: is something one, does a value fit. */

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
