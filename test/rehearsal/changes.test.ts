import { expect, test } from 'vitest';
import { changesOf } from '../../src/rehearsal/changes.js';
import { descendants } from '../../src/rehearsal/janitor.js';

const member = '/v1/orgs/o1/members/u1';
const person = (role: string) => ({ id: 'u1', role, updatedAt: role, user: { displayName: 'Ada' } });

test('a resource that several requests change is one change, from before the first to after the last', () => {
  const changes = changesOf([
    { method: 'PATCH', path: member, status: 200, before: person('read'), after: person('edit') },
    { method: 'GET', path: member, status: 200 },
    { method: 'PATCH', path: member, status: 403, before: person('edit'), after: person('edit') },
    { method: 'PATCH', path: member, status: 200, before: person('edit'), after: person('admin') },
  ]);
  expect(changes).toEqual([
    {
      ...{
        action: 'update',
        operation: 'members.update',
        id: 'u1',
        title: 'Ada',
        method: 'PATCH',
        path: member,
      },
      fields: { role: { before: 'read', after: 'admin' } },
    },
  ]);
});

test('what is created and what is deleted', () => {
  const team = { id: 't1', title: 'Writers' };
  const changes = changesOf([
    { method: 'POST', path: '/v1/orgs/o1/teams', status: 201, after: team },
    { method: 'DELETE', path: '/v1/orgs/o1/teams/t2', status: 204, before: { ...team, id: 't2' } },
  ]);
  expect(changes.map(({ action, id, title }) => [action, id, title])).toEqual([
    ['create', 't1', 'Writers'],
    ['delete', 't2', 'Writers'],
  ]);
});

test('the processes that descend from a command', () => {
  const listed = '  1  0\n 10  1\n 11 10\n 12 11\n 20  1\n';
  expect(descendants(listed, [10])).toEqual([10, 11, 12]);
  expect(descendants(listed, [99])).toEqual([]);
});
