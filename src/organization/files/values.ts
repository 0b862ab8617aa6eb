import { closeSync, constants, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type AnyOperation, body, nothing, operation } from '../../api/operation.js';
import { type TSchema, Type } from '../../api/type.js';
import { checkInput } from '../../api/validate.js';
import { withoutFinalNewline } from '../../base/characters.js';
import { DocsError, systemCode } from '../../base/errors.js';
import { decodeText } from '../../base/text-encoding.js';
import { isBelow } from '../../files/asked-file.js';
import {
  isMap,
  isScalar,
  type MapNode,
  type Node,
  type ScalarNode,
  withNearest,
} from '../../files/yaml/node.js';
import { isOwnVariable } from '../../jobs/environment.js';
import type { Field, FileLocation, Kind, KindName, Value } from '../model.js';
import { refersTo } from './layout.js';
import { joined, mistaken, type Spot, textOf } from './reading.js';

/** What `!file` refers to: certificates, schemas. */

const largest = 1024 * 1024;

/**
 * The text of a file that `!file` names, without the line break at its end; as JSON where no text is wanted.
 * Mistakes are reported, and the value is then undefined.
 */
function readReferred(spot: Spot, node: ScalarNode, text: boolean): Value {
  const path = referredPath(spot, node, largest);
  if (path === undefined) return undefined;
  try {
    const found = textAt(join(spot.reading.folder, path), path);
    return text ? withoutFinalNewline(found) : JSON.parse(found);
  } catch (error) {
    return mistaken(spot, node, unreadable(error, path));
  }
}

function unreadable(error: unknown, path: string): string {
  if (error instanceof DocsError) return `names a file that is not UTF-8 text: ${path}`;
  if (error instanceof SyntaxError) return `names a file that is not JSON: ${path}`;
  return `names a file that cannot be read: ${path} (${systemCode(error) ?? 'unknown error'})`;
}

function textAt(path: string, name: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return decodeText(readFileSync(file), name);
  } finally {
    closeSync(file);
  }
}

/**
 * The path of a file that `!file` names, relative to the folder of the organization, with `/`.
 * @returns undefined where it is missing, outside the folder, a link or too large, which is reported
 */
export function referredPath(spot: Spot, node: ScalarNode, most: number): string | undefined {
  const { reading, parsed } = spot;
  const name = textOf(node) ?? '';
  const path = posix.normalize(posix.join(posix.dirname(parsed.file), name.replaceAll('\\', '/')));
  const fault =
    name === '' ||
    posix.isAbsolute(name) ||
    /^[A-Za-z]:/.test(name) ||
    path === '..' ||
    path.startsWith('../')
      ? 'must be the path of a file inside the folder, relative to this file'
      : faultOf(reading.folder, path, most);
  return fault === undefined ? path : mistaken(spot, node, fault);
}

function faultOf(folder: string, path: string, most: number): string | undefined {
  try {
    const full = join(folder, path);
    const stats = lstatSync(full);
    if (stats.isSymbolicLink()) return `names a symbolic link, which docs does not follow: ${path}`;
    if (!stats.isFile()) return `names something that is not a file: ${path}`;
    const isInside = isBelow(realpathSync(folder), realpathSync(dirname(full)));
    if (!isInside) return `names a file outside the folder: ${path}`;
    return stats.size > most ? `names a file of more than ${most / 1024 / 1024} MB: ${path}` : undefined;
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
    return missing
      ? `names a file that does not exist: ${path}`
      : `names a file that cannot be read: ${path}`;
  }
}

/**
 * The variables that `!env` may name. Whoever runs docs has others, such as the token of a pipeline, and whoever edits
 * the files must not be able to publish them.
 */

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const variablesSchema = Type.Array(Type.String({ pattern: variableName.source }), {
  description: 'Environment variables that !env may name in the files; none that begins with DOCS_',
});

/** `env: [SSO_URL]` of org.yaml. */
export function readVariables(spot: Spot, node: Node): ReadonlySet<string> {
  if (node.type !== 'list') {
    mistaken(spot, node, 'must be a list of names of environment variables, such as [SSO_URL]');
    return new Set();
  }
  const names = node.items.map((item) => {
    const name = isScalar(item) && item.tag === undefined ? String(item.value) : '';
    const fault = variableName.test(name)
      ? ownFault(name)
      : 'must be the name of an environment variable: letters, digits, _';
    if (fault !== undefined) mistaken(spot, item, fault);
    return name;
  });
  return new Set(names);
}

function ownFault(name: string): string | undefined {
  return isOwnVariable(name)
    ? 'must not be a variable that begins with DOCS_: those are for docs itself, and one may be the token'
    : undefined;
}

/** The name after `!env`; only org.yaml decides which variables of whoever runs docs the files may send. */
function variableNamed(spot: Spot, node: Node, name: string): string | undefined {
  const fault = variableFault(spot.reading.variables, name);
  if (fault !== undefined) mistaken(spot, node, fault);
  return fault === undefined ? name : undefined;
}

