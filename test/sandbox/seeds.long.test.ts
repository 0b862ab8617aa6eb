import { expect, test } from 'vitest';
import { listMembers } from '../../src/api/resources/members.js';
import { openPlatform } from './in-process.js';

test('huge has 100,000 members, each on one page', async () => {
  const { admin, organizationId } = await openPlatform({ seed: 'huge' });
  const input = { path: { organizationId }, query: { limit: 1000 } };
  expect((await admin.ok(listMembers, input)).count).toBe(100_000);
  const ids = (await admin.all(listMembers, input)).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([100_000, 100_000]);
});
