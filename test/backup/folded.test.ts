import { expect, it } from 'vitest';
import type { Difference } from '../../src/backup/shapes.js';
import { foldedForReading } from '../../src/commands/backup/diff.js';

/** Differences as people read them: what is gone first, and one line for a new role. */

const role: Difference = {
  ...{ change: 'changed', kind: 'member', id: 'u1', title: 'Ibrahim', detail: 'role: comment → edit' },
  fields: [{ field: 'role', before: 'comment', after: 'edit' }],
};
const permission = (space: string, after: string, id = 'u1'): Difference => ({
  ...{ change: 'changed', kind: 'access', id, title: 'Ibrahim', space, spaceId: space },
  detail: `permission: comment → ${after}`,
  fields: [{ field: 'permission', before: 'comment', after }],
});
const gone: Difference = { change: 'removed', kind: 'space', id: 's9', title: 'Board Notes' };

it('puts permissions that became the new role into its line, and what is gone above it', () => {
  const same = ['API', 'Guide', 'Welcome', 'Legal'].map((space) => permission(space, 'edit'));
  const other = [permission('Ops', 'read'), permission('API', 'edit', 'u2')];
  const { differences, followed } = foldedForReading([role, ...same, ...other, gone]);
  expect(followed).toBe(4);
  expect(differences).toEqual([
    gone,
    { ...role, detail: 'role: comment → edit; the same in 4 spaces: API, Guide, Welcome and 1 more' },
    ...other,
  ]);
});

it('leaves permissions that follow from no role', () => {
  const all = [permission('API', 'edit'), gone];
  expect(foldedForReading(all)).toMatchObject({ followed: 0, differences: [gone, all[0]] });
});
