import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Buckets } from '../../src/files/buckets.js';

/** Items sorted into buckets, most of them in files. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buckets-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function all<T>(buckets: Buckets<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const items of buckets.items()) found.push(...items);
  return found;
}

/** Longer than a chunk that is read at once; a character of several bytes stands at every place of one. */
const texts = Array.from({ length: 5000 }, (_, index) => `${index} ${'é\n'.repeat(index % 40)}`);

test.each([1, 7, 1000, 10_000])(
  'gives every item by bucket, in its order, with %d held',
  async (most) => {
    const buckets = new Buckets<string>(most);
    for (const [index, text] of texts.entries()) await buckets.add(index % 3, text);
    const sorted = [0, 1, 2].flatMap((bucket) => texts.filter((_, index) => index % 3 === bucket));
    expect(await all(buckets)).toEqual(sorted);
    await buckets.remove();
    expect(readdirSync(folder)).toEqual([]);
  },
  30_000,
);

test.skipIf(process.platform === 'win32')('files are those of this user alone', async () => {
  const buckets = new Buckets<number>(2);
  for (const item of [1, 2, 3]) await buckets.add(5, item);
  const [name = ''] = readdirSync(folder);
  const modes = [join(folder, name), join(folder, name, '5.ndjson')].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600]);
  expect(await all(buckets)).toEqual([1, 2, 3]);
  await buckets.remove();
});

test('without a place to write it fails, and says so', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
  const buckets = new Buckets<number>(1);
  await expect(buckets.add(0, 1)).rejects.toMatchObject({ kind: 'local-io', code: 'no_such_file' });
  await buckets.remove();
});
