import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import type { TSchema } from '../../src/api/type.js';
import { isObject } from '../../src/base/values.js';
import { concernedBy, countsOf, removedBy } from '../../src/policy/effects.js';

/** Every body that names a thing, as its declaration has it: an operation that is added tomorrow is among these. */

/** Ids of bodies that are of nothing a policy names: pages, nodes and reactions of comments. */
const ofNothing = ['page', 'node', 'addedReactions', 'removedReactions'];
/** What stays as it is: neighbours, and what something points to. */
const untouched = ['position', 'defaultSiteSpace', 'defaultSiteSection', 'defaultTeam', 'defaultContent'];

/** A body whose every id is the path of its field; a map has one key. */
function bodyOf(schema: TSchema, path: string): unknown {
  const branches: TSchema[] | undefined = schema.anyOf;
  if (branches !== undefined)
    return branches.map((one) => bodyOf(one, path)).find((one) => one !== undefined);
  if (schema.type === 'array') {
    const item = bodyOf(schema.items ?? {}, path);
    return item === undefined ? undefined : [item];
  }
  if (schema.type === 'string') return isReference(schema) ? path : undefined;
  if (schema.patternProperties !== undefined) return { [path]: {} };
  const fields = Object.entries<TSchema>(schema.properties ?? {});
  const found = fields.flatMap(([name, of]) => {
    const value = bodyOf(of, path === '' ? name : `${path}.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** As `reference()` and `references()` declare an id: some text, with no other limit. */
function isReference({ minLength, maxLength, pattern, format, enum: choices }: TSchema): boolean {
  return minLength === 1 && [maxLength, pattern, format, choices].every((one) => one === undefined);
}

function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    isObject(one) && Object.keys(one).length === 0 ? [key] : idsIn(one),
  );
}

const withBody = operations.filter(({ method, body }) => method !== 'GET' && body !== undefined);
const bodies = withBody.flatMap((op): [string, AnyOperation, unknown][] => {
  const body = op.body && bodyOf(op.body, '');
  return body === undefined ? [] : [[op.id, op, body]];
});

describe('a body', () => {
  it.each(bodies)('of %s names what the operation concerns', (id, op, body) => {
    const wanted = idsIn(body).filter((name) => {
      const [top = ''] = name.split('.');
      const isText = id.startsWith('space-fields.') || id.startsWith('adaptive-schemas.');
      return !isText && ![...ofNothing, ...untouched].includes(top);
    });
    const found = [...concernedBy({ op, input: { path: {}, body }, id: '' })].map((one) => one.id);
    expect(found.sort()).toEqual(wanted.sort());
  });

  it('is tried for every operation that takes ids', () => {
    expect(bodies.map(([id]) => id)).toEqual(expect.arrayContaining(['team-members.update', 'sites.create']));
  });
});

describe('a list of members in a body', () => {
  const op = operations.find(({ id }) => id === 'team-members.update');
  const change = (body: object) => ({ op: op as AnyOperation, input: { path: {}, body }, id: '' });
  it.each([
    [{ add: ['a', 'b'] }, { writes: 2, deletes: 0 }],
    [{ remove: ['a', 'b'] }, { writes: 2, deletes: 2 }],
    [
      { add: ['a'], remove: ['b'], memberships: { c: { role: 'owner' } } },
      { writes: 3, deletes: 1 },
    ],
    [{}, { writes: 1, deletes: 0 }],
  ])('%j costs %j', (body, counts) => {
    expect(countsOf([change(body)])).toEqual(counts);
    expect(removedBy(change(body))).toBe(counts.deletes);
  });
});
