import type { TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { operations } from '../../src/api/resources/index.js';
import { specifiedOperations } from './specification.js';

type Fields = Record<string, TSchema>;

/** The fields of the body, by name; empty where there is no body. */
export const fieldsOf = (body: TSchema | undefined): Fields => (body?.properties ?? {}) as Fields;

/**
 * @param name `resource.verb.field`
 * @returns the schema of the body field or, where there is none of that name, of the query parameter
 */
export function field(name: string): TSchema {
  const [resource, verb, key = ''] = name.split('.');
  const op = operations.find(({ id }) => id === `${resource}.${verb}`);
  const schema = fieldsOf(op?.body)[key] ?? op?.query.properties[key];
  if (schema === undefined) throw new Error(`no such field: ${name}`);
  return schema;
}

/** All body fields of the specification for which the test holds, sorted, as `resource.verb.field`. */
export function bodyFields(holds: (schema: TSchema, required: boolean) => boolean): string[] {
  return specifiedOperations
    .flatMap((op) =>
      Object.entries(fieldsOf(op.body))
        .filter(([key, schema]) => holds(schema, (op.body?.required ?? []).includes(key)))
        .map(([key]) => `${op.id}.${key}`),
    )
    .sort();
}

/** A checker that knows our formats and ignores our own keywords. */
export function newAjv(): Ajv {
  const ajv = new Ajv({ strict: false });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));
  return ajv;
}

const ajv = newAjv();

/** Whether a value meets a schema. */
export function fits(schema: TSchema, value: unknown): boolean {
  return ajv.validate(schema, value);
}
