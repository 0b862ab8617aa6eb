import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContentSource } from '../../../src/sandbox/sources.js';

let root: string;
let folder: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-source-'));
  folder = join(root, 'content');
  mkdirSync(join(folder, 'docs.example', 'guides'), { recursive: true });
  writeFileSync(join(root, 'secret.md'), 'secret');
  writeFileSync(join(folder, 'a b.md'), 'by name');
  writeFileSync(join(folder, 'docs.example', 'guides', 'a b.md'), 'by path');
  symlinkSync(join(root, 'secret.md'), join(folder, 'link.md'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

describe('ContentSource', () => {
  test('prefers the file of host and path, then that of the last segment', async () => {
    const source = new ContentSource({ folder });
    const read = async (url: string) => text((await source.read(url)).bytes);
    expect(await read('https://docs.example/guides/a%20b.md?x=1#y')).toBe('by path');
    expect(await read('https://other.example/deep/a%20b.md')).toBe('by name');
    expect((await source.read('https://docs.example/guides/a%20b.md')).name).toBe('a b.md');
  });

  test.each([
    'https://x.example/..%2fsecret.md',
    'https://..%2f/secret.md',
    'https://x.example/%2e%2e/secret.md',
    'https://x.example/link.md',
    'https://x.example/%00',
    'https://x.example/docs.example',
    'https://x.example/%zz',
    'https://x.example/',
  ])('finds nothing at %s', async (url) => {
    await expect(new ContentSource({ folder }).read(url)).rejects.toMatchObject({ failure: { status: 400 } });
  });

  test('says what to do if there is no file', async () => {
    await expect(new ContentSource({}).read('https://x.example/a.md')).rejects.toThrow(
      'the sandbox does not fetch URLs; start it with --content <folder> to read a.md from files, or with --allow-fetch',
    );
    await expect(new ContentSource({ folder }).read('https://x.example/g/none.md')).rejects.toThrow(
      'the content folder has neither x.example/g/none.md nor none.md',
    );
  });

  test('fetches URLs that the folder lacks, if allowed', async () => {
    const fetchPublic = async (url: string) => ({
      bytes: Buffer.from(`from ${url}`),
      contentType: 'text/plain',
    });
    const source = new ContentSource({ folder, fetchPublic });
    expect(await source.read('https://x.example/none.md')).toEqual({
      ...{ bytes: Buffer.from('from https://x.example/none.md'), contentType: 'text/plain', name: 'none.md' },
    });
    expect(text((await source.read('https://x.example/a%20b.md')).bytes)).toBe('by name');
    await expect(source.read('file:///etc/passwd')).rejects.toThrow(/not an http or https URL/);
  });

  test('refuses a file over 10 MB', async () => {
    writeFileSync(join(folder, 'large.md'), Buffer.alloc(10 * 1024 * 1024 + 1));
    await expect(new ContentSource({ folder }).read('https://x.example/large.md')).rejects.toThrow(
      /larger than 10 MB/,
    );
  });
});
