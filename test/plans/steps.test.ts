import { expect, test } from 'vitest';
import { updateSpace } from '../../src/api/resources/spaces.js';
import { stepOf } from '../../src/jobs/step.js';
import { draftsOf } from '../../src/plans/steps.js';

test('a draft comes after the drafts of the steps that there are', () => {
  const request = { op: updateSpace, input: { path: { spaceId: 's1' }, body: {} }, id: 's1' };
  // Item 1 has no step.
  const steps = [stepOf(request, 0), stepOf(request, 2), stepOf(request, 3, { after: [1, 2] })];
  expect(draftsOf(steps).map(({ after }) => after)).toEqual([undefined, undefined, ['o2']]);
});
