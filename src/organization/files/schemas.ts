import { usageError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { withNearest } from '../../files/yaml/node.js';
import { kinds } from '../kinds/index.js';
import type { Kind } from '../model.js';
import { guardsSchema, manageSchema, ownKey, roleField } from './items.js';
import { childrenOf, type FileLayout, layouts, markerOf, memberships, teamsKey } from './layout.js';
import { fileForm, variablesSchema } from './values.js';

/** JSON Schemas of the files (draft 07), by which editors complete and check; derived from the kinds. */

const draft = 'http://json-schema.org/draft-07/schema#';
const lock = 'lock';

type Schema = Readonly<Record<string, unknown>>;

/** The names that `docs commands schema file:<name>` knows: `org`, `people`, `teams`, … */
export const fileNames: readonly string[] = [...layouts.map(({ name }) => name), lock];

/**
 * The JSON Schema of a file.
 * @throws DocsError usage `unknown_file`
 */
export function fileSchema(name: string): object {
  if (name === lock) return lockSchema;
  const layout = layouts.find((one) => one.name === name);
  if (layout !== undefined) return plainJson(schemaOf(layout)) as object;
  const { message } = withNearest(`unknown file "${name}"`, name, fileNames);
  throw usageError('unknown_file', message, { hint: `Known: ${fileNames.join(', ')}.` });
}

function schemaOf(layout: FileLayout): Schema {
  const { file, single, singleKey, lists, scopes, guards } = layout;
  const here = kinds.filter(({ spot }) => spot.file === file && spot.list !== undefined);
  const properties: Record<string, unknown> = {
    ...(guards && { guards: guardsSchema, env: variablesSchema }),
    ...(lists.size > 0 && { manage: manageSchema }),
    ...Object.fromEntries([...scopes].map(([key, kind]) => [key, guards ? scopeSchema(kind) : manageSchema])),
    ...(single !== undefined && { [singleKey]: object(fieldsIn(single), [], `The ${single.one}`) }),
    ...Object.fromEntries([...lists].map(([key, own]) => [key, listSchema(own)])),
  };
  const definitions = Object.fromEntries(here.map((kind) => [kind.name, itemSchema(kind)]));
  const description = `${file} of the organization as code`;
  return { $schema: draft, title: file, ...object(properties, [], description), definitions };
}

function object(properties: Schema, required: readonly string[], description: string): Schema {
  const needed = required.length === 0 ? {} : { required };
  return { type: 'object', description, properties, ...needed, additionalProperties: false };
}

function scopeSchema({ one }: Kind): Schema {
  return object({ manage: manageSchema }, [], `Which ${one}s the files manage`);
}

/** `people: !file people.csv` is a text to whatever knows no tags. */
function listSchema(kinds: readonly Kind[]): Schema {
  const list = { type: 'array', items: anyOf(kinds.map(reference)) };
  const [kind] = kinds;
  if (kind?.name !== 'people') return list;
  const csv = { type: 'string', description: 'A CSV file of people: !file people.csv' };
  return { anyOf: [list, csv] };
}

function anyOf(schemas: readonly Schema[]): Schema {
  return schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas };
}

function reference({ name }: Kind): Schema {
  return { $ref: `#/definitions/${name}` };
}

function itemSchema(kind: Kind): Schema {
  const marker = markerOf(kind);
  const { children } = kind.spot;
  const below = childrenOf(kind);
  const properties = {
    [marker]: keySchema(kind),
    ...fieldsIn(kind),
    ...(kind.name === 'people' && { [teamsKey]: teamsSchema() }),
    ...(children !== undefined &&
      below.length > 0 && { [children]: { type: 'array', items: anyOf(below.map(reference)) } }),
  };
  return object(properties, [marker], `A ${kind.one}`);
}

function keySchema(kind: Kind): Schema {
  if (kind.names !== undefined)
    return { type: ['string', 'number'], minLength: 1, description: `Key of one of the ${kind.names}` };
  if (kind.key !== 'own')
    return { type: ['string', 'number'], description: `The ${kind.key.field}, which names the ${kind.one}` };
  return {
    type: ['string', 'number'],
    pattern: ownKey.source,
    description: `Key of the ${kind.one} in the files; with the lock it names one on the platform`,
  };
}

function fieldsIn(kind: Kind): Record<string, unknown> {
  const fields = kind.fields.map((field) => [field.key, orNumber(fileForm(field))] as const);
  return { ...Object.fromEntries(fields), ...words(kind) };
}

/** The keys of a schema that hold others, by name or by themselves. */
const byName = new Set(['properties', 'patternProperties']);
const nested = new Set(['anyOf', 'items', 'additionalProperties']);

/** Reading takes a number for a text as it is written, so `title: 2024` is right in an editor too. */
function orNumber(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(orNumber);
  if (!isObject(schema)) return schema;
  const parts = Object.entries(schema).map(([key, part]) => {
    if (byName.has(key) && isObject(part))
      return [key, Object.fromEntries(Object.entries(part).map(([name, one]) => [name, orNumber(one)]))];
    return [key, nested.has(key) ? orNumber(part) : part];
  });
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
  return { ...Object.fromEntries(parts), ...(isText && { type: ['string', 'number'] }) };
}

function words({ one }: Kind): Record<string, unknown> {
  return {
    was: {
      type: ['string', 'number'],
      description: `The former key of the ${one}, after a change of its key`,
    },
    protected: { type: 'boolean', description: `Never remove or replace the ${one}` },
    external: {
      type: 'boolean',
      description: `The ${one} is managed elsewhere: other items may name it, nothing changes it`,
    },
  };
}

function teamsSchema(): Schema {
  const role = memberships.fields.find(({ key }) => key === roleField);
  const byRole = role === undefined ? { type: 'string' } : fileForm(role);
  return {
    description: 'Teams of the person: [writers], or with roles {writers: owner}',
    anyOf: [
      { type: 'array', items: { type: ['string', 'number'] } },
      { type: 'object', additionalProperties: byRole },
    ],
  };
}

/** Plain JSON: what an enumeration knows so far is offered, and nothing else refused. Numbers may stand for texts. */
function plainJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainJson);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    parts.map(([key, part]) => (key === 'x-known' ? ['examples', part] : [key, plainJson(part)])),
  );
}

const lockSchema: Schema = {
  $schema: draft,
  title: 'docs.lock.json',
  ...object(
    {
      version: { const: 1 },
      org: { type: 'string', description: 'Id of the organization' },
      origin: { type: 'string', description: 'Address of the platform' },
      items: {
        type: 'object',
        description: 'By address of the item: teams/writers',
        additionalProperties: object(
          {
            id: { type: 'string', description: 'Id on the platform' },
            applied: {
              type: 'object',
              additionalProperties: { type: 'string' },
              description: 'Hash of the value that was last applied, by field',
            },
          },
          ['id', 'applied'],
          'An item',
        ),
      },
    },
    ['version', 'org', 'origin', 'items'],
    'Which item of the files is which of the platform; written by docs, committed with the files',
  ),
};
