import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Folder } from '../../src/backup/folder.js';
import { type FailedEntry, failedLines } from '../../src/backup/manifest.js';
import { clearStale } from '../../src/backup/trust.js';
import { DocsError } from '../../src/base/errors.js';

/** The folder of a backup: nothing leads out of it, and nothing is half written. */

let outside: string;
let folder: Folder;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'docs-backup-'));
  mkdirSync(join(outside, 'b'));
  folder = new Folder(join(outside, 'b'));
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const refused = { name: 'DocsError', code: 'unsafe_link' };
const text = (path: string) => readFileSync(join(outside, 'b', path), 'utf8');

test.each(['../x', 'a/../../x', '/x', '', '.', 'a//b', 'a\\b', 'a/..'])('%j is refused', async (path) => {
  await expect(folder.write(path, 'x')).rejects.toMatchObject(refused);
  await expect(folder.move('a', path)).rejects.toBeInstanceOf(DocsError);
  expect(readdirSync(outside)).toEqual(['b']);
});

test('a link is replaced, not followed; a folder that is a link is refused', async () => {
  writeFileSync(join(outside, 'mine'), 'mine');
  symlinkSync(join(outside, 'mine'), join(outside, 'b', 'file'));
  mkdirSync(join(outside, 'theirs'));
  symlinkSync(join(outside, 'theirs'), join(outside, 'b', 'spaces'));
  await folder.write('file', 'new');
  expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('mine');
  expect(lstatSync(join(outside, 'b', 'file')).isSymbolicLink()).toBe(false);
  await expect(folder.write('spaces/x', 'x')).rejects.toMatchObject(refused);
  expect(await folder.stat('spaces/x')).toBeUndefined();
  expect(await folder.entries('spaces')).toEqual([]);
  const walked = [];
  for await (const path of folder.walk('')) walked.push(path);
  expect(walked).toEqual(['file', 'spaces']);
});

test('the same content is not written again, in one piece or in several', async () => {
  async function* pieces() {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  }
  const first = await folder.write('a/b.txt', pieces());
  expect(first).toMatchObject({ path: 'a/b.txt', bytes: 7 });
  const { ino } = lstatSync(join(outside, 'b', 'a', 'b.txt'));
  expect(await folder.write('a/b.txt', 'one two')).toEqual(first);
  expect(await folder.write('a/b.txt', pieces())).toEqual(first);
  expect(lstatSync(join(outside, 'b', 'a', 'b.txt')).ino).toBe(ino);
  await folder.write('a/b.txt', 'three');
  expect(text('a/b.txt')).toBe('three');
  expect(readdirSync(join(outside, 'b', 'a'))).toEqual(['b.txt']);
});

test('content that breaks off leaves the old file', async () => {
  await folder.write('a', 'old');
  async function* broken() {
    yield Buffer.from('ne');
    throw new DocsError('network', 'cut_short', 'It broke off.');
  }
  await expect(folder.write('a', broken())).rejects.toMatchObject({ code: 'cut_short' });
  expect(text('a')).toBe('old');
  expect(readdirSync(join(outside, 'b'))).toEqual(['a']);
});

test('what is stale moves away, under a free name, and empty folders go', async () => {
  for (const path of [
    's/keep.md',
    's/gone/old.md',
    's/.docs-0123456789abcdef.tmp',
    'deleted/d/s/gone/old.md',
  ])
    await folder.write(path, path);
  expect(await clearStale(folder, 's', [{ path: 'keep.md' }], 'deleted/d')).toBe(1);
  expect(readdirSync(join(outside, 'b', 's'))).toEqual(['keep.md']);
  expect(readdirSync(join(outside, 'b', 'deleted', 'd', 's', 'gone'))).toEqual(['old (2).md', 'old.md']);
});

test('what of a space failed as the space itself did is told in one line', () => {
  const failed = (kind: string, id: string, message: string, space?: string) =>
    ({ kind, id, error: { message }, ...(space !== undefined && { space }) }) as FailedEntry;
  const gone = 'space "s1" not found';
  expect(
    failedLines([
      failed('space', 's1', gone),
      failed('fields', 's1', gone, 's1'),
      failed('comments', 's1', 'The platform answered 500.', 's1'),
      failed('change-requests', 's1', gone, 's1'),
      failed('fields', 's2', gone, 's2'),
    ]),
  ).toEqual([
    'space s1: space "s1" not found. Nor were its fields and change requests.',
    'comments s1 of space s1: The platform answered 500.',
    'fields s2 of space s2: space "s1" not found',
  ]);
});
