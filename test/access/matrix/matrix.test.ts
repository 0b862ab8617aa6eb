import { describe, expect, test } from 'vitest';
import { type KnownRole, type MatrixRow, Tally } from '../../../src/access/person.js';
import type { LevelledSpace } from '../../../src/access/structure.js';
import type { Role } from '../../../src/api/shapes.js';
import { DocsError } from '../../../src/base/errors.js';
import type { Session } from '../../../src/cli/declare/session.js';
import { missedWords } from '../../../src/commands/access/lists.js';
import { gridOf } from '../../../src/commands/access/matrix.js';
import { MatrixCells, matrixReport } from '../../../src/commands/access/matrix-page.js';
import { fakeIo } from '../../fake-io.js';
import { cellOf, rowsOf } from '../../reports/page-data.js';

/** The page of a matrix, made of rows. */

const place = (id: string, defaultLevel: string | null, parent?: string): LevelledSpace => ({
  ...{ id, title: id, visibility: 'in-collection', defaultLevel },
  ...(parent !== undefined && { parent }),
});
const row = (name: string, role: Role | null, cells: Record<string, KnownRole>): MatrixRow => ({
  person: { id: name, email: null, displayName: name },
  organizationRole: role,
  cells: Object.entries(cells).map(([id, own]) => ({ space: { id, title: id }, role: own })),
});
const collections = new Map([['docs', { id: 'docs', title: 'Docs', defaultLevel: 'comment' }]]);
const head = { title: 'Matrix', about: [], missing: [], facts: [], collections };
const none = new Map<string, LevelledSpace>();

describe('the reason for a role', () => {
  const spaces = [place('inner', 'inherit', 'docs'), place('closed', null), place('lost', 'inherit', 'gone')];
  const cells = new MatrixCells(spaces, []);
  cells.add(row('ada', 'admin', { inner: 'admin', closed: 'admin', lost: 'admin' }), none);
  cells.add(row('bo', 'edit', { inner: 'comment', closed: null, lost: 'edit' }), none);
  cells.add(row('cy', 'read', { inner: 'edit', closed: 'read', lost: 'unknown' }), none);
  cells.add(row('di', null, { inner: null, closed: 'edit', lost: null }), none);
  cells.add(row('ed', 'edit', { inner: 'read', closed: null, lost: null }), none);
  const { parts } = matrixReport(cells, head);

  const explained = 'Organization role and default levels explain it:';
  const granted = 'Granted to them or to a team of theirs. Organization role and default levels alone give';
  const less = 'Organization role and default levels would give comment, but the platform reports less';

  test.each([
    ['ada', 'closed', 'admin', 'An admin of the organization has admin everywhere.'],
    ['bo', 'inner', 'comment', `${explained} the collection Docs has the default level comment.`],
    ['bo', 'closed', 'none', 'No access: the space closed has the default level none.'],
    ['bo', 'lost', 'edit', 'The source of the role is unknown: the level of collection gone was not read.'],
    ['cy', 'inner', 'edit', `${granted} read.`],
    ['di', 'closed', 'edit', `${granted} nothing.`],
    ['cy', 'lost', 'unknown', 'The spaces of this person could not be read.'],
    ['di', 'inner', 'none', 'No access: guests get access from grants alone.'],
    ['ed', 'inner', 'read', `${less} and does not say why.`],
  ])('%s in %s', (person, space, level, why) => {
    expect(cellOf(parts, person, space)).toEqual([level, why]);
  });

  test('is told beside the role in the organization', () => {
    const roles = rowsOf(parts, 'People').map((one) => [one.Person, one['Organization role']]);
    expect(roles).toEqual(
      expect.arrayContaining([
        ['ada', 'admin'],
        ['di', 'guest'],
      ]),
    );
  });
});

test('a space that turns up later has a column, and no role for those read before', () => {
  const cells = new MatrixCells([place('first', 'read')], []);
  cells.add(row('ada', 'read', { first: 'read' }), none);
  cells.add(row('bo', 'read', { first: 'unknown' }), none);
  const late = new Map([['late', place('late', 'read')]]);
  cells.add(row('cy', 'edit', { first: 'read', late: 'read' }), late);
  const { parts } = matrixReport(cells, head);
  expect(['ada', 'bo', 'cy'].map((name) => cellOf(parts, name, 'late')[0])).toEqual([
    'none',
    'unknown',
    'read',
  ]);
  expect(rowsOf(parts, 'Spaces').map(({ Space, Read, Unknown }) => [Space, Read, Unknown])).toEqual([
    ['first', 2, 1],
    ['late', 1, 1],
  ]);
});

test('ten thousand people and three hundred spaces are two arrays', () => {
  const spaces = Array.from({ length: 300 }, (_, at) =>
    place(`s${at}`, at % 2 === 0 ? 'read' : 'inherit', 'docs'),
  );
  const cells = new MatrixCells(spaces, []);
  const roles: (Role | null)[] = ['admin', 'create', 'review', 'edit', 'comment', 'read', null];
  const own = Object.fromEntries(spaces.map(({ id }): [string, KnownRole] => [id, 'read']));
  const shared = row('x', null, own);
  for (let at = 0; at < 10_000; at += 1)
    cells.add({ ...shared, organizationRole: roles[at % roles.length] ?? null }, none);
  const [heat] = matrixReport(cells, head).parts;
  if (heat?.kind !== 'heat') throw new Error('No heat map');
  expect([heat.cells.byteLength, heat.why.byteLength]).toEqual([3_000_000, 6_000_000]);
  expect(heat.reasons.length).toBeLessThan(1_000);
});

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

test('a hundred lists that could not be read are named, and the others counted', () => {
  const tally = new Tally();
  const error = new DocsError('forbidden', 'forbidden', 'No.');
  for (let at = 0; at < 102; at += 1) tally.fail({ kind: 'member-spaces', id: `u${at}`, error });
  const words = missedWords(tally);
  expect(words).toHaveLength(101);
  expect(words.at(-1)).toBe('Not read: 2 more lists.');
});
