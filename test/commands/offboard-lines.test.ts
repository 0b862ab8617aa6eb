import { expect, test } from 'vitest';
import { leaverLines } from '../../src/commands/members/offboard-page.js';

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
