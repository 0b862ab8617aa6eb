import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupHome, backupHome } from './backup-home.js';

/** A restore ends with who can access what, compared with the backup. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome('tiny');
  await home.backedUp();
});
afterEach(() => home.end());

const restore = (...words: string[]) => home.run(['backup', 'restore', 'b', ...words]);
const idOf = async (title: string, kind: string) => {
  const rows = await home.json<{ id: string; title?: string }[]>([kind, 'list']);
  return rows.find((row) => row.title === title)?.id ?? '';
};

test('a deleted collection comes back, and nobody gains or loses access; what stays different is named', async () => {
  await home.ok(['collections', 'delete', await idOf('Internal', 'collections'), '--yes']);
  const { code, stderr } = await restore('--yes');
  expect(code).toBe(0);
  expect(stderr).toContain('Access is as in the backup: 7 members in 5 spaces.');
  await home.ok(['backup', 'run', '--out', 'later', '--full']);
  const differences = await home.json<{ kind: string }[]>(['backup', 'diff', 'b', 'later']);
  expect(differences.filter(({ kind }) => kind === 'access')).toEqual([]);

  const again = await restore('--yes');
  expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: '' });
  expect(again.stderr).toContain('visibility of spaces (1)');
  expect(again.stderr).toContain('Engineering Handbook (in-collection → private)');
  expect(again.stderr).toContain('permissions of people and teams in deleted collections (1)');
  expect(again.stderr).not.toContain('Nothing to restore');
});

test('access that a restore cannot bring back is named at its end, and by the next run', async () => {
  for (const title of ['Support', 'Writers'])
    await home.ok(['teams', 'delete', await idOf(title, 'teams'), '--yes']);
  const lost = 'permissions of single people in spaces (2)';
  const who = 'API Reference: 2 with another role (Deniz Yıldız, Chiara Rossi)';
  for (const words of [[], ['--only', 'teams']]) {
    const { code, stderr } = await restore('--yes', ...words);
    expect(code).toBe(0);
    expect(stderr).toContain(`${lost}: `);
    expect(stderr).toContain(who);
  }
  home.gateway.requests.length = 0;
  const { stderr } = await restore('--yes', '--no-access');
  expect(stderr).not.toContain(lost);
  expect(home.gateway.requests.filter((line) => /members\/[^/]+\/spaces/.test(line)).length).toBeLessThan(7);
});
