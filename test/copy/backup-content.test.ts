import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Space } from '../../src/api/resources/spaces.js';
import { fillSpaceContent } from '../../src/copy/content/fill-space.js';
import { spaceFilesOf } from '../../src/copy/content/space-files.js';
import { openReader } from '../../src/workflows/backup/reader.js';
import { filesIn } from '../e2e/backup-home.js';
import { openSandbox, type TestSandbox } from '../sandbox/client.js';
import { answersOf, comparable } from '../sandbox/copy/answers.js';
import { type CopySandbox, openWithoutContent } from '../sandbox/copy/empty-copy.js';
import { backUp, backupFolder } from './backups.js';

const folder = backupFolder();
const open: TestSandbox[] = [];
afterAll(async () => {
  for (const sandbox of open) await sandbox.close();
  folder.remove();
});

/** Puts the content of each space of a backup. */
async function fill(copy: CopySandbox, path: string): Promise<string[]> {
  const reader = await openReader(path);
  const ids: string[] = [];
  for (const entry of reader.manifest.spaces) {
    const manifest = await reader.space(entry);
    const at = `spaces/${entry.folder}/`;
    const space = JSON.parse(await reader.text(`${at}space.json`)) as Space;
    const files = spaceFilesOf(reader, at, manifest?.files ?? []);
    await fillSpaceContent({ db: copy.store.db, files }, space);
    ids.push(space.id);
  }
  return ids;
}

function contentOf(path: string): Record<string, string> {
  const files = [...filesIn(join(path, 'spaces')).keys()];
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(path, 'spaces', file), 'base64')]));
}

describe.each(['tiny', 'acme'])('the backup of %s as a copy', (seed) => {
  test('answers the same, and its backup is the same to the byte', { timeout: 120_000 }, async () => {
    const source = await openSandbox({ seed });
    const copy = await openWithoutContent(source);
    open.push(source, copy);
    const [first, second] = [folder.path(`${seed}-1`), folder.path(`${seed}-2`)];
    await backUp(source, first);
    const ids = await fill(copy, first);
    await backUp(copy, second);
    const [before, after] = [contentOf(first), contentOf(second)];
    const differs = Object.keys(before).filter((path) => after[path] !== before[path]);
    const text = (files: Record<string, string>, path = '') =>
      Buffer.from(files[path] ?? '', 'base64').toString();
    expect(text(after, differs[0])).toBe(text(before, differs[0]));
    expect(differs).toEqual([]);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const id of ids.slice(0, 10)) {
      expect(comparable(await answersOf(copy.admin, id))).toEqual(
        comparable(await answersOf(source.admin, id)),
      );
    }
  });
});
