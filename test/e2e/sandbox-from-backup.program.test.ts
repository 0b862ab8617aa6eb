import { rmSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { homeOfFile } from './backup-home.js';

/** `docs sandbox seed`, `start` and `exec` with `--from-backup`. */

const home = homeOfFile({ backup: true });
/** What a sandbox beside that of the home holds. */
const state = () => home.ok(['sandbox', 'export', '--file', 'copy.db']);

test('a backup becomes a sandbox, whose backup is the same', async () => {
  const seeded = await home.json(['sandbox', 'seed', '--from-backup', 'b', '--file', 'copy.db']);
  expect(seeded).toEqual({
    ...{ id: home.at('b'), status: 'seeded', organization: { id: home.org, title: 'Acme Docs' } },
    ...{ spaces: 5, gaps: [] },
  });
  const words = ['backup', 'run', '--out', 'again'];
  await home.ok(['sandbox', 'exec', '--file', 'copy.db', '--', ...docsWords, ...words]);
  const diff = await home.run(['backup', 'diff', 'b', 'again', '--exit-code']);
  expect(diff).toMatchObject({ code: 0, stdout: '' });
});

test('exec runs a command on a copy that is gone afterwards; start serves one', async () => {
  const list = [...docsWords, 'spaces', 'list', '-o', 'id'];
  const listed = await home.ok(['sandbox', 'exec', '--from-backup', 'b', '--', ...list]);
  expect(listed.trim().split('\n').sort()).toEqual(
    (await home.ok(['spaces', 'list', '-o', 'id'])).trim().split('\n').sort(),
  );
  const start = ['sandbox', 'start', '--from-backup', 'b', '--file', 'copy.db'];
  const { url, org } = await home.json<{ url: string; org: string }>(start);
  expect(org).toBe(home.org);
  expect((await home.json<{ url: string }>(start)).url).toBe(url);
  await home.ok(['sandbox', 'stop', '--file', 'copy.db']);
  const tiny = await home.run(['sandbox', 'start', '--seed', 'tiny', '--file', 'copy.db']);
  expect(tiny).toMatchObject({ code: 2 });
});

test('reset goes back to the backup, or says that it is gone and changes nothing', async () => {
  await home.ok(['sandbox', 'seed', '--from-backup', 'b', '--file', 'copy.db']);
  const before = await state();
  const change = [...docsWords, 'teams', 'create', '--title', 'New'];
  await home.ok(['sandbox', 'exec', '--file', 'copy.db', '--', ...change]);
  expect(await state()).not.toBe(before);
  await home.ok(['sandbox', 'reset', '--file', 'copy.db']);
  expect(await state()).toBe(before);
  rmSync(home.at('b'), { recursive: true });
  const gone = await home.run(['sandbox', 'reset', '--file', 'copy.db']);
  expect(gone).toMatchObject({ code: 2, stdout: '' });
  expect(gone.stderr).toContain(`${home.at('b')} is not a backup`);
  expect(await state()).toBe(before);
});

test('--at takes an earlier run, which reset goes back to', async () => {
  const titles = ['teams', 'list', '--jq', '.[].title'];
  const before = await home.ok(titles);
  await home.ok(['teams', 'create', '--title', 'Later']);
  await home.backedUp('--keep', '9');
  const list = ['--', ...docsWords, ...titles];
  const at = (...run: string[]) => home.ok(['sandbox', 'exec', '--from-backup', 'b', ...run, ...list]);
  expect(await at('--at', '1')).toBe(before);
  expect(await at('--at', 'latest')).toContain('Later');
  expect(await at()).toContain('Later');

  const copy = ['--file', 'copy.db'];
  await home.ok(['sandbox', 'seed', '--from-backup', 'b', '--at', '1', ...copy]);
  const change = [...docsWords, 'teams', 'create', '--title', 'New'];
  await home.ok(['sandbox', 'exec', ...copy, '--', ...change]);
  await home.ok(['sandbox', 'reset', ...copy]);
  expect(await home.ok(['sandbox', 'exec', ...copy, ...list])).toBe(before);
  await home.ok(['sandbox', 'start', '--from-backup', 'b', '--at', '1', ...copy]);
  await home.ok(['sandbox', 'stop', ...copy]);
  const other = await home.run(['sandbox', 'start', '--from-backup', 'b', '--at', '2', ...copy]);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain(`docs sandbox seed --from-backup ${home.at('b')} --at 2`);
});

test('a killed process leaves the sandbox as it was, or with all of the backup', async () => {
  const words = ['sandbox', 'seed', '--from-backup', 'b', '--file', 'copy.db'];
  await home.ok(words);
  const after = await state();
  for (const grown of [1, 100_000]) {
    await home.ok(['sandbox', 'seed', 'tiny', '--file', 'copy.db']);
    const before = await state();
    const { child, ended } = home.start(words);
    // What a transaction writes before it counts.
    const written = () => statSync(home.at('copy.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
    const isOver = ended.then(() => true);
    await expect
      .poll(async () => written() >= grown || Promise.race([isOver, false]), { interval: 5 })
      .toBe(true);
    child.kill('SIGKILL');
    await ended;
    expect([before, after].includes(await state())).toBe(true);
  }
});
