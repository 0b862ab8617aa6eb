import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Folder } from '../../../src/backup/folder.js';
import { readManifest } from '../../../src/backup/manifest.js';
import { openReader } from '../../../src/backup/reader.js';
import { runsOf } from '../../../src/backup/records.js';
import { showRun } from '../../../src/backup/show-run.js';
import { verifyVersions } from '../../../src/backup/verify-versions.js';
import { filesIn } from '../../e2e/backup-home.js';
import {
  copied,
  damage,
  expectRandomRunsKept,
  expectWholeAfterKills,
  first,
  keep,
  recordsIn0,
  second,
} from './killed.js';
import {
  diskUse,
  Killed,
  readBack,
  recordsIn,
  smallRun,
  type TemporaryFolder,
  temporaryFolder,
  textAt,
  textsOf,
} from './small-run.js';

/** Earlier runs of a backup: read again, pruned, whole whenever a run is killed, and not to be forged. */

let place: TemporaryFolder;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const day = 86_400_000;
const start = Date.parse('2026-01-01T12:00:00.000Z');

// More seeds, and every step, are in killed.many.test.ts.
test.each([0, 1])('random changes, runs and values of --keep: every kept run reads back (seed %i)', (seed) =>
  expectRandomRunsKept(place.root, seed),
);

test('killed at a step on the disk, the earlier runs are whole, and the next run makes all whole', async () => {
  await expectWholeAfterKills(place, (at, steps) => at % 16 === 0 || at === steps - 1);
});

test('a first run with --keep that is killed at once leaves nothing that a run without it would break', async () => {
  await smallRun(place.root, first);
  const before = place.copy();
  for (const at of [0, 3, 6, 9, 11]) {
    const root = `${place.root}-${at}`;
    renameSync(copied(before), root);
    await expect(smallRun(root, second, { keep, steps: at })).rejects.toThrow(Killed);
    expect([at, await damage(root)]).toEqual([at, []]);
    await smallRun(root, second);
    expect([at, await damage(root)]).toEqual([at, []]);
    if (recordsIn0(root).includes(1)) expect([at, await readBack(root, '1')]).toEqual([at, textsOf(first)]);
  }
});

test('the disk holds what changed once more, and nothing else but a manifest and a record', async () => {
  await smallRun(place.root, first, { keep });
  const before = diskUse(place.root);
  await smallRun(place.root, first);
  const same = diskUse(place.root) - before;
  const [manifest, record] = [filesIn(join(place.root, 'versions')).size, recordsIn(place.root)];
  expect([manifest, record]).toEqual([2, [1]]);
  expect(same).toBeLessThan(2 * readFileSync(join(place.root, 'manifest.json')).length);
  const larger = structuredClone(first);
  Object.assign(larger.a?.files ?? {}, { 'faq.md': 'y'.repeat(1000) });
  await smallRun(place.root, larger);
  expect(diskUse(place.root) - before - same).toBeLessThan(6000);
});

test('runs expire by number and by age, with what only they had', async () => {
  const texts = ['one', 'two', 'three', 'four'];
  for (const [at, text] of texts.entries()) {
    const organization = { a: { name: 'A', files: { 'a.md': text } } };
    await smallRun(place.root, organization, { keep: { runs: 2 }, nowMs: start + at * day });
  }
  expect(recordsIn(place.root)).toEqual([2, 3]);
  await expect(openReader(place.root, { at: '1' })).rejects.toMatchObject({
    code: 'unknown_run',
    exitCode: 2,
    message: expect.stringContaining('run 1 not found'),
    failure: { hint: `docs backup log ${place.root}`, details: { runs: [2, 3, 4] } },
  });
  const five = { a: { name: 'A', files: { 'a.md': 'five' } } };
  await smallRun(place.root, five, { keep: { days: 2 }, nowMs: start + 4 * day });
  expect(recordsIn(place.root)).toEqual([3, 4]);
  const objects = [...filesIn(join(place.root, 'versions', 'objects')).keys()];
  const bytes = objects.map((path) => readFileSync(join(place.root, 'versions', 'objects', path), 'utf8'));
  expect(bytes).not.toContain('two');
  expect(bytes).toContain('three');
  // Later runs without the flag keep as before.
  await smallRun(place.root, five, { nowMs: start + 20 * day });
  expect(recordsIn(place.root)).toEqual([]);
  await smallRun(place.root, five, { keep: 'none', nowMs: start + 21 * day });
  expect(existsSync(join(place.root, 'versions'))).toBe(false);
});

