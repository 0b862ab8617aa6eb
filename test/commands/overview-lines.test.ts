import { expect, test } from 'vitest';
import { linesOf } from '../../src/commands/orgs/overview-run.js';

const nothing = {
  ...{ organization: null, members: null, spaces: null, sites: null, changeRequests: null, links: null },
  ...{ openapi: null, saml: null, backup: null, unread: [] },
};
const around = { organization: 'o1', missing: [], nowMs: 0, platform: 'linux' } as const;

test('names three unfinished jobs, and counts the others', () => {
  const last = ['a', 'b', 'c', 'd', 'e'].map((id) => ({
    ...{ id, command: 'trash', state: 'unfinished', at: '2026-01-01T00:00:00.000Z', left: 1 },
  }));
  const lines = linesOf({ ...nothing, jobs: { total: 9, unfinished: 6, last } }, around);
  const names = 'a trash (unfinished), b trash (unfinished), c trash (unfinished)';
  expect(lines.find(({ part }) => part === 'jobs')?.value).toBe(
    `9 in the last 90 days, 6 unfinished: ${names} and 3 more`,
  );
});
