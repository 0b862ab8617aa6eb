import { cpSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { openReader } from '../../src/backup/reader.js';
import { type BackupHome, filesIn, type Result } from './backup-home.js';

/** Runs of `docs backup run --keep`, and copies to compare them with. */

/** Backs up, and copies the folder as it is then. */
export async function backedUpAs(home: BackupHome, run: number, ...words: string[]): Promise<Result> {
  const result = await home.backedUp(...words);
  cpSync(home.at('b'), home.at(`copy${run}`), { recursive: true });
  return result;
}

/** Changes, adds and removes what a further run then finds. */
export async function change(home: BackupHome): Promise<void> {
  const [welcome, guide] = [await home.space('Welcome'), await home.space('Product Guide')];
  await home.merge();
  await home.ok(['spaces', 'update', welcome, '--title', 'Hello']);
  await home.ok(['spaces', 'delete', guide, '--yes']);
  await home.ok(['teams', 'create', '--title', 'Editors']);
}

/** Reads every file of a run and compares it with the copy that was made after it. */
export async function expectAsItWas(home: BackupHome, run: number, at = String(run)): Promise<void> {
  const copy = home.at(`copy${run}`);
  const reader = await openReader(home.at('b'), { at });
  const paths = reader.manifest.files.map(({ path }) => path);
  for (const entry of reader.manifest.spaces) {
    const { files = [] } = (await reader.space(entry)) ?? {};
    const names = ['manifest.json', ...files.map(({ path }) => path)];
    paths.push(...names.map((name) => `spaces/${entry.folder}/${name}`));
  }
  for (const path of paths) {
    const bytes = await bytesOf(await reader.bytes(path));
    expect([path, bytes.equals(readFileSync(`${copy}/${path}`))]).toEqual([path, true]);
  }
  // What only the top has is no file of a run.
  const apart = /^(manifest\.json(\.sig)?$|deleted\/|versions\/)/;
  expect(paths.sort()).toEqual([...filesIn(copy).keys()].filter((path) => !apart.test(path)).sort());
  const { startedAt } = home.parsed<{ startedAt: string }>(`copy${run}`, 'manifest.json');
  expect(reader.manifest.startedAt).toBe(startedAt);
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return Buffer.concat(chunks);
}
