import { expect, test } from 'vitest';
import { type Judged, warningsOf } from '../../../src/access/sso/issues.js';

/** What readiness warns of. */

const judged: Judged = {
  ...{ enforced: false, providers: [], chosen: [], idp: null, rows: [], whole: true, notSpelt: 0 },
};

test('typos that were not looked for are said', () => {
  expect(warningsOf(judged)).toEqual([]);
  expect(warningsOf({ ...judged, notSpelt: 6200 })).toEqual([
    {
      code: 'typos_not_sought',
      message: '6,200 members have no likely match; typos in emails were not looked for among so many.',
    },
  ]);
});
