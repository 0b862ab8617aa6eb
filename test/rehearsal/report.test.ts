import { expect, test } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import { shownBy } from '../../src/copy/watch.js';
import { changesOf } from '../../src/rehearsal/changes.js';
import { descendants } from '../../src/rehearsal/janitor.js';
import { type Rehearsed, reportText } from '../../src/rehearsal/report.js';

/** The report for a person. */

const report: Rehearsed = {
  command: ['docs', 'members', 'list'],
  exitCode: 0,
  organization: { id: 'o1', title: 'Acme' },
  origin: 'https://docs.example',
  source: 'platform',
  requests: [],
  changes: [],
  failed: [],
  reads: [{ method: 'GET', path: '/v1/orgs/o1', status: 200 }],
  calls: { changes: 0, reads: 1, total: 1, limit: 100, seconds: 0 },
  undo: { exact: 0, 'best-effort': 0, none: 0, items: [] },
  gaps: [],
  watched: 'all',
  elsewhere: [],
};
const request = { method: 'PATCH', path: '/v1/orgs/o1/members/u1', status: 200 };
const change = (id: string, more: object = {}) => ({
  ...{ action: 'update' as const, operation: 'members.update', id, method: 'PATCH', path: request.path },
  ...{ fields: { role: { before: 'read', after: 'edit' } }, ...more },
});

test('a command that changes nothing', () => {
  expect(reportText(report)).toBe(
    'Rehearsed on a copy of Acme; the command exited with 0.\nThe platform got 1 read and no change.\nChanges sent to the copy: none.\n',
  );
});

test('of a script only what the copy sent is counted, and jobs beside it are named', () => {
  const job = { job: '20261127-1', command: 'teams update' };
  expect(reportText({ ...report, watched: 'copy', elsewhere: [job] })).toContain(
    'The copy sent the platform 1 read and no change.\n' +
      'Requests that the script sends to other addresses are not watched.\n' +
      'Meanwhile, docs on this machine ran jobs that are not on the copy:\n  20261127-1 (teams update)\n',
  );
});

test('a command that only asked who owns the token has changed nothing', () => {
  const ping = { method: 'POST', path: '/v1/orgs/o1/ping', status: 200 };
  const text = reportText({ ...report, exitCode: 130, requests: [ping] });
  expect(text).toContain('\nChanges sent to the copy: none.\n');
  expect(text).not.toContain('Undo');
});

test('of many changes the first, and how many there are', () => {
  const changes = Array.from({ length: 400 }, (_, at) => change(`u${at}`));
  const lines = reportText({ ...report, requests: changes.map(() => request), changes }).split('\n');
  expect(lines.length).toBeLessThan(30);
  expect(lines).toContain('  ~ members update u0: role read → edit');
  expect(lines).toContain('  and 380 more');
});

test('titles can neither command a terminal nor turn a line around, and are cut', () => {
  const title = `\u001b[31mRed\u202e${'x'.repeat(100)}`;
  const text = reportText({ ...report, requests: [request], changes: [change('u1', { title, in: 'A\nB' })] });
  expect(text).toContain('␛[31mRed<U+202E>');
  expect(text).toContain('… (u1) in A B: role read → edit\n');
});

test('a change that was refused leaves nothing to undo', () => {
  const refused = { ...request, status: 404 };
  const text = reportText({ ...report, exitCode: 6, requests: [refused], failed: [refused] });
  expect(text).toContain('Refused: 1.\n  PATCH /v1/orgs/o1/members/u1: 404\nUndo: nothing was changed.\n');
  expect(text).toContain('Calls of the command: 1, under a minute at 100 requests per minute.\n');
});

const nothing = async () => undefined;
const member = '/v1/orgs/o1/members/u1';
const person = (role: string) => ({ id: 'u1', role, updatedAt: role, user: { displayName: 'Ada' } });

