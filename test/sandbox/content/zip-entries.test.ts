import { describe, expect, test } from 'vitest';
import { zipEntries, zipLimits } from '../../../src/sandbox/content/import/import.js';
import { type ZipFile, zipOf } from './zip.js';

const read = async (files: readonly ZipFile[], comment?: string) => {
  const entries = await zipEntries(zipOf(files, comment));
  return entries.map(({ path, bytes }) => [path.join('/'), Buffer.from(bytes).toString()]);
};
const refusal = (...files: ZipFile[]) => expect(zipEntries(zipOf(files))).rejects;

describe('zipEntries', () => {
  test('reads stored and deflated files, also before a comment', async () => {
    const files = [
      { name: 'a.txt', text: 'one', stored: true },
      { name: 'sub/ü.txt', text: 'two '.repeat(1000) },
    ];
    expect(await read(files, 'made by hand')).toEqual([
      ['a.txt', 'one'],
      ['sub/ü.txt', 'two '.repeat(1000)],
    ]);
  });

  test('skips folders and system files', async () => {
    const names = ['docs/', '__MACOSX/a', '.DS_Store', 'docs/.hidden', 'docs/a.md', './b.md'];
    expect((await read(names.map((name) => ({ name })))).map(([name]) => name)).toEqual([
      'docs/a.md',
      'b.md',
    ]);
  });

  test.each(['../up.md', 'a/../../up.md', '/etc/up.md', 'a//b.md', 'C:\\up.md', '..\\up.md', 'a/..'])(
    'refuses the path %s',
    async (name) => {
      await refusal({ name, text: 'x' }).toThrow(/points outside it/);
    },
  );

  test('refuses links, encrypted files, unknown methods and duplicate names', async () => {
    await refusal({ name: 'link', told: { unixMode: 0o120777 } }).toThrow(/is a link/);
    await refusal({ name: 'a', told: { flags: 1 } }).toThrow(/encrypted/);
    await refusal({ name: 'a', told: { method: 9 } }).toThrow(/other than deflate/);
    await refusal({ name: 'a' }, { name: 'a' }).toThrow(/contains "a" twice/);
  });

  test('refuses a file over the limit, whatever size the directory states', async () => {
    const bytes = Buffer.alloc(zipLimits.fileBytes + 1);
    await refusal({ name: 'bomb', bytes }).toThrow(/too large/);
    await refusal({ name: 'bomb', bytes, told: { size: 10 } }).toThrow(/too large/);
  });

  test('refuses files that are too large together', async () => {
    const bytes = Buffer.alloc(zipLimits.fileBytes);
    const files = Array.from({ length: 6 }, (_, index) => ({ name: `part ${index}`, bytes }));
    await refusal(...files).toThrow(
      /"part 5" is too large; the limits are 10 MB per file and 50 MB in total/,
    );
  });

  test('refuses too many files, and paths that are too deep', async () => {
    const many = Array.from({ length: zipLimits.files + 1 }, (_, index) => ({
      name: `${index}`,
      stored: true,
    }));
    await refusal(...many).toThrow(/5001 entries; the limit is 5000/);
    await refusal({ name: `${'a/'.repeat(20)}b` }).toThrow(/nested too deeply/);
  });

  test('refuses damaged archives', async () => {
    const whole = zipOf([{ name: 'a.txt', text: 'some text '.repeat(50) }]);
    await expect(zipEntries(Buffer.from('no archive'))).rejects.toThrow(/not a ZIP archive/);
    await expect(zipEntries(new Uint8Array())).rejects.toThrow(/not a ZIP archive/);
    await expect(zipEntries(whole.subarray(10))).rejects.toThrow(/cannot import the archive/);
    await refusal({ name: 'a', text: 'x', told: { checksum: 1 } }).toThrow(/"a" is damaged/);
    await refusal({ name: 'a', text: 'xx', told: { size: 1 } }).toThrow(/"a" is damaged/);
  });

  test('fails only by refusals, whichever byte is changed', async () => {
    const whole = zipOf([{ name: 'a/b.txt', text: 'some text' }]);
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        try {
          await zipEntries(changed);
        } catch (error) {
          expect(error).toMatchObject({ name: 'DocsError', failure: { status: 400 } });
        }
      }
    }
  });
});
