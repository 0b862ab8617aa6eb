import type { ErrorObject } from 'ajv';
import { isObject } from '../base/values.js';
import { plainNumbers } from './input-json.js';
import { type AnyOperation, pathParameters } from './operation.js';
import { type TSchema, Type } from './type.js';

/** Whether values conform to our own schemas, without Ajv, which takes longer to compile one than this to check all. */

/** Whether a value passes one keyword of JSON Schema. */
type Rule = (schema: TSchema, value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const rules: Readonly<Record<string, Rule>> = {
  type: ({ type }, value) => [type].flat().some((one) => isOfType(one, value)),
  enum: ({ enum: words }, value) => words.includes(value),
  const: ({ const: only }, value) => value === only,
  minLength: ({ minLength }, value) => !isText(value) || lengthOf(value) >= minLength,
  maxLength: ({ maxLength }, value) =>
    !isText(value) || value.length <= maxLength || lengthOf(value) <= maxLength,
  pattern: ({ pattern }, value) => !isText(value) || new RegExp(pattern, 'u').test(value),
  format: ({ format }, value) => !isText(value) || isOfFormat(format, value),
  minimum: ({ minimum }, value) => !isNumber(value) || value >= minimum,
  maximum: ({ maximum }, value) => !isNumber(value) || value <= maximum,
  minItems: ({ minItems }, value) => !isList(value) || value.length >= minItems,
  maxItems: ({ maxItems }, value) => !isList(value) || value.length <= maxItems,
  uniqueItems: ({ uniqueItems }, value) => !uniqueItems || !isList(value) || allDiffer(value),
  items: ({ items }, value) => !isList(value) || value.every((item) => conforms(items, item)),
  anyOf: ({ anyOf }, value) => anyOf.some((schema: TSchema) => conforms(schema, value)),
  required: ({ required }, value) =>
    !isObject(value) || required.every((name: string) => value[name] !== undefined),
  properties: ({ properties }, value) =>
    entriesOf(value).every(
      ([name, part]) => !Object.hasOwn(properties, name) || conforms(properties[name], part),
    ),
  patternProperties: ({ patternProperties }, value) =>
    Object.entries<TSchema>(patternProperties).every(([pattern, schema]) =>
      entriesOf(value).every(
        ([name, part]) => !new RegExp(pattern, 'u').test(name) || conforms(schema, part),
      ),
    ),
  additionalProperties: (schema, value) => {
    const { additionalProperties: further } = schema;
    return (
      further === true ||
      additionalOf(schema, value).every((part) => further !== false && conforms(further, part))
    );
  },
};

/** What says something about a schema and asks nothing. */
const silent: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default', 'x-known']);

/**
 * Whether a value conforms to a schema. Open enumerations take any text.
 * @throws Error for a keyword that no schema of ours had so far
 */
export function conforms(schema: TSchema | undefined, value: unknown): boolean {
  if (schema === undefined) return true;
  return Object.keys(schema).every((keyword) => {
    const passes = rules[keyword];
    if (passes !== undefined) return passes(schema, value);
    if (silent.has(keyword)) return true;
    throw new Error(`The keyword ${keyword} of a schema is not known to conforms().`);
  });
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
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

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value).filter(([, part]) => part !== undefined) : [];
}

/** The values of the properties that a schema does not name. */
function additionalOf({ properties = {}, patternProperties = {} }: TSchema, value: unknown): unknown[] {
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'));
  const isNamed = (name: string) =>
    Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
  return entriesOf(value).flatMap(([name, part]) => (isNamed(name) ? [] : [part]));
}

/** One problem of an input, worded to follow the name of a flag or field. */
export interface Issue {
  where: 'path' | 'query' | 'body';
  /** Dotted path of the field in its part; '' for the part itself. */
  field: string;
  /** The rest of a sentence that begins with the field: `must be 1 to 64 characters long`. */
  message: string;
  /** The violated JSON Schema keyword (`maxLength`, `enum`, `required`, …). */
  keyword: string;
}

