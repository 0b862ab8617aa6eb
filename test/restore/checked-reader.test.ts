import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReader } from '../../src/backup/reader.js';
import { checkedReader } from '../../src/restore/backup-client.js';
import {
  fileAt,
  smallRun,
  type TemporaryFolder,
  temporaryFolder,
  textAt,
} from '../backup/versions/small-run.js';

/** What a restore would write is what the backup run read: a file that somebody changed is refused. */

let place: TemporaryFolder;
beforeEach(async () => {
  place = temporaryFolder();
  await smallRun(place.root, { s1: { name: 'Welcome', files: { 'faq.md': 'An answer.' } } });
});
afterEach(() => place.remove());

const reader = async () => checkedReader(await openReader(place.root));
function change(path: string, from: string, to: string): void {
  const file = join(place.root, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}
const damaged = (path: string) => ({
  code: 'backup_damaged',
  exitCode: 17,
  message: `${path} differs from the manifest of the backup; nothing was changed`,
});

test('a file of the same length with another text', async () => {
  const path = 'spaces/Welcome/faq.md';
  expect(await textAt(await reader(), path)).toBe('An answer.');
  change(path, 'answer', 'Answer');
  const [files, entry] = await fileAt(await reader(), path);
  await expect(files.text(entry)).rejects.toMatchObject(damaged(path));
  await expect(files.bytes(entry)).rejects.toMatchObject(damaged(path));
});

test('a manifest of a space', async () => {
  change('spaces/Welcome/manifest.json', '"seen": "s"', '"seen": "t"');
  await expect(reader()).rejects.toMatchObject(damaged('spaces/Welcome/manifest.json'));
});

test('a backup whose last run did not finish', async () => {
  change('manifest.json', '"state": "whole"', '"state": "unfinished"');
  await expect(reader()).rejects.toMatchObject({ code: 'backup_unfinished', exitCode: 14 });
});
