import type { TSchema } from '@sinclair/typebox';
import { paging } from '../../api/check.js';
import type { AnyOperation } from '../../api/operation.js';

/**
 * Parses a query string as the operation declares it: numbers, booleans and lists (a repeated key).
 * Values that do not fit stay strings, which the check refuses.
 */
export function readQuery(operation: AnyOperation, text: string): Record<string, unknown> {
  if (text === '') return {};
  const given = new URLSearchParams(text);
  const declared: Readonly<Record<string, TSchema>> = { ...operation.query.properties, ...paging };
  const keys = [...new Set(given.keys())];
  return Object.fromEntries(keys.map((key) => [key, readValue(declared[key], given.getAll(key))]));
}

function readValue(schema: TSchema | undefined, texts: string[]): unknown {
  if (schema?.type === 'array') return texts.map((text) => readScalar(schema.items as TSchema, text));
  return texts.length === 1 ? readScalar(schema, texts[0] ?? '') : texts;
}

function readScalar(schema: TSchema | undefined, text: string): unknown {
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const numeric = schema?.type === 'number' || schema?.type === 'integer';
  return numeric && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