test('what is still in the folder of a space is found under another name, beside folders without a manifest', async () => {
  await smallRun(place.root, first, { keep });
  const changed = { ...first, a: { name: 'Welcome', files: { ...first.a?.files, 'faq.md': 'other' } } };
  await smallRun(place.root, changed);
  // As a run that was killed between renaming the folder and noting it.
  renameSync(join(place.root, 'spaces', 'Welcome'), join(place.root, 'spaces', 'Renamed'));
  for (const [name, text] of [
    ['Broken', '{'],
    ['Other', '{"format": "other"}'],
  ] as const) {
    mkdirSync(join(place.root, 'spaces', name));
    writeFileSync(join(place.root, 'spaces', name, 'manifest.json'), text);
  }
  const reader = await openReader(place.root, { at: '1' });
  expect(await textAt(reader, 'spaces/Welcome/old.md')).toBe('old');
  expect(await textAt(reader, 'spaces/Welcome/faq.md')).toBe('faq');
});

test('a run is found by number, date, time and age', async () => {
  for (const at of [0, 1, 2]) await smallRun(place.root, first, { keep, nowMs: start + at * day });
  const runAt = async (at: string, nowMs = start + 2 * day) =>
    (await openReader(place.root, { at, nowMs })).manifest.runs + 1;
  const asked = ['2', '3', 'latest', '2026-01-02', '2026-01-01T12:00Z', '1d', '30h ago'];
  expect(await Promise.all(asked.map((at) => runAt(at)))).toEqual([2, 3, 3, 2, 1, 2, 1]);
  await expect(runAt('2025-12-31')).rejects.toMatchObject({ code: 'unknown_run' });
  await expect(runAt('9')).rejects.toMatchObject({ code: 'unknown_run' });
  for (const at of ['', 'yesterday', '-1', '2026-13-01', '1; ls'])
    await expect(runAt(at)).rejects.toMatchObject({ code: 'invalid_run', exitCode: 2 });
});

test('the log lists all runs with what they changed; show lists it by item', async () => {
  await smallRun(place.root, first, { keep: { runs: 1 } });
  await expect(smallRun(place.root, second, { steps: 12 })).rejects.toThrow(Killed);
  await smallRun(place.root, second);
  await smallRun(place.root, second);
  const folder = new Folder(place.root);
  const read = await readManifest(folder);
  if (read === undefined) throw new Error('no manifest');
  const runs = await runsOf(folder, read);
  expect(runs.map(({ run, state, kept }) => [run, state, kept])).toEqual([
    [4, 'whole', true],
    [3, 'whole', true],
    [2, 'unfinished', false],
    [1, 'whole', false],
  ]);
  expect(runs.map(({ added, changed, removed }) => [added, changed, removed])).toEqual([
    [0, 0, 0],
    // The list at the top; faq, old; the spaces that were made and removed.
    [1, 2, 2],
    [undefined, undefined, undefined],
    [6, 0, 0],
  ]);
  const { changes, before } = await showRun(folder, read, '4', 0);
  expect([before?.run, (await changes.next()).done]).toEqual([3, true]);
  await expect(showRun(folder, read, '3', 0)).rejects.toMatchObject({ code: 'before_not_kept', exitCode: 2 });
});

test('a run says nothing of what changed where the files of the last one are lost', async () => {
  await smallRun(place.root, first);
  rmSync(join(place.root, 'spaces/Welcome/manifest.json'));
  await smallRun(place.root, second);
  expect((await readManifest(new Folder(place.root)))?.manifest.changes).toBeUndefined();
  await smallRun(place.root, first);
  expect((await readManifest(new Folder(place.root)))?.manifest.changes).toBeDefined();
});

