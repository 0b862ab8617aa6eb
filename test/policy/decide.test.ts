import { describe, expect, it } from 'vitest';
import { prepare } from '../../src/api/client.js';
import type { Method } from '../../src/api/operation.js';
import { pathParameters } from '../../src/api/operation-facts.js';
import { operations } from '../../src/api/resources/index.js';
import { attributesOf, decide, subjectOf } from '../../src/policy/decide.js';
import { mapRequest, unmappedVerdict } from '../../src/policy/mapping.js';
import type { Subject } from '../../src/policy/policy.js';
import { policyOf, table } from './world.js';

/** A request of `members update`. */
const update: Subject = {
  command: 'members update',
  operation: 'members update',
  effect: 'write',
  danger: 'change',
  undo: 'exact',
  attributes: { organizationId: 'o1', userId: 'u1', role: 'reader' },
  organization: 'o1',
};

const remove: Subject = {
  ...update,
  command: 'members delete',
  operation: 'members delete',
  effect: 'delete',
  danger: 'confirm',
  undo: 'none',
  attributes: { organizationId: 'o1', userId: 'u1' },
};

const reads: Subject = { command: 'members list', operation: 'members list', effect: 'read', danger: 'read' };

async function verdict(lines: string, subject: Subject): Promise<string> {
  const found = decide([await policyOf(lines)], subject);
  return found.by === undefined ? found.is : `${found.is}: ${found.by.rule}`;
}

describe('one policy', () => {
  it.each<[string, string, Subject, string]>([
    ['denies what no rule names', '', update, 'deny: default: deny'],
    ['allows it by default', 'default: allow', update, 'allow: default: allow'],
    ['allows by words', 'allow: [members update]', update, 'allow: members update'],
    ['by a star', 'allow: ["members *"]', update, 'allow: members *'],
    ['by a star alone', 'allow: ["*"]', update, 'allow: *'],
    ['by a star within', 'allow: ["* update"]', update, 'allow: * update'],
    ['not by fewer words', 'allow: [members list]', update, 'deny: default: deny'],
    ['reads', 'allow: [read]', reads, 'allow: read'],
    ['no writes by read', 'allow: [read]', update, 'deny: default: deny'],
    [
      'no local writes by read',
      'allow: [read]',
      { command: 'config set', effect: 'local' },
      'deny: default: deny',
    ],
    ['forbids first', 'allow: ["*"]\ndeny: [members update]', update, 'deny: members update'],
    ['asks before it allows', 'allow: ["*"]\nask: [members update]', update, 'ask: members update'],
    ['forbids before it asks', 'ask: ["*"]\ndeny: ["members *"]', update, 'deny: members *'],
    ['asks without a rule that allows', 'ask: ["* danger=confirm"]', remove, 'ask: * danger=confirm'],
    ['asks for no read', 'allow: [read]\nask: ["*"]', reads, 'allow: read'],
    ['approved', 'ask: ["*"]', { ...update, approved: true }, 'allow: *'],
    ['approved, and forbidden', 'ask: ["*"]\ndeny: ["*"]', { ...update, approved: true }, 'deny: *'],
  ])('%s', async (_, lines, subject, expected) => {
    expect(await verdict(lines, subject)).toBe(expected);
  });

  it('names file, line and rule', async () => {
    const policy = await policyOf(
      'allow: [read]\ndeny:\n  - spaces *\n  - members update role=admin\n',
      '/a.yaml',
    );
    const by = { file: '/a.yaml', line: 5, rule: 'members update role=admin' };
    expect(decide([policy], { ...update, attributes: { role: 'admin' } })).toEqual({
      is: 'deny',
      by,
      why: 'a rule denies it',
    });
  });
});

