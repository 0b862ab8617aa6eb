import { expect, test } from 'vitest';
import type { Session } from '../../../src/cli/declare/session.js';
import { gridOf } from '../../../src/commands/access/matrix.js';
import { fakeIo } from '../../fake-io.js';

test.each([
  [
    ['Handbook', 'Notes'],
    ['Handbook', 'Notes'],
  ],
  [
    ['Engineering Handbook North', 'Engineering Handbook South'],
    ['Engineer…k North', 'Engineer…k South'],
  ],
  [
    ['Engineering Handbook, North, Handbook', 'Engineering Handbook, South, Handbook'],
    ['1 Engineering H…', '2 Engineering H…'],
  ],
])('titles that a terminal cuts stay apart: %j', (titles, shown) => {
  const io = fakeIo({ terminals: ['stdout'], columns: 60 });
  const session = { io, settings: {}, globals: {} } as unknown as Session;
  const spaces = titles.map((title, at) => ({ id: `s${at}`, title }));
  const columns = gridOf(session, spaces)?.view.columns ?? [];
  expect(columns.slice(1).map(({ label }) => label)).toEqual(shown);
});