test('objects that go away while they are listed are named', async () => {
  await smallRun(place.root, first, { keep });
  await smallRun(place.root, second);
  class Swept extends Folder {
    override async entries(path: string) {
      const found = await super.entries(path);
      if (path === 'versions/objects') rmSync(join(this.root, path), { recursive: true });
      return found;
    }
  }
  const folder = new Swept(place.root);
  const read = await readManifest(folder);
  if (read === undefined) throw new Error('no manifest');
  const found: unknown[] = [];
  const signers = { allowed: undefined, nowMs: 0 };
  for await (const one of verifyVersions(folder, read.manifest, signers)) found.push(one);
  expect(found).toContainEqual(expect.objectContaining({ state: 'missing', kind: 'version' }));
});

describe('forged', () => {
  const object = (text: string) => {
    const root = join(place.root, 'versions', 'objects');
    for (const path of filesIn(root).keys())
      if (readFileSync(join(root, path), 'utf8') === text) return join(root, path);
    throw new Error(`no object is ${text}`);
  };
  beforeEach(async () => {
    await smallRun(place.root, first, { keep });
    await smallRun(place.root, second);
    expect(await damage(place.root)).toEqual([]);
  });

  test('an object: it is never given out, and named', async () => {
    writeFileSync(object('faq'), 'bad');
    const reader = await openReader(place.root, { at: '1' });
    await expect(textAt(reader, 'spaces/Welcome/faq.md')).rejects.toMatchObject({
      code: 'missing_in_backup',
      exitCode: 13,
      message: expect.stringContaining('spaces/Welcome/faq.md of run 1 is missing'),
    });
    expect(await damage(place.root)).toMatchObject([{ state: 'changed', kind: 'version' }]);
  });

  test('an object that is lost is named with what it was', async () => {
    renameSync(object('faq'), join(place.root, '..', 'away'));
    const lost = { path: 'spaces/Welcome/faq.md', space: 'Welcome' };
    expect(await damage(place.root)).toMatchObject([{ state: 'missing', kind: 'version', ...lost }]);
  });

  test('a record: it is not of the run that the next one followed', async () => {
    const path = join(place.root, 'versions', 'runs', '1.json');
    const record = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...record, manifest: '0'.repeat(64) }));
    expect(await damage(place.root)).toMatchObject([
      { state: 'changed', path: 'versions/runs/1.json' },
      { state: 'missing', kind: 'version' },
    ]);
    await expect(openReader(place.root, { at: '1' })).rejects.toMatchObject({ code: 'missing_in_backup' });
    writeFileSync(path, '{"format": "docs-backup-version/1", "run": "../../x"}');
    expect(await damage(place.root)).toMatchObject([{ state: 'bad-manifest' }]);
    writeFileSync(join(place.root, 'versions', 'runs', '7.json'), JSON.stringify({ ...record, run: 7 }));
    expect(await damage(place.root)).toContainEqual(
      expect.objectContaining({ state: 'extra', path: 'versions/runs/7.json' }),
    );
    await smallRun(place.root, second);
    expect((await readManifest(new Folder(place.root)))?.manifest.before?.run).toBe(2);
  });

  test('a link in place of versions is not followed', async () => {
    const theirs = join(place.root, '..', 'theirs');
    mkdirSync(theirs);
    const objects = join(place.root, 'versions', 'objects');
    renameSync(objects, join(place.root, '..', 'objects'));
    symlinkSync(theirs, objects);
    await expect(smallRun(place.root, first)).rejects.toMatchObject({ code: 'unsafe_link', exitCode: 13 });
    expect(filesIn(theirs).size).toBe(0);
    const unsafe = { state: 'unsafe', kind: 'version', path: 'versions/objects' };
    expect(await damage(place.root)).toContainEqual(unsafe);
  });
});
