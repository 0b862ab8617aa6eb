import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { homeOfFile } from './backup-home.js';

/** `docs sandbox start` and `exec` with `--from-backup`, and a `seed` that is killed. */

const home = homeOfFile({ backup: true });
/** What a sandbox beside that of the home holds. */
const state = () => home.ok(['sandbox', 'export', '--file', 'copy.db']);

test('exec runs a command on a copy, which may be of an earlier run', async () => {
  const titles = ['teams', 'list', '--jq', '.[].title'];
  const before = await home.ok(titles);
  await home.ok(['teams', 'create', '--title', 'Later']);
  await home.backedUp('--keep', '9');
  const words = ['sandbox', 'exec', '--from-backup', 'b', '--at', '1', '--', ...docsWords, ...titles];
  expect((await home.start(words).ended).stdout).toBe(before);
});

test('start serves a backup; the same again is the same server, another seed or run is refused', async () => {
  const copy = ['--file', 'copy.db'];
  const start = (...words: string[]) => home.start(['sandbox', 'start', ...copy, '--json', ...words]).ended;
  const served = async (...words: string[]) =>
    JSON.parse((await start(...words)).stdout) as { url: string; org: string };
  const { url, org } = await served('--from-backup', 'b');
  expect(org).toBe(home.org);
  expect((await served('--from-backup', 'b')).url).toBe(url);
  await home.ok(['sandbox', 'stop', ...copy]);
  expect(await start('--seed', 'tiny')).toMatchObject({ code: 2 });
  const other = await start('--from-backup', 'b', '--at', '1');
  expect(other.code).toBe(2);
  expect(other.stderr).toContain(`docs sandbox seed --from-backup ${home.at('b')} --at 1`);
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
