import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReader } from '../../src/workflows/backup/reader.js';
import { type BackupHome, backupHome, failureOf, filesIn } from './backup-home.js';

/** `docs backup run --keep`, `log` and `show`: earlier runs, read back and byte for byte as they were. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
});
afterEach(() => home.end());

/** Backs up, and copies the folder as it is then. */
async function backedUp(run: number, ...words: string[]): Promise<{ kept?: number; unchanged: number }> {
  const result = (await home.backedUp(...words)) as { kept?: number; unchanged: number };
  cpSync(home.at('b'), home.at(`copy${run}`), { recursive: true });
  return result;
}

/** The present files of a backup, without what only the top has. */
function presentFiles(folder: string): Map<string, string> {
  const apart = /^(manifest\.json(\.sig)?$|deleted\/|versions\/)/;
  return new Map([...filesIn(home.at(folder))].filter(([path]) => !apart.test(path)));
}

/** Reads every file of a run and compares it with the copy that was made after it. */
async function expectAsItWas(run: number, at = String(run)): Promise<void> {
  const copy = home.at(`copy${run}`);
  const reader = await openReader(home.at('b'), { at });
  const paths = reader.manifest.files.map(({ path }) => path);
  for (const entry of reader.manifest.spaces) {
    const space = await reader.space(entry);
    paths.push(
      ...['manifest.json', ...(space?.files ?? []).map(({ path }) => path)].map(
        (path) => `spaces/${entry.folder}/${path}`,
      ),
    );
  }
  for (const path of paths)
    expect([path, (await bytesOf(await reader.bytes(path))).equals(readFileSync(`${copy}/${path}`))]).toEqual(
      [path, true],
    );
  expect(paths.sort()).toEqual([...presentFiles(`copy${run}`).keys()].sort());
  const manifest = JSON.parse(readFileSync(`${copy}/manifest.json`, 'utf8')) as { startedAt: string };
  expect(reader.manifest.startedAt).toBe(manifest.startedAt);
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return Buffer.concat(chunks);
}

async function change(): Promise<void> {
  const [welcome, guide] = [await home.space('Welcome'), await home.space('Product Guide')];
  await home.ok(['change-requests', 'merge', '3', '--space', welcome, '--yes']);
  await home.ok(['spaces', 'update', welcome, '--title', 'Hello']);
  await home.ok(['spaces', 'delete', guide, '--yes']);
  await home.ok(['teams', 'create', '--title', 'Editors']);
}

const verified = async () => {
  const { code, stdout } = await home.run(['backup', 'verify', 'b', '--offline', '--json']);
  return { code, found: JSON.parse(stdout) as { state: string; kind: string; path?: string }[] };
};
const clean = { code: 0, found: [] };

test('each kept run reads back as it was; log and show tell what it changed', async () => {
  await backedUp(1, '--keep', '9');
  await change();
  expect(await backedUp(2)).toMatchObject({ kept: 1 });
  // What is gone is in versions alone.
  expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  expect(await backedUp(3)).toMatchObject({ kept: 2, unchanged: 4 });
  for (const run of [1, 2, 3]) await expectAsItWas(run);
  await expectAsItWas(3, 'latest');
  expect(await verified()).toEqual(clean);

  const runs = await home.json<Record<string, unknown>[]>(['backup', 'log', 'b']);
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
  await home.backedUp();
  await change();
  await home.backedUp();
  expect(readdirSync(home.at('b')).sort()).toContain('deleted');
  expect(existsSync(home.at('b', 'versions'))).toBe(false);
  const runs = await home.json<Record<string, unknown>[]>(['backup', 'log', 'b']);
  expect(runs.map(({ run, kept }) => [run, kept])).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(runs[0]).toMatchObject({ removed: expect.any(Number) });
  expect(runs[0]?.removed).toBeGreaterThan(0);
  const shown = await home.run(['backup', 'show', 'b', '1', '--json']);
  expect(shown.code).toBe(2);
  expect(failureOf(shown.stderr)).toMatchObject({
    code: 'unknown_run',
    hint: `docs backup log ${realpathSync(home.at('b'))}`,
  });
  const latest = await home.run(['backup', 'show', 'b', 'latest', '--json']);
  expect(latest.code).toBe(2);
  expect(failureOf(latest.stderr)).toMatchObject({ code: 'before_not_kept' });
  expect(failureOf(latest.stderr).message).toMatch(/the run before run 2 is not kept .*; it added \d+ files/);
  const wrong = await home.backUp('--keep', 'always');
  expect([wrong.code, failureOf(wrong.stderr).code]).toEqual([2, 'invalid_keep']);
});

