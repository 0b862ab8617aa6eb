import { sample as generated, stringMatching } from 'fast-check';

/** Values that fit a schema: its type, limits, pattern, format and known values. The same each time. */

/** The keywords that our declarations use, of JSON Schema. */
export interface SampleSchema {
  [keyword: string]: unknown;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  'x-known'?: readonly unknown[];
  anyOf?: readonly SampleSchema[];
  items?: SampleSchema;
  properties?: Readonly<Record<string, SampleSchema>>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  format?: string;
  pattern?: string;
}

/**
 * A value with everything that the schema names; lists have one item, or as many as they must. What
 * contains itself ends at once.
 * @param name goes into texts, so that fields differ
 */
export function sample(schema: SampleSchema, name = 'value'): unknown {
  if (schema.const !== undefined) return schema.const;
  const known = schema.enum ?? schema['x-known'];
  if (known !== undefined) return known[0];
  const branch = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema.anyOf?.[0];
  if (branch !== undefined) return sample(branch, name);
  if (schema.type === 'array') return items(schema, name);
  if (schema.type === 'object' || schema.properties !== undefined) {
    const members = Object.entries(schema.properties ?? {});
    return Object.fromEntries(members.map(([key, part]) => [key, sample(part, key)]));
  }
  if (schema.type === 'number' || schema.type === 'integer') return sampleNumber(schema);
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? sampleText(schema, `a ${name}`) : { any: 'value' };
}

function items({ items: item, minItems = 1 }: SampleSchema, name: string): unknown[] {
  if (item === undefined || item.$ref !== undefined) return [];
  const known = item.enum ?? item['x-known'];
  return Array.from({ length: Math.max(1, minItems) }, (_, index) =>
    index === 0 ? sample(item, name) : (known?.[index] ?? sample(item, `${name} ${index + 1}`)),
  );
}

/** 3, or the limit that is nearest to it. */
export function sampleNumber({ minimum = 3, maximum = 3 }: SampleSchema): number {
  return Math.min(Math.max(3, minimum), maximum);
}

/** The text itself where it fits; else the nearest that does. */
export function sampleText(schema: SampleSchema, text: string): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = schema;
  if (format === 'date-time') return '2025-06-15T12:00:00.000Z';
  if (format === 'uri') return `https://acme.example/${text.replace(/^a /, '').replaceAll(' ', '-')}?a=1&b=2`;
  if (pattern === undefined)
    return text.padEnd(minLength, 'x').slice(0, maxLength).trim().padEnd(minLength, 'x');
  const fits = (candidate: string): boolean =>
    new RegExp(pattern, 'u').test(candidate) &&
    candidate.length >= minLength &&
    candidate.length <= maxLength;
  const known = [text, 'pet-store', 'docs.acme.example', 'acme.example/docs'].find(fits);
  const found =
    known ?? generated(stringMatching(new RegExp(pattern, 'u')), { seed: 1, numRuns: 1000 }).find(fits);
  if (found === undefined)
    throw new Error(`no sample for ${pattern}, ${minLength} to ${maxLength} characters`);
  return found;
}
