import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { backedUpAs, change, clean, expectAsItWas, failureOf, filesIn, homeOfFile } from './backup-home.js';

/** `docs backup run --keep`, `log` and `show`: earlier runs, read back and byte for byte as they were. */

const home = homeOfFile({ backup: true });
const log = () => home.json<Record<string, unknown>[]>(['backup', 'log', 'b']);

test('each kept run reads back as it was; log and show tell what it changed', async () => {
  cpSync(home.at('b'), home.at('copy1'), { recursive: true });
  await change(home);
  expect(await backedUpAs(home, 2, '--keep', '9')).toMatchObject({ kept: 1 });
  // What is gone is in versions alone.
  expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  expect(await backedUpAs(home, 3)).toMatchObject({ kept: 2, unchanged: 4 });
  for (const run of [1, 2, 3]) await expectAsItWas(home, run);
  await expectAsItWas(home, 3, 'latest');
  expect(await home.verified('--offline')).toMatchObject(clean);

  const runs = await log();
  expect(runs.map(({ run, state, kept, spaces }) => [run, state, kept, spaces])).toEqual([
    [3, 'whole', true, 4],
    [2, 'whole', true, 4],
    [1, 'whole', true, 5],
  ]);
  expect(runs[0]).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(runs[1]).toMatchObject({ added: expect.any(Number) });

  const shown = await home.json<Record<string, unknown>[]>(['backup', 'show', 'b', '2']);
  const told = await home.json<Record<string, unknown>[]>(['backup', 'diff', 'copy1', 'copy2']);
  expect(shown.map(({ compared, ...rest }) => rest)).toEqual(told);
  expect(new Set(shown.map(({ compared }) => compared))).toEqual(new Set(['values']));
  expect(shown).toContainEqual(expect.objectContaining({ change: 'added', kind: 'team', title: 'Editors' }));
  const last = await home.run(['backup', 'show', 'b', 'latest']);
  expect(last).toMatchObject({ code: 0, stdout: '' });
  expect(last.stderr).toContain('Run 3, compared with run 2: no differences.');
});

test('without --keep there is a log, deleted as before, and no versions; a run that is not there is named', async () => {
  await change(home);
  await home.backedUp();
  expect(readdirSync(home.at('b'))).toContain('deleted');
  expect(existsSync(home.at('b', 'versions'))).toBe(false);
  const runs = await log();
  expect(runs.map(({ run, kept }) => [run, kept])).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(runs[0]).toMatchObject({ removed: expect.any(Number) });
  expect(runs[0]?.removed).toBeGreaterThan(0);
  const shown = await home.run(['backup', 'show', 'b', '1', '--json']);
  expect(shown.code).toBe(2);
  const hint = `docs backup log ${realpathSync(home.at('b'))}`;
  expect(failureOf(shown.stderr)).toMatchObject({ code: 'unknown_run', hint });
  const latest = await home.run(['backup', 'show', 'b', 'latest', '--json']);
  expect(latest.code).toBe(2);
  expect(failureOf(latest.stderr)).toMatchObject({ code: 'before_not_kept' });
  expect(failureOf(latest.stderr).message).toMatch(/the run before run 2 is not kept .*; it added \d+ files/);
  const wrong = await home.backUp('--keep', 'always');
  expect([wrong.code, failureOf(wrong.stderr).code]).toEqual([2, 'invalid_keep']);
});

test('a damaged object is found and never used', async () => {
  await change(home);
  await home.backedUp('--keep', '9');
  const objects = home.at('b', 'versions', 'objects');
  for (const path of filesIn(objects).keys())
    if (readFileSync(`${objects}/${path}`, 'utf8').startsWith('# '))
      writeFileSync(`${objects}/${path}`, '# Bad');
  const { code, found } = await home.verified('--offline');
  expect(code).toBe(17);
  expect(new Set(found.map(({ state, kind }) => `${state} ${kind}`))).toEqual(new Set(['changed version']));
  // What the files said is lost, which files they were is not.
  const shown = await home.json<{ compared: string }[]>(['backup', 'show', 'b', '2']);
  expect(shown.some(({ compared }) => compared === 'hashes')).toBe(true);
  expect(JSON.stringify(shown)).not.toContain('# Bad');
});