test('runs expire by number and by age; --keep none stops and removes', async () => {
  await home.backedUp('--keep', '1');
  await change();
  await home.backedUp();
  await home.backedUp();
  expect(readdirSync(home.at('b', 'versions', 'runs'))).toEqual(['2.json']);
  const path = home.at('b', 'versions', 'runs', '2.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...record, startedAt: '2020-01-01T00:00:00.000Z' }));
  await home.backedUp('--keep', '90d');
  expect(readdirSync(home.at('b', 'versions', 'runs'))).toEqual(['3.json']);
  expect(await verified()).toEqual(clean);
  expect(await home.backedUp('--keep', 'none')).not.toHaveProperty('kept');
  expect(existsSync(home.at('b', 'versions'))).toBe(false);
  expect(await verified()).toEqual(clean);
  await home.backedUp();
  expect(existsSync(home.at('b', 'versions'))).toBe(false);
});

test('killed at any point of a run with --keep, the earlier runs are whole', async () => {
  await backedUp(1, '--keep', '9');
  await change();
  for (const at of [2, 14, 22, 28]) {
    home.gateway.requests.length = 0;
    const running = home.start(['backup', 'run', '--out', 'b', '--concurrency', '1']);
    home.gateway.rule = (_, count) => {
      if (count === at) running.child.kill('SIGKILL');
      return undefined;
    };
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' });
    await expectAsItWas(1);
  }
  home.gateway.rule = () => undefined;
  const [latest] = await home.json<{ run: number }[]>(['backup', 'log', 'b']);
  await backedUp((latest?.run ?? 0) + 1);
  await expectAsItWas(1);
  await expectAsItWas((latest?.run ?? 0) + 1, 'latest');
  expect(await verified()).toEqual(clean);
  const shown = await home.json<unknown[]>(['backup', 'show', 'b', 'latest']);
  expect(shown).toHaveLength(
    (await home.json<unknown[]>(['backup', 'diff', 'copy1', `copy${(latest?.run ?? 0) + 1}`])).length,
  );
});

test('a damaged object and a link are found and never used', async () => {
  await home.backedUp('--keep', '9');
  await change();
  await home.backedUp();
  const objects = home.at('b', 'versions', 'objects');
  for (const path of filesIn(objects).keys())
    if (readFileSync(`${objects}/${path}`, 'utf8').startsWith('# '))
      writeFileSync(`${objects}/${path}`, '# Bad');
  const { code, found } = await verified();
  expect(code).toBe(17);
  expect(new Set(found.map(({ state, kind }) => `${state} ${kind}`))).toEqual(new Set(['changed version']));
  // What the files said is lost, which files they were is not.
  const shown = await home.json<{ compared: string }[]>(['backup', 'show', 'b', '2']);
  expect(shown.some(({ compared }) => compared === 'hashes')).toBe(true);
  expect(JSON.stringify(shown)).not.toContain('# Bad');

  renameSync(objects, home.at('objects'));
  mkdirSync(home.at('theirs'));
  symlinkSync(home.at('theirs'), objects);
  await home.ok(['teams', 'create', '--title', 'More']);
  const ran = await home.backUp();
  expect([ran.code, failureOf(ran.stderr).code]).toEqual([13, 'unsafe_link']);
  expect(readdirSync(home.at('theirs'))).toEqual([]);
});

test('while another run holds the folder, nothing of the versions is touched', async () => {
  await home.backedUp('--keep', '9');
  await change();
  const running = home.start(['backup', 'run', '--out', 'b', '--concurrency', '1']);
  let second: Promise<{ code: number | null; stderr: string }> | undefined;
  home.gateway.rule = (line) => {
    if (!line.includes('/content/page/') || second !== undefined) return undefined;
    second = home.backUp('--keep', 'none');
    return second.then(() => undefined);
  };
  expect((await running.ended).code).toBe(0);
  expect(await second).toMatchObject({ code: 13 });
  expect(readdirSync(home.at('b', 'versions', 'runs'))).toEqual(['1.json']);
  expect(await verified()).toEqual(clean);
});
