import { plainNumbers } from './input-json.js';
import { type AnyOperation, pathParameters } from './operation.js';
import { type TSchema, Type } from './type.js';
import { type Fault, faultsIn, type Strictness } from './validate.js';

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

/** Query parameters that every page operation has (spec A, "Conventions", 4). */
export const paging = {
  page: Type.Optional(Type.String({ minLength: 1, description: 'Cursor of the first page to return' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Items per page' })),
};

/**
 * The one check of inputs: the command line runs it before sending, the sandbox on arrival.
 * @param how `known` rejects unknown members of open enumerations, which the command line must not
 *   (platform-facts, rule 1)
 * @returns all problems of an input
 */
export function checkInput(
  op: AnyOperation,
  { path = {}, query = {}, body }: Parts,
  how: Exclude<Strictness, 'answer'> = 'input',
): Issue[] {
  const issues = (where: Issue['where'], schema: TSchema, value: unknown) =>
    faultsIn(schema, value, how).map((fault) => ({
      where,
      field: fault.field,
      message: sentence(fault),
      keyword: fault.keyword,
    }));
  return [
    ...pathIssues(pathParameters(op.path), path),
    ...issues('query', querySchemaOf(op), query),
    ...(op.body === undefined ? [] : issues('body', op.body, plainNumbers(body ?? {}))),
  ];
}

const querySchemas = new WeakMap<AnyOperation, TSchema>();

/** Query parameters with those of pages; each made once, as its check is. */
function querySchemaOf(op: AnyOperation): TSchema {
  if (op.returns.kind !== 'page') return op.query;
  const made =
    querySchemas.get(op) ??
    Type.Object({ ...op.query.properties, ...paging }, { additionalProperties: false });
  querySchemas.set(op, made);
  return made;
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

function sentence({ keyword, schema }: Fault): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return `is not known; known: ${knownKeys(schema)}`;
  if (keyword === 'minLength' || keyword === 'maxLength')
    return `must be ${range(schema, 'Length', 'character')} long`;
  if (keyword === 'minItems' || keyword === 'maxItems') return `must have ${range(schema, 'Items', 'item')}`;
  if (keyword === 'minimum' || keyword === 'maximum') return `must be ${bounds(schema)}`;
  if (keyword === 'enum' || keyword === 'x-known') return `must be one of ${schema[keyword].join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(schema.const)}`;
  if (keyword === 'pattern') return `must match ${schema.pattern}`;
  if (keyword === 'format')
    return schema.format === 'uri' ? 'must be an absolute URL' : `must be a ${schema.format}`;
  if (keyword === 'anyOf') return `must be ${variants(schema)}`;
  return `must be ${article(String(schema.type))}`;
}

function range(schema: TSchema, what: string, unit: string): string {
  const [low, high] = [schema[`min${what}`], schema[`max${what}`]];
  if (low === high) return `exactly ${low} ${unit}s`;
  if (low === undefined) return `at most ${high} ${unit}s`;
  if (high === undefined) return `at least ${low} ${unit}${low === 1 ? '' : 's'}`;
  return `${low} to ${high} ${unit}s`;
}

function bounds(schema: TSchema): string {
  return schema.maximum === undefined
    ? `at least ${schema.minimum}`
    : `a number from ${schema.minimum ?? 'any'} to ${schema.maximum}`;
}

function knownKeys(schema: TSchema): string {
  const keys = Object.keys(schema.properties ?? {});
  return keys.length === 0 ? 'none' : keys.join(', ');
}

function variants(schema: TSchema): string {
  const types = schema.anyOf.map((branch: TSchema) => article(String(branch.type)));
  return [...new Set(types)].join(' or ');
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
