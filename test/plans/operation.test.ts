import { expect, test } from 'vitest';
import { updateSpace } from '../../src/api/resources/spaces.js';
import { jobItem } from '../../src/jobs/journal.js';
import { draftsOf } from '../../src/plans/operation.js';

test('a draft comes after the drafts of the steps that there are', () => {
  const request = { op: updateSpace, input: { path: { spaceId: 's1' }, body: {} }, id: 's1' };
  // Item 1 has no step.
  const steps = [jobItem(request, 0), jobItem(request, 2), jobItem({ ...request, after: [1, 2] }, 3)];
  expect(draftsOf(steps).map(({ change }) => change?.after)).toEqual([undefined, undefined, [1]]);
});