test('a resource that several requests change is one change, from before the first to after the last', async () => {
  const changes = await changesOf(
    [
      { method: 'PATCH', path: member, status: 200, before: person('read'), after: person('edit') },
      { method: 'GET', path: member, status: 200 },
      { method: 'PATCH', path: member, status: 403, before: person('edit'), after: person('edit') },
      { method: 'PATCH', path: member, status: 200, before: person('edit'), after: person('admin') },
    ],
    nothing,
  );
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

test('what is created and what is deleted', async () => {
  const team = { id: 't1', title: 'Writers' };
  const changes = await changesOf(
    [
      { method: 'PUT', path: '/v1/orgs/o1/teams', status: 201, after: team },
      { method: 'DELETE', path: '/v1/orgs/o1/teams/t2', status: 204, before: { ...team, id: 't2' } },
    ],
    nothing,
  );
  expect(changes.map(({ action, id, title }) => [action, id, title])).toEqual([
    ['create', 't1', 'Writers'],
    ['delete', 't2', 'Writers'],
  ]);
});

test('what is made and changed then is one creation; made and deleted again it is no change', async () => {
  const team = (title: string) => ({ id: 't1', title });
  const made = { method: 'PUT', path: '/v1/orgs/o1/teams', status: 201, after: team('A') };
  const at = '/v1/orgs/o1/teams/t1';
  const renamed = { method: 'PATCH', path: at, status: 200, before: team('A'), after: team('B') };
  const [change, ...more] = await changesOf([made, renamed], nothing);
  expect(change).toMatchObject({ action: 'create', operation: 'teams.create', title: 'B' });
  expect(more).toEqual([]);
  expect(await changesOf([made, { method: 'DELETE', path: at, status: 204 }], nothing)).toEqual([]);
});

test('a ping changes nothing', async () => {
  const ping = { method: 'POST', path: '/v1/orgs/o1/ping', status: 200 };
  expect(await changesOf([ping], nothing)).toEqual([]);
});

test('a membership has the role in the team from its list, and where it is', async () => {
  const list = '/v1/orgs/o1/teams/t1/members';
  const listed = (role: string, id = 'u1') => ({
    organization: { id, role: 'read', teams: 1, user: { displayName: 'Ada' } },
    team: { role },
  });
  const look = async (path: string) =>
    path === list
      ? { items: [listed('owner')] }
      : path === '/v1/orgs/o1/teams/t1'
        ? { title: 'Writers' }
        : {};
  const beside = { path: list, before: { items: [listed('member', 'u2')] } };
  const changes = await changesOf(
    [
      { method: 'PUT', path: `${list}/u1`, status: 204, beside },
      { method: 'DELETE', path: `${list}/u2`, status: 204, beside },
    ],
    look,
  );
  expect(changes.map(({ action, title, in: place, fields }) => [action, title, place, fields?.role])).toEqual(
    [
      ['create', 'Ada', 'Writers', { after: 'owner' }],
      ['delete', 'Ada', 'Writers', { before: 'member' }],
    ],
  );
  // A request that changes several: all that differ.
  const several = await changesOf([{ method: 'PUT', path: list, status: 204, beside }], look);
  expect(several.map(({ action, id }) => [action, id])).toEqual([
    ['delete', 'u2'],
    ['create', 'u1'],
  ]);
});

test('what nobody could look at before or after is a change all the same', async () => {
  const changes = await changesOf([{ method: 'PATCH', path: member, status: 200 }], nothing);
  expect(changes).toMatchObject([{ action: 'update', id: 'u1' }]);
});

test('what a merge changes: its change request, and pages', async () => {
  const content = '/v1/spaces/s1/content';
  const page = (id: string, documentId: string) => ({ id, title: id, documentId, pages: [] });
  const look = async (path: string) =>
    path === content ? { pages: [page('a', 'new'), page('b', 'same')] } : { title: 'Handbook' };
  const merged = {
    ...{ method: 'POST', path: '/v1/spaces/s1/change-requests/c1/merge', status: 200 },
    ...{ before: { id: 'c1', status: 'open' }, after: { id: 'c1', status: 'merged' } },
    beside: {
      path: content,
      before: { pages: [page('a', 'old'), { ...page('b', 'same'), pages: [page('c', 'x')] }] },
    },
  };
  const changes = await changesOf([merged], look);
  expect(changes.map(({ action, kind, id, in: place }) => [action, kind, id, place])).toEqual([
    ['update', undefined, 'c1', 'Handbook'],
    ['update', 'page', 'a', 'Handbook'],
    ['delete', 'page', 'c', 'Handbook'],
  ]);
  expect(changes[0]?.fields).toEqual({ status: { before: 'open', after: 'merged' } });
});

test('every changing operation but a ping is shown somewhere', () => {
  const all = operations.filter(({ method }) => method !== 'GET');
  const unseen = all.filter((one) => Object.keys(shownBy(one)).length === 0).map(({ id }) => id);
  expect(unseen).toEqual(['orgs.ping']);
});

test('the processes that descend from a command', () => {
  const listed = '  1  0\n 10  1\n 11 10\n 12 11\n 20  1\n';
  expect(descendants(listed, [10])).toEqual([10, 11, 12]);
  expect(descendants(listed, [99])).toEqual([]);
});
