import type { TSchema } from './type.js';

/** Whether values conform to our own schemas, without Ajv, which takes longer to compile one than this to check all. */

/** What a value may be asked, by keyword of JSON Schema; the other keywords of the same schema come as the third. */
type Rule = (expected: never, value: unknown, schema: TSchema) => boolean;

const rules: Readonly<Record<string, Rule>> = {
  type: (type: string | string[], value) => [type].flat().some((one) => isOfType(one, value)),
  enum: (words: unknown[], value) => words.includes(value),
  const: (only: unknown, value) => value === only,
  minLength: (least: number, value) => typeof value !== 'string' || lengthOf(value) >= least,
  maxLength: (most: number, value) =>
    typeof value !== 'string' || value.length <= most || lengthOf(value) <= most,
  pattern: (pattern: string, value) => typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
  format: (format: string, value) => typeof value !== 'string' || isOfFormat(format, value),
  minimum: (least: number, value) => typeof value !== 'number' || value >= least,
  maximum: (most: number, value) => typeof value !== 'number' || value <= most,
  minItems: (least: number, value) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number, value) => !Array.isArray(value) || value.length <= most,
  uniqueItems: (unique: boolean, value) => !unique || !Array.isArray(value) || allDiffer(value),
  items: (schema: TSchema, value) => !Array.isArray(value) || value.every((item) => conforms(schema, item)),
  anyOf: (schemas: TSchema[], value) => schemas.some((schema) => conforms(schema, value)),
  required: (names: string[], value) => !isRecord(value) || names.every((name) => value[name] !== undefined),
  properties: (schemas: Record<string, TSchema>, value) =>
    entriesOf(value).every(([name, part]) => !Object.hasOwn(schemas, name) || conforms(schemas[name], part)),
  patternProperties: (schemas: Record<string, TSchema>, value) =>
    entriesOf(value).every(([name, part]) =>
      Object.entries(schemas).every(
        ([pattern, schema]) => !new RegExp(pattern, 'u').test(name) || conforms(schema, part),
      ),
    ),
  additionalProperties: (schema: boolean | TSchema, value, whole) =>
    schema === true || additionalOf(whole, value).every((part) => schema !== false && conforms(schema, part)),
};

/** What says something about a schema and asks nothing. */
const silent: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default', 'x-known']);

/**
 * Whether a value conforms to a schema. Open enumerations take any text.
 * @throws Error for a keyword that no schema of ours had so far
 */
export function conforms(schema: TSchema | undefined, value: unknown): boolean {
  return Object.entries(schema ?? {}).every(([keyword, expected]) => {
    const rule = rules[keyword];
    if (rule !== undefined) return rule(expected as never, value, schema as TSchema);
    if (silent.has(keyword)) return true;
    throw new Error(`The keyword ${keyword} of a schema is not known to conforms().`);
  });
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

function isOfFormat(format: string, value: string): boolean {
  if (format === 'uri') return URL.canParse(value);
  if (format === 'date-time') return !Number.isNaN(Date.parse(value));
  throw new Error(`The format ${format} of a schema is not known to conforms().`);
}

/** In characters, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function allDiffer(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value).filter(([, part]) => part !== undefined) : [];
}

/** The values of the properties that a schema does not name. */
function additionalOf({ properties = {}, patternProperties = {} }: TSchema, value: unknown): unknown[] {
  const patterns = Object.keys(patternProperties as object).map((pattern) => new RegExp(pattern, 'u'));
  const isNamed = (name: string) =>
    Object.hasOwn(properties as object, name) || patterns.some((pattern) => pattern.test(name));
  return entriesOf(value).flatMap(([name, part]) => (isNamed(name) ? [] : [part]));
}
