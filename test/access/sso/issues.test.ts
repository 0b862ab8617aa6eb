import { expect, test } from 'vitest';
import { type Judged, warningsOf } from '../../../src/commands/sso/readiness.js';
import type { ReadinessRow } from '../../../src/commands/sso/shapes.js';

/** What readiness warns of. */

const judged: Judged = {
  ...{ enforced: false, providers: [], chosen: [], idp: null, rows: [], whole: true },
};

test('people are counted and named', () => {
  const messageOf = (...emails: string[]) => {
    const row: ReadinessRow = { status: 'linked', sso: true, flags: ['outside-domains'], matches: [] };
    const rows = emails.map((email) => ({ ...row, email }));
    return warningsOf({ ...judged, rows }).map(({ message }) => message);
  };
  expect(messageOf('a@x.example')).toEqual([
    "1 person is outside the organization's email domains: a@x.example.",
  ]);
  expect(messageOf('a@x.example', 'b@x.example')).toEqual([
    "2 people are outside the organization's email domains: a@x.example, b@x.example.",
  ]);
});
