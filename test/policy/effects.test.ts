import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import type { TSchema } from '../../src/api/type.js';
import { isObject } from '../../src/base/values.js';
import { subjectOf } from '../../src/policy/decide.js';
import { concernedBy, countsOf, goesAlong, partsOf, removedBy } from '../../src/policy/effects.js';

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

/** Deletions and transfers with which nothing goes along that a policy could name or count. */
const takesNothing: Readonly<Record<string, string>> = {
  'invites.delete': 'who joined by it stays',
  'members.delete': 'teams and spaces stay; who is removed is named in the path',
  'team-members.delete': 'the member is named in the path',
  'saml.delete': 'members stay; the lock-out guard looks after their way in',
  'translations.delete': 'spaces stay as they are',
  'custom-fields.delete': 'its values are part of it',
  'openapi.delete': 'its versions are part of it',
  'section-groups.remove': 'the section is named in the path',
  'site-spaces.delete': 'the space stays',
};

describe('a deletion or transfer', () => {
  const taking = operations.filter(({ id, method }) => method === 'DELETE' || id.endsWith('.transfer'));
  it.each(taking.map((op) => [op.id, op] as const))('%s says what goes along', (id, op) => {
    const rows = [...(goesAlong[id] ?? []), ...partsOf(op)];
    expect(rows.length > 0).toBe(takesNothing[id] === undefined);
  });

  it.each(Object.entries(goesAlong))('the lists of %s are operations that list', (_, rows) => {
    for (const { list, of, within } of rows) {
      for (const id of [list, of?.list ?? list])
        expect(operations.find((op) => op.id === id)?.returns.kind).toBe('page');
      expect(within === undefined || within in goesAlong).toBe(true);
    }
  });

  it.each([
    ['spaces.delete', ['change-requests.list', 'comments.list', 'content.files', 'content.pages']],
    ['comments.delete', ['comment-replies.list']],
    ['change-request-comments.delete', ['change-request-comment-replies.list']],
    ['sites.delete', []],
  ])('of %s are parts %j', (id, lists) => {
    const op = operations.find((one) => one.id === id) as AnyOperation;
    expect(
      partsOf(op)
        .map(({ list }) => list)
        .sort(),
    ).toEqual(lists);
  });
});

describe('an organization that a body names', () => {
  const named = withBody.flatMap((op): [string, AnyOperation, string][] =>
    Object.entries<TSchema>(op.body?.properties ?? {}).flatMap(([field, { description = '' }]) =>
      /\borganization\b/i.test(`${field} ${description}`) && /^Target|^organization$/.test(`${description}`)
        ? [[op.id, op, field]]
        : [],
    ),
  );
  it('is there in each transfer, and nowhere else', () => {
    expect(named.map(([id, , field]) => [id, field])).toEqual([
      ['collections.transfer', 'organization'],
      ['spaces.transfer', 'organization'],
    ]);
  });

  it.each(named)('counts for orgs in %s', (_, op, field) => {
    const table = { commands: [], operations: new Map() };
    const change = { op, input: { path: {}, body: { [field]: 'elsewhere' } }, id: '' };
    expect(subjectOf(change, table, { command: 'api' }).otherOrganizations).toEqual(['elsewhere']);
  });
});
