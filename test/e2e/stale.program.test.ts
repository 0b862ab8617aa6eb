import { expect, onTestFinished, test } from 'vitest';
import { stalePlatform } from './stale-platform.js';

/** `docs change-requests stale` in two processes. Killed: stale-killed.world.test.ts. */

test('two processes at the same time comment once', async () => {
  const platform = await stalePlatform();
  onTestFinished(() => platform.end());
  const [id = ''] = await platform.opened(['F']);
  await platform.pass(61);
  const warn = async () => (await platform.home.start(platform.stale('--yes')).ended).code;
  const codes = await Promise.all([warn(), warn()]);
  expect(codes.every((code) => code === 0 || code === 13)).toBe(true);
  expect(await warn()).toBe(0);
  const warnings = await platform.comments(id);
  expect(warnings.filter(({ body }) => body.markdown.includes('docs-stale:'))).toHaveLength(1);
});