describe('attributes', () => {
  const sent = (attributes: Record<string, unknown>): Subject => ({ ...update, attributes });
  it.each<[string, string, Subject, string]>([
    ['a field', 'deny: ["members update role=admin"]', sent({ role: 'admin' }), 'deny'],
    ['another value', 'deny: ["members update role=admin"]', sent({ role: 'read' }), 'allow'],
    ['no such field', 'deny: ["members update role=admin"]', sent({}), 'allow'],
    ['an element of a list', 'deny: ["* members=u1"]', sent({ members: ['u0', 'u1'] }), 'deny'],
    ['a field further down', 'deny: ["* role=owner"]', sent({ 'memberships.u1.role': 'owner' }), 'deny'],
    ['any key', 'deny: ["* memberships.*.role=owner"]', sent({ 'memberships.u1.role': 'owner' }), 'deny'],
    ['a boolean by its text', 'deny: ["* resolved=true"]', sent({ resolved: true }), 'deny'],
    ['all of them', 'deny: ["* role=admin userId=u1"]', sent({ role: 'admin', userId: 'u2' }), 'allow'],
    ['what is inherited', 'deny: ["* title=x"]', sent(Object.create({ title: 'x' })), 'allow'],
  ])('forbid %s', async (_, lines, subject, expected) => {
    expect((await verdict(`allow: ["*"]\n${lines}`, subject)).split(':')[0]).toBe(expected);
  });

  it.each<[string, string, Subject, string]>([
    ['a field', 'allow: ["members update role=read"]', sent({ role: 'read' }), 'allow'],
    ['not without it', 'allow: ["members update role=read"]', sent({}), 'deny'],
    ['only if every element is', 'allow: ["* members=u1"]', sent({ members: ['u0', 'u1'] }), 'deny'],
    ['if every element is', 'allow: ["* members=u1"]', sent({ members: ['u1'] }), 'allow'],
    ['no field further down', 'allow: ["* role=owner"]', sent({ 'memberships.u1.role': 'owner' }), 'deny'],
    [
      'only if every key has it',
      'allow: ["* memberships.*.role=member"]',
      sent({ 'memberships.u1.role': 'member', 'memberships.u2.role': 'owner' }),
      'deny',
    ],
  ])('allow %s', async (_, lines, subject, expected) => {
    expect((await verdict(lines, subject)).split(':')[0]).toBe(expected);
  });

  it.each<[string, Subject, string]>([
    ['deny: ["* danger=confirm"]', { ...remove, danger: 'type-title' }, 'deny'],
    ['deny: ["* danger=confirm"]', { ...remove, danger: 'confirm' }, 'deny'],
    ['deny: ["* danger=confirm"]', { ...remove, danger: 'change' }, 'allow'],
    ['deny: ["* undo=best-effort"]', { ...remove, undo: 'none' }, 'deny'],
    ['deny: ["* undo=best-effort"]', { ...remove, undo: 'exact' }, 'allow'],
  ])('%s reaches what is worse', async (lines, subject, expected) => {
    expect((await verdict(`allow: ["*"]\n${lines}`, subject)).split(':')[0]).toBe(expected);
  });

  it.each<[string, Subject, string]>([
    ['allow: ["* danger=change"]', { ...remove, danger: 'read' }, 'allow'],
    ['allow: ["* danger=change"]', { ...remove, danger: 'confirm' }, 'deny'],
    ['allow: ["* undo=exact"]', { ...remove, undo: 'exact' }, 'allow'],
    ['allow: ["* undo=exact"]', { ...remove, undo: 'best-effort' }, 'deny'],
  ])('%s gives no more', async (lines, subject, expected) => {
    expect((await verdict(lines, subject)).split(':')[0]).toBe(expected);
  });
});

