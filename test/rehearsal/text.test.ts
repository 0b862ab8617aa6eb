import { expect, test } from 'vitest';
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
