import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Folder } from '../../src/backup/folder.js';
import { readManifest } from '../../src/backup/manifest.js';
import type { VerifyFinding } from '../../src/backup/shapes.js';
import { verifyFolder } from '../../src/backup/verify.js';
import { smallRun, type TemporaryFolder, temporaryFolder } from './versions/small-run.js';

/** The bytes of a backup against its manifests. */

let place: TemporaryFolder;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

/** What is not as the manifests say, but for counts, which the small run does not make. */
async function found(): Promise<string[]> {
  const folder = new Folder(place.root);
  const read = await readManifest(folder);
  if (read === undefined) throw new Error('no manifest');
  const looked = { spaces: 0, files: 0, bytes: 0 };
  const all: VerifyFinding[] = [];
  for await (const one of verifyFolder(folder, read.manifest, looked, () => {})) all.push(one);
  return all.flatMap(({ state, path }) => (state === 'miscounted' ? [] : [`${state} ${path}`]));
}

test.each([
  ['members.json', '"s1"', '"s2"'],
  ['spaces/Welcome/faq.md', 'answer', 'Answer'],
  ['spaces/Welcome/manifest.json', '"seen": "s"', '"seen": "t"'],
])('a byte of %s that is another one, in a file of the same length', async (path, from, to) => {
  await smallRun(place.root, { s1: { name: 'Welcome', files: { 'faq.md': 'An answer.' } } });
  expect(await found()).toEqual([]);
  const file = join(place.root, path);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace(from, to));
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  expect(await found()).toEqual([`changed ${path}`]);
});