describe('a command and its requests', () => {
  const offboard: Subject = { command: 'members offboard', effect: 'delete', danger: 'confirm' };
  const request: Subject = { ...remove, command: 'members offboard' };
  it.each<[string, string, Subject, string]>([
    ['its name alone gives none of its requests', 'allow: [members offboard]', request, 'deny'],
    ['its requests alone do not give it', 'allow: [members delete]', offboard, 'deny'],
    ['each request by its own command', 'allow: [members delete]', request, 'allow'],
    ['a rule against the command', 'allow: ["*"]\ndeny: [members offboard]', request, 'deny'],
    ['a rule against its request', 'allow: ["*"]\ndeny: [members delete]', request, 'deny'],
    [
      'the command while only its requests are denied',
      'allow: ["*"]\ndeny: [members delete]',
      offboard,
      'allow',
    ],
    [
      'a rule with fields says nothing of the command',
      'allow: ["*"]\ndeny: ["* role=admin"]',
      offboard,
      'allow',
    ],
    ['nor does undo', 'allow: ["*"]\ndeny: ["* undo=none"]', offboard, 'allow'],
    [
      'a read of a change, by the rules of the read',
      'allow: [read]\ndeny: ["members update role=admin"]',
      {
        ...{ command: 'members update', operation: 'members list', effect: 'read' },
        attributes: { role: 'admin' },
      },
      'allow',
    ],
    [
      'a read that is denied itself',
      'allow: [read]\ndeny: ["members list"]',
      { command: 'members update', operation: 'members list', effect: 'read' },
      'deny',
    ],
    ['its own danger does', 'allow: ["*"]\ndeny: ["* danger=confirm"]', offboard, 'deny'],
    ['a field may still be given', 'allow: [members offboard sso=true]', offboard, 'allow'],
  ])('%s', async (_, lines, subject, expected) => {
    expect((await verdict(lines, subject)).split(':')[0]).toBe(expected);
  });

  const api: Subject = { command: 'api', effect: 'write', danger: 'change', carrier: true };
  it.each<[string, string, Subject, string]>([
    ['needs no rule of its own', 'allow: [read]', api, 'allow'],
    ['is forbidden by name', 'deny: [api]', api, 'deny'],
    ['is not forbidden by its danger', 'deny: ["* danger=change"]', api, 'allow'],
    ['is not asked for', 'ask: ["*"]', api, 'allow'],
    ['gives no request', 'allow: [api]', { ...update, command: 'api', carrier: true }, 'deny'],
  ])('a carrier %s', async (_, lines, subject, expected) => {
    expect((await verdict(lines, subject)).split(':')[0]).toBe(expected);
  });
});

describe('organizations and protection', () => {
  const lines = 'allow: ["*"]\norgs: [o1]\nprotect: ["site:docs"]';
  const site = (effect: Subject['effect'], ...names: string[]): Subject => ({
    ...update,
    effect,
    resources: [{ kind: 'site', names }],
  });
  it.each<[string, Subject, string]>([
    ['a listed organization', update, 'allow: *'],
    ['another', { ...update, organization: 'o2' }, 'deny: orgs'],
    ['one that cannot be told', { ...update, organization: null }, 'deny: orgs'],
    ['reads of another', { ...reads, organization: 'o2' }, 'deny: orgs'],
    ['no organization at all', reads, 'allow: *'],
    ['a transfer to another', { ...update, otherOrganizations: ['o2'] }, 'deny: orgs'],
    ['a protected site', site('write', 's1', 'Docs'), 'deny: protect site:docs'],
    ['its deletion', site('delete', 'docs'), 'deny: protect site:docs'],
    ['another site', site('write', 's1', 'Docs 2'), 'allow: *'],
    ['reading it', site('read', 'docs'), 'allow: *'],
    [
      'one whose title is unknown',
      { ...update, resources: [{ kind: 'site', names: ['s1'], untold: true }] },
      'deny: protect site:docs',
    ],
    ['a team of the name', { ...update, resources: [{ kind: 'team', names: ['docs'] }] }, 'allow: *'],
  ])('%s', async (_, subject, expected) => {
    expect(await verdict(lines, subject)).toBe(expected);
  });
});

describe('several policies', () => {
  it.each<[string, string[], string]>([
    ['none', [], 'allow'],
    ['all must allow', ['allow: ["*"]', 'allow: [read]'], 'deny /1.yaml'],
    ['the first denial tells', ['deny: ["*"]', 'deny: ["*"]'], 'deny /0.yaml'],
    ['a denial is told before a question', ['ask: ["*"]', 'deny: ["*"]'], 'deny /1.yaml'],
    ['one that asks', ['allow: ["*"]', 'ask: ["*"]'], 'ask /1.yaml'],
    ['all allow', ['allow: ["*"]', 'default: allow'], 'allow /0.yaml'],
  ])('%s', async (_, texts, expected) => {
    const policies = await Promise.all(texts.map((text, at) => policyOf(text, `/${at}.yaml`)));
    const { is, by } = decide(policies, update);
    expect(`${is}${by === undefined ? '' : ` ${by.file}`}`).toBe(expected);
  });
});

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
