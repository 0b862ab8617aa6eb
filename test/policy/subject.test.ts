import { describe, expect, it } from 'vitest';
import { prepare } from '../../src/api/client.js';
import { type Method, pathParameters } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import { attributesOf, subjectOf } from '../../src/policy/decide.js';
import { mapRequest, unmappedVerdict } from '../../src/policy/mapping.js';
import { policyOf, table } from './world.js';

/** The words of the command of a request, or why it has none. */
async function mapped(method: Method, path: string, body?: unknown, headers = {}): Promise<string> {
  const found = mapRequest({ method, path, headers, ...(body !== undefined && { body }) });
  if ('unmapped' in found) return found.unmapped;
  return (await table()).operations.get(found.op.id)?.words ?? '';
}

it('maps the request of every operation to the command that is made of it', async () => {
  const { operations: commands, commands: all } = await table();
  for (const op of operations) {
    const values = Object.fromEntries(pathParameters(op.path).map((name) => [name, `${name}-1`]));
    const found = mapRequest(prepare(op, { path: values }));
    expect('op' in found && found.op.id).toBe(op.id);
    expect(all).toContain(commands.get(op.id)?.words);
  }
});

describe('a request that a server may read in another way', () => {
  it.each<[string, Method, string, string]>([
    ['encoded letters', 'DELETE', '/v1/spaces/%73%31', 'spaces delete'],
    ['a dot segment', 'DELETE', '/v1/collections/c1/../../spaces/s1', 'has a "." or ".." in its path'],
    ['an encoded one', 'DELETE', '/v1/spaces/%2e%2e/s1', 'has a "." or ".." in its path'],
    ['an encoded slash', 'PATCH', '/v1/spaces/s1%2Fcustom-fields', 'has an encoded slash in its path'],
    ['an encoded backslash', 'PATCH', '/v1/spaces/s1%5cx', 'has an encoded slash in its path'],
    ['double encoding', 'PATCH', '/v1/spaces/s1%252Fx', 'has a doubly encoded character in its path'],
    ['a bad encoding', 'PATCH', '/v1/spaces/s1%zz', 'has an invalid percent-encoding in its path'],
    ['a semicolon', 'PATCH', '/v1/spaces/s1;a=b', 'has a semicolon in its path'],
    ['a control character', 'PATCH', '/v1/spaces/s1%00', 'has a control character in its path'],
    ['a line feed', 'PATCH', '/v1/spaces/s1%0A', 'has a control character in its path'],
    ['an encoded word of the path', 'DELETE', '/v1/sp%61ces/s1', 'matches no known operation'],
    ['a slash at the end', 'DELETE', '/v1/spaces/s1/', 'matches no known operation'],
    ['two slashes', 'DELETE', '/v1//spaces/s1', 'matches no known operation'],
    ['another method', 'PUT', '/v1/spaces/s1', 'matches no known operation'],
    ['another version', 'DELETE', '/v2/spaces/s1', 'matches no known operation'],
    ['a query key twice', 'GET', '/v1/orgs/o1/members?role=read&role=admin', 'has "role" twice in its query'],
    [
      'an unknown query key of a write',
      'PATCH',
      '/v1/spaces/s1?_method=DELETE',
      'has "_method" in its query, which spaces.update does not take',
    ],
    [
      'another method in the query of a read',
      'GET',
      '/v1/spaces/s1?_method=DELETE',
      'has "_method" in its query, which spaces.get does not take',
    ],
    [
      'a new query key of a write',
      'PATCH',
      '/v1/spaces/s1?preview=1',
      'has "preview" in its query, which spaces.update does not take',
    ],
    ['a new query key of a read', 'GET', '/v1/spaces/s1?preview=1', 'spaces get'],
  ])('%s', async (_, method, path, expected) => {
    expect(await mapped(method, path)).toBe(expected);
  });

  it.each<[string, unknown, Record<string, string>, string]>([
    ['a plain body', { role: 'admin' }, {}, 'members update'],
    ['keys that differ in case', { role: 'read', Role: 'admin' }, {}, 'has "Role" twice in its body'],
    ['a list', [{ role: 'admin' }], {}, 'has a body that is not a JSON object'],
    [
      'a header for another method',
      { role: 'read' },
      { 'X-HTTP-Method-Override': 'DELETE' },
      'has the header x-http-method-override, by which it may mean something else',
    ],
    [
      'a header for another path',
      { role: 'read' },
      { 'x-original-url': '/v1/x' },
      'has the header x-original-url, by which it may mean something else',
    ],
    [
      'another form',
      { role: 'read' },
      { 'content-type': 'text/plain' },
      'has a content-type other than application/json',
    ],
    ['an encoded body', { role: 'read' }, { 'Content-Encoding': 'gzip' }, 'has a content-encoding'],
    ['a harmless header', { role: 'read' }, { 'if-match': '"1"' }, 'members update'],
  ])('%s', async (_, body, headers, expected) => {
    expect(await mapped('PATCH', '/v1/orgs/o1/members/u1', body, headers)).toBe(expected);
  });

  it('a body where none belongs', async () => {
    expect(await mapped('DELETE', '/v1/spaces/s1', { a: 1 })).toBe(
      'has a body, which spaces.delete does not take',
    );
  });

  it('is denied, whatever the rules say', async () => {
    const policies = [await policyOf('default: allow\nallow: ["*"]')];
    expect(unmappedVerdict(policies, { unmapped: 'matches no known operation' })).toEqual({
      is: 'deny',
      by: { file: '/p.yaml', line: 2, rule: 'unknown request' },
      why: 'the request matches no known operation',
    });
  });
});

it('gathers fields of path, query and body by dotted names', () => {
  const input = {
    path: { organizationId: 'o1', spaceId: 's1' },
    query: { format: ['markdown'] },
    body: {
      spaceId: 's2',
      memberships: { u1: { role: 'owner' } },
      add: ['a', 'b'],
      list: [{ x: 1 }, { x: 2 }],
      off: null,
    },
  };
  expect(attributesOf(input)).toEqual({
    organizationId: 'o1',
    spaceId: ['s1', 's2'],
    format: 'markdown',
    'memberships.u1.role': 'owner',
    add: ['a', 'b'],
    'list.x': [1, 2],
    off: null,
  });
});

it('tells effect, danger and undo of a request', async () => {
  const commands = await table();
  const subject = (method: Method, path: string, body?: unknown) => {
    const found = mapRequest({ method, path, ...(body !== undefined && { body }) });
    if ('unmapped' in found) throw new Error(found.unmapped);
    const { effect, danger, undo, otherOrganizations, operation } = subjectOf(found, commands, {
      command: 'api',
    });
    return { effect, danger, undo, otherOrganizations, operation };
  };
  expect(subject('POST', '/v1/orgs/o1/ping')).toMatchObject({ effect: 'read' });
  expect(subject('PATCH', '/v1/orgs/o1/members/u1', { role: 'read' })).toEqual({
    effect: 'write',
    danger: 'change',
    undo: 'exact',
    otherOrganizations: [],
    operation: 'members update',
  });
  expect(subject('DELETE', '/v1/orgs/o1/members/u1')).toMatchObject({
    effect: 'delete',
    danger: 'confirm',
    undo: 'none',
  });
  expect(subject('POST', '/v1/spaces/s1/transfer', { organization: 'o2' })).toMatchObject({
    otherOrganizations: ['o2'],
  });
});
