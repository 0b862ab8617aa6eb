import { expect, test } from 'vitest';
import type { AccessCompared } from '../../src/restore/access.js';
import { type Facts, restoring } from '../../src/restore/lacks.js';

/** What a restore tells of permissions, which it cannot set. */

const compared = { state: 'compared', members: 9, spaces: 2, changes: 0, unread: 0 } as const;
const told = (access: AccessCompared | undefined) =>
  (restoring.access?.cannot ?? []).map(({ count, more }) => {
    const facts = { access } as Facts;
    return [typeof count === 'function' ? count(facts) : count, more?.(facts)];
  });

test('names who has other permissions now, and in which space', () => {
  const guide = { title: 'Guide', lost: 2, gained: 1, changed: 1, people: ['Ada', 'Bob', 'Cy'] };
  expect(told({ ...compared, changes: 4, differing: [guide], unread: 1 })).toEqual([
    [
      4,
      [
        'Different now:',
        'Guide: 2 lost access, 1 gained access, 1 with another role (Ada, Bob, Cy, 1 more).',
        'The access of 1 member could not be read.',
      ],
    ],
  ]);
  expect(told({ ...compared, differing: [] })).toEqual([[0, []]]);
});

test('names five spaces, and counts the others', () => {
  const differing = [1, 2, 3, 4, 5, 6].map((at) => ({
    ...{ title: `S${at}`, lost: 1, gained: 0, changed: 0, people: ['Ada'] },
  }));
  const [, more] = told({ ...compared, changes: 6, differing })[0] ?? [];
  expect(more).toHaveLength(7);
  expect(more).toEqual(expect.arrayContaining(['S5: 1 lost access (Ada).', '1 more space differs.']));
});

test('says nothing where it could not compare them', () => {
  for (const access of [undefined, { state: 'unknown', why: 'it failed' } as const])
    expect(told(access)).toEqual([[undefined, []]]);
});
