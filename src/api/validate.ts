import { isObject, jsonIn } from '../base/values.js';
import { plainNumbers } from './json-values.js';
import type { AnyOperation } from './operation.js';
import { pathParameters } from './operation-facts.js';
import { roles } from './roles.js';
import { RawNumber } from './transport/json-text.js';
import { type Static, type TSchema, Type } from './type.js';

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
  return [
    ...pathIssues(pathParameters(op.path), path),
    ...issuesIn('query', querySchemaOf(op), query, how),
    ...(op.body === undefined ? [] : issuesIn('body', op.body, plainNumbers(body ?? {}), how)),
  ];
}

function issuesIn(where: Issue['where'], schema: TSchema, value: unknown, how: Strictness): Issue[] {
  return faultsIn(schema, value, how).map((fault) => ({
    where,
    field: fault.field,
    message: sentence(fault),
    keyword: fault.keyword,
  }));
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

/**
 * The one check of values against schemas of our own: inputs, answers, plans, arguments of tools. It knows the keywords
 * that `Type` makes; schemas of others are for Ajv (docs/decisions/063-one-validator.md).
 */

/**
 * How strictly. An input must have all that the schema asks for; with `known`, enumerations of which only some members
 * are known take no others. An answer must have the required keys and the right types: what a newer platform may add
 * passes, such as further keys and members of enumerations, and texts of any length or format. A role is compared, so one
 * that is not among the six does not pass. Null in place of an optional value is taken for none, and removed.
 */
type Strictness = 'input' | 'known' | 'answer';

/** What a value lacks. */
interface Fault {
  /** Dotted path of the value, or of the key that is missing or too much; '' for the whole. */
  field: string;
  /** The keyword of JSON Schema, and the schema that has it. */
  keyword: string;
  schema: TSchema;
}

type Check = (value: unknown, later: Later) => readonly Fault[];

/** Parts of a recursive shape that are still to be checked: a tree may be deeper than the call stack. */
type Later = { check: Check; value: unknown; at: string }[];

const compiled: Record<Strictness, WeakMap<TSchema, Check>> = {
  input: new WeakMap(),
  known: new WeakMap(),
  answer: new WeakMap(),
};

/**
 * Everything that is wrong with an input; of an answer, the first thing.
 * @throws Error for a keyword that no schema of ours had so far
 */
export function faultsIn(schema: TSchema, value: unknown, how: Strictness): readonly Fault[] {
  const known = compiled[how].get(schema);
  const check = known ?? compile(schema, how, new Map());
  if (known === undefined) compiled[how].set(schema, check);
  const later: Later = [];
  const faults = check(value, later);
  if (faults.length > 0) return faults;
  for (let part = later.pop(); part !== undefined; part = later.pop()) {
    const found = part.check(part.value, later);
    if (found.length > 0) return within(part.at, found);
  }
  return none;
}

/** Whether a value is a valid input. Open enumerations take any text. */
export function conforms(schema: TSchema, value: unknown): boolean {
  return faultsIn(schema, value, 'input').length === 0;
}

/** The value of a JSON text that a schema describes; undefined for anything else. */
export function readJson<S extends TSchema>(schema: S, text: string): Static<S> | undefined {
  const value = jsonIn(text);
  return value !== undefined && conforms(schema, value) ? (value as Static<S>) : undefined;
}

/** Where an answer first differs from its schema, such as `user.email`; '' for the whole, undefined where it fits. */
export function misfitOf(schema: TSchema, value: unknown): string | undefined {
  return faultsIn(schema, value, 'answer')[0]?.field;
}

const none: readonly Fault[] = [];

function within(name: string, faults: readonly Fault[]): readonly Fault[] {
  if (faults.length === 0) return none;
  return faults.map((fault) => ({
    ...fault,
    field: fault.field === '' ? name : `${name}.${fault.field}`,
  }));
}

/** All faults of several checks; nothing is allocated where there are none, as in most of thousands of values. */
function gathered<T>(from: readonly T[], faultsOf: (one: T) => readonly Fault[]): readonly Fault[] {
  let all: Fault[] | undefined;
  from.forEach((one) => {
    const found = faultsOf(one);
    if (found.length === 0) return;
    all ??= [];
    all.push(...found);
  });
  return all ?? none;
}

type Compile = (schema: TSchema) => Check;

/** A member of an object, and its check once a value had it. */
interface Member {
  name: string;
  schema: TSchema;
  check?: Check;
}

/** @param named the shapes around this one that refer to themselves, by their `$id` */
function compile(schema: TSchema, how: Strictness, named: ReadonlyMap<string, { check: Check }>): Check {
  const { $ref, $id } = schema;
  if ($ref !== undefined) {
    return (value, later) => {
      const check = named.get($ref)?.check;
      if (check !== undefined) later.push({ check, value, at: $ref });
      return none;
    };
  }
  const own: { check: Check } = { check: () => none };
  const inside = $id === undefined ? named : new Map(named).set($id, own);
  const part: Compile = (one) => compile(one, how, inside);
  own.check = how === 'answer' ? answerCheck(schema, part) : inputCheck(schema, part, how);
  return own.check;
}

/** Whether a value passes a keyword, for those that ask something of the value itself. */
const tests: Readonly<Record<string, (schema: TSchema, value: unknown) => boolean>> = {
  type: ({ type }, value) => isOfType(type, value),
  const: ({ const: only }, value) => value === only,
  enum: ({ enum: words }, value) => words.includes(value),
  'x-known': ({ 'x-known': words }, value) => words.includes(value),
  maximum: ({ maximum }, value) => !isNumber(value) || value <= maximum,
  minimum: ({ minimum }, value) => !isNumber(value) || value >= minimum,
  maxLength: ({ maxLength }, value) =>
    !isText(value) || value.length <= maxLength || lengthOf(value) <= maxLength,
  minLength: ({ minLength }, value) => !isText(value) || lengthOf(value) >= minLength,
  pattern: ({ pattern }, value) => !isText(value) || new RegExp(pattern, 'u').test(value),
  format: ({ format }, value) => !isText(value) || isOfFormat(format, value),
  maxItems: ({ maxItems }, value) => !isList(value) || value.length <= maxItems,
  minItems: ({ minItems }, value) => !isList(value) || value.length >= minItems,
};

/** Keywords that ask something of the parts of a value. */
const parts: Readonly<Record<string, (schema: TSchema, part: Compile) => Check>> = {
  anyOf: (schema, part) => anyOfCheck(schema, schema.anyOf.map(part), inputFaults),
  items: ({ items }, part) => itemsCheck(part(items)),
  required: (schema) => (value) => {
    if (!isObject(value)) return none;
    return gathered<string>(schema.required, (field) =>
      value[field] === undefined ? [{ field, keyword: 'required', schema }] : none,
    );
  },
  additionalProperties: furtherCheck,
  properties: ({ properties }, part) => {
    // Most inputs have few of them: each check is made by the first value that needs it.
    const checks = Object.entries<TSchema>(properties).map(([name, schema]): Member => ({ name, schema }));
    return (value, later) => {
      if (!isObject(value)) return none;
      return gathered(checks, (member) => {
        const own = value[member.name];
        if (own === undefined) return none;
        member.check ??= part(member.schema);
        return within(member.name, member.check(own, later));
      });
    };
  },
  patternProperties: ({ patternProperties }, part) => {
    const checks = Object.entries<TSchema>(patternProperties).map(
      ([pattern, one]) => [new RegExp(pattern, 'u'), part(one)] as const,
    );
    return (value, later) =>
      gathered(checks, ([pattern, check]) =>
        gathered(entriesOf(value), ([name, own]) =>
          pattern.test(name) ? within(name, check(own, later)) : none,
        ),
      );
  },
};

/** The order of faults: a wrong type comes before what only values of that type can break. */
const keywords = [
  ...[
    'const',
    'enum',
    'anyOf',
    'x-known',
    'maximum',
    'minimum',
    'maxLength',
    'minLength',
    'pattern',
    'format',
  ],
  ...['maxItems', 'minItems', 'items', 'required', 'additionalProperties', 'properties', 'patternProperties'],
];
const ofType: Readonly<Record<string, readonly string[]>> = {
  string: ['maxLength', 'minLength', 'pattern', 'format'],
  array: ['maxItems', 'minItems', 'items'],
  object: ['required', 'additionalProperties', 'properties', 'patternProperties'],
};

/** Keywords that say something about a schema and ask nothing. */
const silent: ReadonlySet<string> = new Set(['$id', 'title', 'description', 'examples', 'default']);

function inputCheck(schema: TSchema, part: Compile, how: Strictness): Check {
  const strange = Object.keys(schema).find(
    (keyword) => tests[keyword] === undefined && parts[keyword] === undefined && !silent.has(keyword),
  );
  if (strange !== undefined) throw new Error(`The keyword ${strange} of a schema is not known.`);
  const asked = keywords.filter(
    (keyword) => schema[keyword] !== undefined && (keyword !== 'x-known' || how === 'known'),
  );
  const { type } = schema;
  if (type !== undefined) {
    const at = asked.findIndex((keyword) => ofType[type]?.includes(keyword));
    asked.splice(Math.max(at, 0), 0, 'type');
  }
  const checks = asked.map((keyword) => parts[keyword]?.(schema, part) ?? testCheck(keyword, schema));
  const [only] = checks;
  if (only !== undefined && checks.length === 1) return only;
  return (value, later) => gathered(checks, (check) => check(value, later));
}

function testCheck(keyword: string, schema: TSchema, passes = tests[keyword]): Check {
  const faults = [fault(keyword, schema)];
  return (value) => (passes?.(schema, value) === false ? faults : none);
}

/** An answer is checked for each item of long lists: the least work where it fits. */
function answerCheck(schema: TSchema, part: Compile): Check {
  const { anyOf, type, items } = schema;
  if (anyOf !== undefined) return anyOfCheck(schema, anyOf.map(part), answerFaults);
  if (type === 'object') return answerObject(schema, part);
  if (type === 'array') {
    const each = items === undefined ? undefined : itemsCheck(part(items), true);
    return (value, later) => (isList(value) ? (each?.(value, later) ?? none) : [fault('type', schema)]);
  }
  if (schema.enum === roles) return testCheck('enum', schema);
  if (type === 'number' || type === 'integer')
    return testCheck('type', schema, (_, value) => isNumber(value) || value instanceof RawNumber);
  return type === undefined ? () => none : testCheck('type', schema);
}

function answerObject(schema: TSchema, part: Compile): Check {
  const { properties = {}, required = [] } = schema;
  const parts = Object.entries<TSchema>(properties).map(([name, one]) => ({
    name,
    isRequired: required.includes(name),
    /** What `typeof` is of a value that fits, where that is all there is to it: most are settled without a call. */
    plain: plainOf(one),
    check: part(one),
  }));
  return (value, later) => {
    if (!isObject(value)) return [fault('type', schema)];
    for (const { name, isRequired, plain, check } of parts) {
      const own = value[name];
      if (typeof own === plain || (own === undefined && !isRequired)) continue;
      const faults = check(own, later);
      if (faults.length === 0) continue;
      if (own !== null || isRequired) return within(name, faults);
      // The answer is ours alone; its readers know none, not null.
      delete value[name];
    }
    return none;
  };
}

function plainOf({ type, enum: values }: TSchema): string | undefined {
  const isPlain = type === 'string' || type === 'number' || type === 'boolean';
  return isPlain && values !== roles ? type : undefined;
}

function fault(keyword: string, schema: TSchema): Fault {
  return { field: '', keyword, schema };
}

/** @param isFirst whether the first item that does not fit is enough */
function itemsCheck(check: Check, isFirst = false): Check {
  return (value, later) => {
    if (!isList(value)) return none;
    const faults: Fault[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const found = check(value[index], later);
      if (found.length === 0) continue;
      faults.push(...within(String(index), found));
      if (isFirst) break;
    }
    return faults;
  };
}

function furtherCheck(schema: TSchema, part: Compile): Check {
  const { properties = {}, patternProperties = {}, additionalProperties: further } = schema;
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'));
  const isNamed = (name: string) =>
    Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
  if (further === true) return () => none;
  const check: Check =
    typeof further === 'object' ? part(further) : () => [fault('additionalProperties', schema)];
  return (value, later) =>
    gathered(entriesOf(value), ([name, own]) => (isNamed(name) ? none : within(name, check(own, later))));
}

/** @param choose picks what to report from the faults of all branches */
function anyOfCheck(
  schema: TSchema,
  branches: readonly Check[],
  choose: (faults: readonly Fault[]) => readonly Fault[],
): Check {
  return (value, later) => {
    const held = later.length;
    const found: Fault[] = [];
    for (const branch of branches) {
      const faults = branch(value, later);
      if (faults.length === 0) return none;
      later.length = held;
      found.push(...faults);
    }
    const shown = choose(found);
    return shown.length > 0 ? shown : [fault('anyOf', schema)];
  };
}

/** An invalid nullable value fails in both branches. That it has the wrong type for one of them says nothing. */
function inputFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(({ keyword }) => keyword !== 'type' && keyword !== 'const');
}

/** The fault that lies deepest says most. */
function answerFaults(faults: readonly Fault[]): readonly Fault[] {
  return [faults.reduce((most, one) => (one.field.length > most.field.length ? one : most))];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

function isOfFormat(format: string, text: string): boolean {
  if (format === 'uri') return URL.canParse(text);
  if (format === 'date-time') return !Number.isNaN(Date.parse(text));
  throw new Error(`The format ${format} of a schema is not known.`);
}

/** In characters, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value).filter(([, part]) => part !== undefined) : [];
}
