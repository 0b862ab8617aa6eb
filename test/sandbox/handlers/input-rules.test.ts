import { beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { operations } from '../../../src/api/resources/index.js';
import { fieldsOf } from '../../api/fields.js';
import type { SampleSchema } from '../../api/sample-value.js';
import { openPlatform, type Platform } from '../in-process.js';
import { inputOf, type Path, placeOf } from './places.js';

/** What every operation refuses of its input, by its declaration; test/api/limits has the limits of the specification. */

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});

const named = operations.map((op) => ({ id: op.id, op }));

async function refuses(op: AnyOperation, path: Path, change: { query?: object; body?: object }) {
  const { query, body } = inputOf(op, path);
  const input = { path, query: { ...query, ...change.query }, body: body && { ...body, ...change.body } };
  const refused = await platform.admin.refused(op, input);
  expect(refused, `${op.id} ${JSON.stringify(change)}`).toMatchObject({ status: 400 });
  return refused.message;
}

/** Values that are not what a schema names, each for one of its keywords. */
function wrongFor(schema: SampleSchema): unknown[] {
  const { minLength = 0, maxLength, minItems = 0, maxItems, format, pattern } = schema;
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (branches.length === 1 && branches[0] !== undefined) return wrongFor(branches[0]);
  if (schema.type === 'string')
    return [
      ...[{}, 7, ...('x-known' in schema ? ['unheard'] : [])],
      ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
      ...(format === 'uri' ? ['nowhere'] : []),
      ...(pattern === undefined ? [] : ['\n']),
    ];
  if (schema.type === 'array')
    return [
      ...['x', [{ of: [[]] }]],
      ...(minItems > 0 ? [[]] : []),
      ...(typeof maxItems === 'number' ? [Array.from({ length: maxItems + 1 }, String)] : []),
    ];
  return schema.type === undefined ? [] : ['x', 7].filter((value) => typeof value !== schema.type);
}

describe('a body', () => {
  test.each(named.filter(({ op }) => op.body !== undefined))('of $id', async ({ op }) => {
    const path = await placeOf(op, platform.admin);
    expect(await refuses(op, path, { body: { unheard: 1 } })).toContain('body unheard is not known');
    for (const [name, schema] of Object.entries(fieldsOf(op.body))) {
      for (const value of wrongFor(schema))
        expect(await refuses(op, path, { body: { [name]: value } })).toContain(`body ${name}`);
    }
    for (const name of (op.body?.required ?? []) as string[])
      expect(await refuses(op, path, { body: { [name]: undefined } })).toContain(`body ${name} is required`);
  });
});

describe('a query', () => {
  test.each(named)('of $id', async ({ op }) => {
    const path = await placeOf(op, platform.admin);
    expect(await refuses(op, path, { query: { unheard: 1 } })).toContain('query unheard is not known');
    for (const [name, schema] of Object.entries(op.query.properties)) {
      if (schema.type === 'array') continue; // One text is a list of one.
      const texts = wrongFor(schema).filter((each) => schema.type !== 'string' || typeof each === 'string');
      for (const value of texts)
        expect(await refuses(op, path, { query: { [name]: value } })).toContain(`query ${name}`);
    }
  });
});

describe('a list', () => {
  test.each(named.filter(({ op }) => op.returns.kind === 'page'))(
    'is whole page by page, and refuses other limits and cursors: $id',
    async ({ op }) => {
      const path = await placeOf(op, platform.admin);
      for (const limit of [0, 1001, 'ten', 1.5]) await refuses(op, path, { query: { limit } });
      const foreign = Buffer.from('["x",1]').toString('base64url');
      for (const page of ['nonsense', foreign]) await refuses(op, path, { query: { page } });
      const input = inputOf(op, path);
      const pageOf = async (query: object) =>
        (await platform.admin.ok(op, { ...input, query: { ...input.query, ...query } })) as unknown as {
          items: unknown[];
          count: number;
          next?: { page: string };
        };
      const whole = await pageOf({ limit: 1000 });
      expect(whole.count).toBe(whole.items.length);
      expect(whole).not.toHaveProperty('next');
      const items: unknown[] = [];
      for (let page: string | undefined, more = true; more; more = page !== undefined) {
        const part = await pageOf({ limit: 2, ...(page !== undefined && { page }) });
        expect([part.items.length <= 2, part.count]).toEqual([true, whole.count]);
        items.push(...part.items);
        page = part.next?.page;
      }
      expect(items).toEqual(whole.items);
    },
  );
});
