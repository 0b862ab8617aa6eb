import type { TSchema } from './type.js';

/** Whether values conform to our own schemas, without Ajv, which takes longer to compile one than this to check all. */

/** Whether a value passes one keyword of JSON Schema; the other keywords of the same schema come as the third. */
type Rule = (expected: unknown, value: unknown, schema: TSchema) => boolean;

/**
 * A rule whose keyword has to be of a form.
 * @throws Error from the rule, where a schema of ours is malformed
 */
function rule<T>(
  isOfForm: (expected: unknown) => expected is T,
  passes: (expected: T, value: unknown, schema: TSchema) => boolean,
): Rule {
  return (expected, value, schema) => {
    if (isOfForm(expected)) return passes(expected, value, schema);
    throw new Error(`A schema has a keyword with the malformed value ${JSON.stringify(expected)}.`);
  };
}

const isNumber = (part: unknown): part is number => typeof part === 'number';
const isText = (part: unknown): part is string => typeof part === 'string';
const isFlag = (part: unknown): part is boolean => typeof part === 'boolean';
const isList = (part: unknown): part is readonly unknown[] => Array.isArray(part);
const isSchema = (part: unknown): part is TSchema => isRecord(part);
const areTexts = (part: unknown): part is readonly string[] => isList(part) && part.every(isText);
const areSchemas = (part: unknown): part is readonly TSchema[] => isList(part) && part.every(isSchema);
const isTextOrTexts = (part: unknown): part is string | readonly string[] => isText(part) || areTexts(part);
const isFlagOrSchema = (part: unknown): part is boolean | TSchema => isFlag(part) || isSchema(part);
const areSchemasByName = (part: unknown): part is Readonly<Record<string, TSchema>> =>
  isRecord(part) && Object.values(part).every(isSchema);

const rules: Readonly<Record<string, Rule>> = {
  type: rule(isTextOrTexts, (types, value) => [types].flat().some((one) => isOfType(one, value))),
  enum: rule(isList, (words, value) => words.includes(value)),
  const: (only, value) => value === only,
  minLength: rule(isNumber, (least, value) => !isText(value) || lengthOf(value) >= least),
  maxLength: rule(
    isNumber,
    (most, value) => !isText(value) || value.length <= most || lengthOf(value) <= most,
  ),
  pattern: rule(isText, (pattern, value) => !isText(value) || new RegExp(pattern, 'u').test(value)),
  format: rule(isText, (format, value) => !isText(value) || isOfFormat(format, value)),
  minimum: rule(isNumber, (least, value) => !isNumber(value) || value >= least),
  maximum: rule(isNumber, (most, value) => !isNumber(value) || value <= most),
  minItems: rule(isNumber, (least, value) => !isList(value) || value.length >= least),
  maxItems: rule(isNumber, (most, value) => !isList(value) || value.length <= most),
  uniqueItems: rule(isFlag, (unique, value) => !unique || !isList(value) || allDiffer(value)),
  items: rule(isSchema, (schema, value) => !isList(value) || value.every((item) => conforms(schema, item))),
  anyOf: rule(areSchemas, (schemas, value) => schemas.some((schema) => conforms(schema, value))),
  required: rule(
    areTexts,
    (names, value) => !isRecord(value) || names.every((name) => value[name] !== undefined),
  ),
  properties: rule(areSchemasByName, (schemas, value) =>
    entriesOf(value).every(([name, part]) => !Object.hasOwn(schemas, name) || conforms(schemas[name], part)),
  ),
  patternProperties: rule(areSchemasByName, (schemas, value) =>
    entriesOf(value).every(([name, part]) =>
      Object.entries(schemas).every(
        ([pattern, schema]) => !new RegExp(pattern, 'u').test(name) || conforms(schema, part),
      ),
    ),
  ),
  additionalProperties: rule(
    isFlagOrSchema,
    (schema, value, whole) =>
      schema === true ||
      additionalOf(whole, value).every((part) => schema !== false && conforms(schema, part)),
  ),
};

/** What says something about a schema and asks nothing. */
const silent: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default', 'x-known']);

/**
 * Whether a value conforms to a schema. Open enumerations take any text.
 * @throws Error for a keyword that no schema of ours had so far, and for one of another form than JSON Schema's
 */
export function conforms(schema: TSchema | undefined, value: unknown): boolean {
  if (schema === undefined) return true;
  return Object.entries<unknown>(schema).every(([keyword, expected]) => {
    const passes = rules[keyword];
    if (passes !== undefined) return passes(expected, value, schema);
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
