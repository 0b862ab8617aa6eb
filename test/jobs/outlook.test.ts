import { expect, test } from 'vitest';
import { updateMember } from '../../src/api/resources/members.js';
import { forecasts, surveyed } from '../../src/jobs/outlook.js';
import type { Reads } from '../../src/jobs/request.js';

/** What undo could do about a change, where that depends on the state before it. */

const change = (userId: string, more = {}) => ({
  ...{
    op: updateMember,
    id: userId,
    input: { path: { organizationId: 'o', userId }, body: { role: 'read' } },
  },
  ...more,
});
/** An organization whose admin is `ada`. */
const reads: Reads = { one: async () => null, all: async () => [{ id: 'ada' }] };

test('a survey finds the admins among many, and leaves states that are known', async () => {
  const found = await surveyed(reads, [
    change('bob'),
    change('ada'),
    change('ada', { before: { role: 'edit' } }),
  ]);
  expect(found.map(({ before }) => before)).toEqual([undefined, { role: 'admin' }, { role: 'edit' }]);
  expect(forecasts(found).map(({ why }) => why !== undefined)).toEqual([false, true, false]);
});
