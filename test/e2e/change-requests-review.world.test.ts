import { expect, it } from 'vitest';
import { discussed, homeOfChanges } from './change-platform.js';

/** `docs change-requests review` in a pipe. */

const home = homeOfChanges();
const review = (...words: string[]) => home.run(['change-requests', 'review', '5', ...words]);

it('review shows threads beside their pages and folds resolved ones; nothing is asked in a pipe', async () => {
  await home.startPlatform(discussed);
  const { code, stdout, stderr } = await review();
  expect(stdout).toContain('Change request 5: New words\nopen by Ada, updated ');
  expect(stdout).toMatch(
    /setup\.\n {2}\| Bob ␛\[31m, .* ago k1\n {2}\| Why new\?\n {2}\| ␛\]0;x␇\n {2}\| {3}Ada, .* ago: It is faster\.\n {2}\|\n {2}\| 1 resolved thread\n/,
  );
  expect(stdout).toMatch(
    /Comments on the change request\n {2}\| Dee, .* ago k3\n {2}\| All in all fine\.\n$/,
  );
  expect(stderr).toContain('To merge: docs change-requests merge 5');
  expect(code).toBe(0);
  expect(home.sent().filter((request) => request.includes('/replies'))).toHaveLength(1);
  expect(home.sent().every((request) => request.startsWith('GET '))).toBe(true);
  const rows = JSON.parse((await review('--json')).stdout) as { id: string; comments: { id: string }[] }[];
  expect(rows.flatMap(({ id, comments: own }) => own.map((one) => [id, one.id]))).toEqual([
    ['intro', 'k1'],
    ['intro', 'k2'],
    ['c5', 'k3'],
  ]);
});
