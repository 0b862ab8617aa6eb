import { afterAll, beforeEach, expect, test } from 'vitest';
import { savedWorld } from './world.js';

/** A saved policy, and the ledger of its budget, of which a day's two changes are spent. */

const world = await savedWorld();
afterAll(() => world.close());
beforeEach(() => {
  world.lay('policy/budget');
  world.env.DOCS_POLICY = world.at('policy.yaml');
});

const [writers, support] = ['yX3ldFpdXkLA5PUzg2Ig', '58r3X1FgDS0A1SsD1Tls'];
const retitle = async (team: string) => {
  const { code, stderr } = await world.run(['teams', 'update', team, '--title', 'Third']);
  return [code, stderr];
};

test('it is explained with what is left of its budget', async () => {
  const text = await world.ok(['policy', 'explain']);
  expect(text).toContain('docs members update where role is admin is denied');
  expect(text).toContain('The team Support is never changed or deleted');
  expect(text).toContain('At most 2 can be changed or deleted per day; 0 left');
});

test('what was counted still counts, until the day is over', async () => {
  expect(await retitle(writers)).toEqual([
    5,
    expect.stringContaining('the budget of 2 writes per day has 0 left'),
  ]);
  world.time.set(24 * 3_600_000 + 60_000);
  expect(await retitle(writers)).toEqual([0, '']);
  expect(await retitle(support)).toEqual([5, expect.stringContaining('team:Support is protected')]);
});