/** The name is quoted only where it is one: else it may be the secret itself. */
function variableFault(known: ReadonlySet<string> | undefined, name: string): string | undefined {
  if (!variableName.test(name))
    return 'must be the name of an environment variable after !env: letters, digits, _';
  const own = ownFault(name);
  if (own !== undefined || known?.has(name)) return own;
  const way =
    known === undefined ? `add the line "env: [${name}]" to org.yaml` : `add ${name} to "env" in org.yaml`;
  return `names an environment variable that org.yaml does not list; ${way} if the files may send its value`;
}

/** Values of fields: from nodes to what the schema of the field takes, and what is wrong with them. */

/** In a value: what the check must not see, since it is not known yet. */
const unknown = Symbol('unknown');

/**
 * Reads the fields that a map has, and reports those that are wrong.
 * @returns the right ones, and where each stands
 */
export function readFields(spot: Spot, map: MapNode, kind: Kind) {
  const { reading, parsed } = spot;
  const values: Record<string, Value> = {};
  const places: Record<string, FileLocation> = {};
  for (const form of formsOf(kind)) {
    const entry = map.entries.get(form.key);
    if (entry === undefined) continue;
    const path = joined(spot.path, form.key);
    places[form.key] = reading.place(parsed, entry.value.start, path);
    const value = fieldValue({ ...spot, path }, form, entry.value);
    if (value !== undefined) values[form.key] = value;
  }
  for (const key of checkValues(spot, map, operationOf(kind), values)) delete values[key];
  return { values, places };
}

/** What a file has of a field. */
interface FieldForm extends Pick<Field, 'key' | 'mapOf'> {
  targets: readonly KindName[];
  /** Without null, which files never have. */
  schema: TSchema;
}

const forms = new WeakMap<Kind, readonly FieldForm[]>();

/** Made once: there are thousands of values. */
function formsOf(kind: Kind): readonly FieldForm[] {
  const made =
    forms.get(kind) ??
    kind.fields.map((field) => ({
      ...{ key: field.key, targets: refersTo(field), schema: withoutNull(field.schema) },
      ...(field.mapOf !== undefined && { mapOf: field.mapOf }),
    }));
  forms.set(kind, made);
  return made;
}

/** Longer forms are rarely there twice. */
const longestForm = 100;

/** Reports what breaks the schemas. @returns the keys of the fields that do */
export function checkValues(spot: Spot, map: MapNode, op: AnyOperation, values: object): Set<string> {
  const wrong = new Set<string>();
  const body = checkable(values);
  const form = `${op.id} ${JSON.stringify(body)}`;
  if (spot.reading.rightForms.has(form)) return wrong;
  for (const { field, message, keyword } of checkInput(op, { body })) {
    const [key = ''] = field.split('.');
    wrong.add(key);
    const node = nodeAt(map, field) ?? map;
    const place = spot.reading.place(spot.parsed, node.start, joined(spot.path, field));
    spot.reading.mistake(place, words(message, keyword, node));
  }
  if (wrong.size === 0 && form.length <= longestForm) spot.reading.rightForms.add(form);
  return wrong;
}

function words(message: string, keyword: string, node: Node) {
  if (keyword === 'enum' && isScalar(node) && typeof node.value === 'string')
    return withNearest(message, node.value, message.replace('must be one of ', '').split(', '));
  if (message === 'must be a boolean') return { message: 'must be true or false' };
  if (keyword === 'type' && isScalar(node) && typeof node.value === 'boolean')
    return { message: `${message}; put it in quotes` };
  return { message };
}

function nodeAt(map: MapNode, field: string): Node | undefined {
  let node: Node | undefined = map;
  for (const part of field.split('.')) {
    const next: Node | undefined = isMap(node)
      ? node.entries.get(part)?.value
      : node?.type === 'list'
        ? node.items[Number(part)]
        : undefined;
    if (next === undefined) return node === map ? undefined : node;
    node = next;
  }
  return node;
}

const operations = new WeakMap<Kind, AnyOperation>();

/** The fields of a kind as the body of an operation, which is what the check of inputs takes. */
export function operationOf(kind: Kind): AnyOperation {
  const made = operations.get(kind);
  if (made !== undefined) return made;
  const schemas = kind.fields.map((field) => [field.key, Type.Optional(fileForm(field))] as const);
  const op = inputOf(kind.name, Type.Object(Object.fromEntries(schemas), { additionalProperties: true }));
  operations.set(kind, op);
  return op;
}

/** A schema as the body of an operation. */
export function inputOf(id: string, schema: TSchema): AnyOperation {
  const op = operation(id, 'POST', '/v1', { summary: id, body: body({}), returns: nothing });
  return { ...op, body: schema };
}

/** The schema of a field in a file: no null; where it names items, their keys. */
export function fileForm(field: Field): TSchema {
  if (refersTo(field).length === 0) return withoutNull(field.schema);
  const { description } = field.schema as { description?: string };
  const key = Type.String({ minLength: 1, ...(description !== undefined && { description }) });
  return isListSchema(field.schema)
    ? { ...withoutNull(field.schema), items: Type.String({ minLength: 1 }) }
    : key;
}