/** The parts of a request before they are encoded into a URL. */
interface Parts {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

export type Checker = (op: AnyOperation, parts: Parts) => Issue[];

/** Whether an operation has, or requires, input besides its path; only then are the schemas needed. */
export function takesInput(op: AnyOperation, { query = {} }: Parts): boolean {
  return op.body !== undefined || op.query.required !== undefined || Object.keys(query).length > 0;
}

/** The check for operations without input besides the path; unlike the full check, it does not load Ajv. */
export const checkPath: Checker = (op, parts) => pathIssues(pathParameters(op.path), parts.path ?? {});

/** Query parameters that every page operation has (spec A, "Conventions", 4). */
export const paging = {
  page: Type.Optional(Type.String({ minLength: 1, description: 'Cursor of the first page to return' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Items per page' })),
};

/**
 * The one check of inputs: the command line runs it before sending, the sandbox on arrival.
 * @param knownOnly reject unknown members of open enumerations, which the command line must not
 *   (platform-facts, rule 1)
 * @returns lists all problems of an input
 */
export function createChecker({ knownOnly }: { knownOnly: boolean }): Promise<Checker> {
  const made = checkers.get(knownOnly) ?? makeChecker(knownOnly);
  checkers.set(knownOnly, made);
  return made;
}

/** One of each kind in a process: compiling the schemas is most of the work. */
const checkers = new Map<boolean, Promise<Checker>>();

async function makeChecker(knownOnly: boolean): Promise<Checker> {
  const { Ajv } = await import('ajv');
  // Our own schemas are valid, as tests check; validating them would cost more than everything else here.
  const schemas = { strict: false, validateSchema: false, meta: false };
  const ajv = new Ajv({ allErrors: true, verbose: true, logger: false, ...schemas });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));
  if (knownOnly) {
    ajv.addKeyword({
      keyword: 'x-known',
      validate: (values: string[], value: unknown) => values.includes(value as string),
    });
  }
  const validatorOf = remembered((schema: TSchema) => ajv.compile(schema));
  const querySchemaOf = remembered((op: AnyOperation) =>
    op.returns.kind === 'page' ? withPaging(op) : op.query,
  );
  const pathNamesOf = remembered((op: AnyOperation) => pathParameters(op.path));
  const issues = (where: Issue['where'], schema: TSchema, value: unknown): Issue[] => {
    const validate = validatorOf(schema);
    return validate(value) ? [] : explain(where, validate.errors ?? []);
  };
  return (op, parts) => [
    ...pathIssues(pathNamesOf(op), parts.path ?? {}),
    ...issues('query', querySchemaOf(op), parts.query ?? {}),
    ...(op.body === undefined ? [] : issues('body', op.body, plainNumbers(parts.body ?? {}))),
  ];
}

/** The function, each result made once. */
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

function withPaging(op: AnyOperation): TSchema {
  return Type.Object({ ...op.query.properties, ...paging }, { additionalProperties: false });
}

/** NUL and other control characters, which no id has. */
const control = /[\x00-\x1f\x7f]/;

/** Ids are opaque, but "", "." and ".." would change the path (RELIABILITY, "Secrets and origins"). */
function pathIssues(names: readonly string[], values: Readonly<Record<string, unknown>>): Issue[] {
  return names.flatMap((field) => {
    const value = values[field];
    const isId = typeof value === 'string' && value !== '' && value !== '.' && value !== '..';
    if (isId && !control.test(value)) return [];
    const message = value === undefined ? 'is required' : `must be an id, not ${JSON.stringify(value)}`;
    return [{ where: 'path' as const, field, message, keyword: 'required' }];
  });
}

function explain(where: Issue['where'], errors: readonly ErrorObject[]): Issue[] {
  return errors
    .filter((error) => !isBranch(error, errors))
    .map((error) => ({ where, field: fieldOf(error), message: sentence(error), keyword: error.keyword }));
}

/** An invalid nullable value fails in both branches and as a whole; only the branch of its type is reported. */
function isBranch(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  const here = all.filter((other) => other !== error && other.instancePath.startsWith(error.instancePath));
  if (error.keyword === 'anyOf') return here.some((other) => !isTypeError(other));
  const inBranch = /\/anyOf\/\d+/.test(error.schemaPath);
  const whole = all.some(
    (other) => other.keyword === 'anyOf' && error.instancePath.startsWith(other.instancePath),
  );
  return inBranch && whole && isTypeError(error);
}

function isTypeError(error: ErrorObject): boolean {
  return error.keyword === 'type' || error.keyword === 'const';
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const own = error.params.missingProperty ?? error.params.additionalProperty;
  return own === undefined ? path : [path, own].filter(Boolean).join('.');
}

function sentence(error: ErrorObject): string {
  const schema = (error.parentSchema ?? {}) as Record<string, unknown>;
  const { keyword, params } = error;
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return `is not known; known: ${knownKeys(schema)}`;
  if (keyword === 'minLength' || keyword === 'maxLength')
    return `must be ${range(schema, 'Length', 'character')} long`;
  if (keyword === 'minItems' || keyword === 'maxItems') return `must have ${range(schema, 'Items', 'item')}`;
  if (keyword === 'minimum' || keyword === 'maximum') return `must be ${bounds(schema)}`;
  if (keyword === 'enum') return `must be one of ${list(params.allowedValues)}`;
  if (keyword === 'x-known') return `must be one of ${list(schema['x-known'])}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === 'pattern') return `must match ${String(params.pattern)}`;
  if (keyword === 'format')
    return params.format === 'uri' ? 'must be an absolute URL' : `must be a ${params.format}`;
  if (keyword === 'type') return `must be ${article(String(params.type))}`;
  if (keyword === 'anyOf') return `must be ${variants(schema)}`;
  return error.message ?? 'is not valid';
}

function range(schema: Record<string, unknown>, what: string, unit: string): string {
  const [low, high] = [schema[`min${what}`], schema[`max${what}`]];
  if (low === high) return `exactly ${low} ${unit}s`;
  if (low === undefined) return `at most ${high} ${unit}s`;
  if (high === undefined) return `at least ${low} ${unit}${low === 1 ? '' : 's'}`;
  return `${low} to ${high} ${unit}s`;
}

function bounds(schema: Record<string, unknown>): string {
  return schema.maximum === undefined
    ? `at least ${schema.minimum}`
    : `a number from ${schema.minimum ?? 'any'} to ${schema.maximum}`;
}

function knownKeys(schema: Record<string, unknown>): string {
  const keys = Object.keys((schema.properties ?? {}) as object);
  return keys.length === 0 ? 'none' : keys.join(', ');
}

function variants(schema: Record<string, unknown>): string {
  const types = ((schema.anyOf ?? []) as TSchema[]).map((branch) => article(String(branch.type)));
  return [...new Set(types)].join(' or ');
}

function list(values: unknown): string {
  return (values as unknown[]).join(', ');
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
