import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomically, writeNewFile } from '../../src/base/write-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-write-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function* bytes(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

const read = (name: string) => readFile(join(folder, name), 'utf8');

describe('writing in the place of a file', () => {
  it('makes or replaces it, readable by its owner only, and leaves nothing else', async () => {
    const path = join(folder, 'a.json');
    await writeFileAtomically(path, 'one');
    expect(await read('a.json')).toBe('one');
    await writeFileAtomically(path, bytes('tw', 'o'));
    expect(await read('a.json')).toBe('two');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('keeps the old file where the content fails midway', async () => {
    const path = join(folder, 'a.json');
    await writeFile(path, 'old');
    const cut = new Error('the connection was reset');
    await expect(writeFileAtomically(path, bytes('half', cut))).rejects.toBe(cut);
    expect(await read('a.json')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('keeps a link and replaces what it leads to', async () => {
    await writeFile(join(folder, 'target'), 'old');
    await symlink('target', join(folder, 'link'));
    await writeFileAtomically(join(folder, 'link'), 'new');
    expect(await readlink(join(folder, 'link'))).toBe('target');
    expect(await read('target')).toBe('new');
  });

  it('tells what is wrong with the disk, exit 13', async () => {
    await expect(writeFileAtomically(join(folder, 'none', 'a'), 'x')).rejects.toMatchObject({
      kind: 'local-io',
      code: 'no_such_file',
      message: `Cannot write ${join(folder, 'none', 'a')}: no such file or directory.`,
    });
    await expect(writeFileAtomically(folder, 'x')).rejects.toMatchObject({ kind: 'local-io' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves one whole file when many write at once', async () => {
    const path = join(folder, 'a');
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(5000));
    await Promise.all(contents.map((content) => writeFileAtomically(path, content)));
    expect(contents).toContain(await read('a'));
    expect(await readdir(folder)).toEqual(['a']);
  });
});

describe('writing a new file under a name of the platform', () => {
  it('stays inside the folder', async () => {
    expect(await writeNewFile(folder, '../../etc/pass\x00wd', 'x')).toBe(join(folder, 'pass_wd'));
    expect(await readdir(folder)).toEqual(['pass_wd']);
  });

  it('never overwrites, never follows a link', async () => {
    await writeFile(join(folder, 'a.md'), 'mine');
    await symlink('/nowhere', join(folder, 'a (2).md'));
    expect(await writeNewFile(folder, 'a.md', bytes('theirs'))).toBe(join(folder, 'a (3).md'));
    expect([await read('a.md'), await read('a (3).md')]).toEqual(['mine', 'theirs']);
  });

  it('fails where the folder goes away while it is written', async () => {
    const below = join(folder, 'below');
    await mkdir(below);
    async function* content() {
      yield Buffer.from('x');
      await rm(below, { recursive: true });
    }
    await expect(writeNewFile(below, 'a.md', content())).rejects.toMatchObject({
      kind: 'local-io',
      code: 'no_such_file',
    });
  });

  it('gives each of many the same-named its own file', async () => {
    const paths = await Promise.all(
      [1, 2, 3, 4].map((content) => writeNewFile(folder, 'a.md', String(content))),
    );
    expect(new Set(paths).size).toBe(4);
    expect((await readdir(folder)).sort()).toEqual(['a (2).md', 'a (3).md', 'a (4).md', 'a.md']);
  });

  it('leaves nothing where the content fails', async () => {
    const cut = new Error('cut');
    await expect(writeNewFile(folder, 'a.md', bytes('half', cut))).rejects.toBe(cut);
    expect(await readdir(folder)).toEqual([]);
  });
});
