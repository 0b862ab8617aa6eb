import { expect, test } from 'vitest';
import { leaverLines } from '../../src/commands/members/offboard-page.js';
import { decisionsIn } from '../../src/commands/members/review-apply.js';
import { parseRows } from '../../src/jobs/rows.js';

/** Valid and invalid decisions in a reviewed file. */

const read = async (text: string, name = 'r.csv') => decisionsIn(await parseRows(text, name));

test.each([
  ['keep', { is: 'keep' }],
  [' Remove ', { is: 'remove' }],
  ['role=read', { is: 'role', role: 'read' }],
  ['role = Admin', { is: 'role', role: 'admin' }],
  ['role=none', { is: 'role', role: null }],
  ['role=guest', { is: 'role', role: null }],
])('%j is accepted', async (text, decision) => {
  const { decided, mistakes } = await read(`id,decision\nu1,${text}\n`);
  expect({ decided, mistakes }).toMatchObject({ decided: [{ decision, index: 0 }], mistakes: [] });
});

test.each([
  ['delete', 'invalid decision "delete"; expected keep, remove or role=<role>'],
  ['role=', 'unknown role ""; expected one of admin, create, review, edit, comment, read, none'],
  [
    'role=reader',
    'unknown role "reader"; expected one of admin, create, review, edit, comment, read, none. Did you mean read?',
  ],
])('%j is rejected with line and column', async (text, message) => {
  const { mistakes } = await read(`id,role,decision\nu0,read,keep\nu1,read,${text}\n`);
  expect(mistakes).toEqual([{ index: 1, line: 3, column: 3, name: 'decision', message }]);
});

test('rows without a decision are counted', async () => {
  expect(await read('id,decision\nu1,\nu2,keep\nu3, \n')).toMatchObject({ undecided: 2, mistakes: [] });
});

test('the role at the time of the review comes from the column role; an empty cell is a guest', async () => {
  const { decided } = await read('id,role,decision\nu1,read,keep\nu2,,keep\nu3,guest,keep\n');
  expect(decided.map(({ reviewedRole }) => reviewedRole)).toEqual(['read', null, null]);
  const without = await read('id,decision\nu1,keep\n');
  expect(without.decided[0]).not.toHaveProperty('reviewedRole');
});

test('accepts the JSON that the review prints', async () => {
  const rows = [{ id: 'u1', user: { displayName: 'U' }, role: null, decision: 'role=read' }];
  const { decided } = await read(JSON.stringify(rows), 'r.json');
  expect(decided).toMatchObject([{ name: { text: 'u1' }, reviewedRole: null }]);
});

test('a file without the column decision is refused', async () => {
  await expect(read('id,role\nu1,read\n')).rejects.toThrow('missing column decision');
});

const held = { role: 'editor', sso: false, disabled: false, joinedAt: '2026-01-01T00:00:00.000Z' };

test.each([
  [{}, 'role editor, no SSO, never seen'],
  [{ lastSeenAt: '2026-02-03T04:05:06.000Z' }, 'role editor, no SSO, last seen 2026-02-03'],
  [{ role: null, sso: true, disabled: true }, 'guest, SSO, disabled, never seen'],
])('before an offboarding the question names what a member has: %j', (more, words) => {
  const before = { ...held, ...more, teams: [], spaces: [], changeRequests: [] };
  const user = { id: 'u1', displayName: 'Ada', email: 'ada@acme.example' };
  expect(leaverLines({ user, before, unseen: [], warnings: [], actions: [] }).slice(0, 2)).toEqual([
    'Ada, ada@acme.example (u1)',
    `  ${words}`,
  ]);
});