/** A schema without its null, which files never have. */
function withoutNull(schema: TSchema): TSchema {
  const { anyOf, ...rest } = schema as TSchema & { anyOf?: TSchema[] };
  if (anyOf === undefined) return schema;
  const branches = anyOf.filter(({ type }) => type !== 'null');
  const [only] = branches;
  return (branches.length === 1 ? { ...only, ...rest } : { ...rest, anyOf: branches }) as TSchema;
}

function isListSchema(schema: TSchema): boolean {
  return branchesOf(schema).some(({ type }) => type === 'array');
}

function branchesOf(schema: TSchema | undefined): TSchema[] {
  if (schema === undefined) return [];
  const { anyOf } = schema as { anyOf?: TSchema[] };
  return anyOf === undefined ? [schema] : anyOf.flatMap(branchesOf);
}

/** Whether a number of the file is meant as a text: `title: 2024`, `version: 1.10`. */
function wantsText(schema: TSchema | undefined): boolean {
  const branches = branchesOf(schema);
  const types = branches.map(({ type }) => type as string | undefined);
  return types.includes('string') && !types.some((type) => type === 'number' || type === 'integer');
}

function fieldValue(spot: Spot, { targets, mapOf, schema }: FieldForm, node: Node): Value {
  if (isScalar(node) && node.tag === 'env') return environment(spot, node);
  if (isScalar(node) && node.tag === 'file') return readReferred(spot, node, textual(schema));
  if (targets.length > 0) return references(spot, targets, node);
  if (mapOf !== undefined && isMap(node)) {
    for (const { key, keyStart } of node.entries.values()) {
      const place = spot.reading.place(spot.parsed, keyStart, joined(spot.path, key));
      spot.reading.refer({ kinds: [mapOf], within: spot.within, key, place });
    }
  }
  return plain(spot, node, schema);
}

/** Whether the text of a `!file` is the value; else it is JSON. */
function textual(schema: TSchema): boolean {
  return branchesOf(schema).some(({ type }) => type === 'string');
}

function references(spot: Spot, kinds: readonly KindName[], node: Node): Value {
  if (node.type === 'list')
    return node.items.map((item) => references(spot, kinds, item)).filter((one) => one);
  if (!isScalar(node)) return plain(spot, node, Type.String());
  const key = textOf(node);
  if (key === undefined || key === '') return node.value;
  const { reading, parsed, path, within } = spot;
  const place = reading.place(parsed, node.start, path);
  const id = platformId(key);
  const reference = { $ref: `${kinds[0] ?? 'fields'}/${key}` as const };
  if (id !== undefined) return reference;
  reading.refer({ kinds, within, key, place, reference });
  return reference;
}

/** The id of `id:yX3l…`, which names what no file does. */
export function platformId(key: string): string | undefined {
  return key.startsWith('id:') && key.length > 3 ? key.slice(3) : undefined;
}

export function plain(spot: Spot, node: Node, schema: TSchema | undefined): Value {
  if (node.type === 'list') {
    const items = branchesOf(schema)
      .map((branch) => (branch as { items?: TSchema }).items)
      .find(Boolean);
    return node.items.map((item, index) => plain({ ...spot, path: `${spot.path}[${index}]` }, item, items));
  }
  if (isMap(node)) {
    const parts = [...node.entries.values()].map(({ key, value }) => {
      const at = { ...spot, path: joined(spot.path, key) };
      return [key, plain(at, value, propertyOf(schema, key))] as const;
    });
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
  }
  if (node.tag === 'env') return environment(spot, node);
  if (node.tag === 'file') return mistaken(spot, node, 'must be the value of a whole field to be a !file');
  if (node.value === null) return undefined;
  return typeof node.value === 'number' && wantsText(schema) ? node.source : node.value;
}

function propertyOf(schema: TSchema | undefined, key: string): TSchema | undefined {
  for (const branch of branchesOf(schema)) {
    const { properties, patternProperties, additionalProperties } = branch as {
      properties?: Record<string, TSchema>;
      patternProperties?: Record<string, TSchema>;
      additionalProperties?: TSchema;
    };
    const found = properties?.[key] ?? Object.values(patternProperties ?? {})[0] ?? additionalProperties;
    if (typeof found === 'object') return found;
  }
  return undefined;
}

function environment(spot: Spot, node: ScalarNode): Value {
  const name = variableNamed(spot, node, textOf(node) ?? '');
  return name === undefined ? undefined : { $env: name };
}

/** Values without what only the run knows: variables and references. */
function checkable(value: unknown): unknown {
  const found = known(value);
  return found === unknown ? {} : found;
}

function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known).filter((part) => part !== unknown);
  if (typeof value !== 'object' || value === null) return value;
  if ('$env' in value || '$ref' in value || '$id' in value) return unknown;
  const entries = Object.entries(value);
  if (!entries.some(([, part]) => typeof part === 'object')) return value;
  const parts = entries.map(([key, part]) => [key, known(part)] as const);
  return Object.fromEntries(parts.filter(([, part]) => part !== unknown));
}
