import { describe, expect, test } from 'vitest';
import { zipEntries, zipLimits } from '../../../src/sandbox/content/import/zip-entries.js';
import { type ZipFile, zipOf } from './zip.js';

const read = (files: readonly ZipFile[], comment?: string) =>
  zipEntries(zipOf(files, comment)).map(({ path, bytes }) => [path.join('/'), Buffer.from(bytes).toString()]);
const refuse =
  (...files: ZipFile[]) =>
  () =>
    zipEntries(zipOf(files));

describe('zipEntries', () => {
  test('reads stored and deflated files, past a comment', () => {
    const files = [
      { name: 'a.txt', text: 'one', stored: true },
      { name: 'sub/ü.txt', text: 'two '.repeat(1000) },
    ];
    expect(read(files, 'made by hand')).toEqual([
      ['a.txt', 'one'],
      ['sub/ü.txt', 'two '.repeat(1000)],
    ]);
  });

  test('leaves out folders and what systems leave behind', () => {
    const names = ['docs/', '__MACOSX/a', '.DS_Store', 'docs/.hidden', 'docs/a.md', './b.md'];
    expect(read(names.map((name) => ({ name }))).map(([name]) => name)).toEqual(['docs/a.md', 'b.md']);
  });

  test.each(['../up.md', 'a/../../up.md', '/etc/up.md', 'a//b.md', 'C:\\up.md', '..\\up.md', 'a/..'])(
    'refuses the path %s',
    (name) => {
      expect(refuse({ name, text: 'x' })).toThrow(/leads out of it/);
    },
  );

  test('refuses links, encrypted files, unknown methods and names given twice', () => {
    expect(refuse({ name: 'link', told: { unixMode: 0o120777 } })).toThrow(/is a link/);
    expect(refuse({ name: 'a', told: { flags: 1 } })).toThrow(/encrypted/);
    expect(refuse({ name: 'a', told: { method: 9 } })).toThrow(/neither stored nor deflated/);
    expect(refuse({ name: 'a' }, { name: 'a' })).toThrow(/in it twice/);
  });

  test('refuses a file that is larger than it may be, whatever the directory tells', () => {
    const bytes = Buffer.alloc(zipLimits.fileBytes + 1);
    expect(refuse({ name: 'bomb', bytes })).toThrow(/too large/);
    expect(refuse({ name: 'bomb', bytes, told: { size: 10 } })).toThrow(/too large/);
  });

  test('refuses files that are too large together', () => {
    const bytes = Buffer.alloc(zipLimits.fileBytes);
    const files = Array.from({ length: 6 }, (_, index) => ({ name: `part ${index}`, bytes }));
    expect(refuse(...files)).toThrow(/"part 5" is too large: 10 MB a file and 50 MB in all/);
  });

  test('refuses too many files, and ones that lie too deep', () => {
    const many = Array.from({ length: zipLimits.files + 1 }, (_, index) => ({
      name: `${index}`,
      stored: true,
    }));
    expect(refuse(...many)).toThrow(/5001 files; 5000 are the most/);
    expect(refuse({ name: `${'a/'.repeat(20)}b` })).toThrow(/lies too deep/);
  });

  test('refuses what is broken', () => {
    const whole = zipOf([{ name: 'a.txt', text: 'some text '.repeat(50) }]);
    expect(() => zipEntries(Buffer.from('no archive'))).toThrow(/no ZIP archive/);
    expect(() => zipEntries(new Uint8Array())).toThrow(/no ZIP archive/);
    expect(() => zipEntries(whole.subarray(10))).toThrow(/cannot be imported/);
    expect(refuse({ name: 'a', text: 'x', told: { checksum: 1 } })).toThrow(/"a" is broken/);
    expect(refuse({ name: 'a', text: 'xx', told: { size: 1 } })).toThrow(/"a" is broken/);
  });

  test('never fails but by a refusal, whatever byte is changed', () => {
    const whole = zipOf([{ name: 'a/b.txt', text: 'some text' }]);
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        try {
          zipEntries(changed);
        } catch (error) {
          expect(error).toMatchObject({ name: 'DocsError', failure: { status: 400 } });
        }
      }
    }
  });
});
