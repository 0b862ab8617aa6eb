import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolders } from '../../src/base/own-files.js';
import {
  distinctFileName,
  fileNameKey,
  safeFileName,
  writeFileAtomically,
  writeNewFile,
} from '../../src/base/write-file.js';
import { anyText } from '../any-text.js';

const hostile = fc
  .array(
    fc.oneof(
      anyText({ maxLength: 40 }),
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        'CON',
        'nul.txt',
        'com1',
        ' ',
        '-',
        ':',
        '\0',
        '\u202e',
        '.pdf',
        'e\u0301',
        '日本'.repeat(60),
      ),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((parts) => parts.join(''));

describe('file names from the platform', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['/', 'file'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['invoice\u202egpj.exe', 'invoice_gpj.exe'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['console.log', 'console.log'],
    ['.npmrc', 'npmrc'],
    ['-rf', 'rf'],
    ['name. . ', 'name'],
    ['e\u0301.md', 'é.md'],
    ['日本.png', '日本.png'],
    ['CON .\ud800', '_CON._'],
    ['LPT9', '_LPT9'],
    ['com\u00b9.txt', '_com\u00b9.txt'],
    ['ConIn$', '_ConIn$'],
    ['aux .md', '_aux.md'],
    ['NUL:', 'NUL_'],
    ['report.pdf:evil', 'report.pdf_evil'],
    ['C:evil', 'C_evil'],
    ['\\\\server\\share\\a.txt', 'a.txt'],
  ])('%j becomes %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });

  it('are cut before the extension, between characters', () => {
    const name = safeFileName(`${'日'.repeat(100)}.png`);
    expect(name).toBe(`${'日'.repeat(65)}.png`);
  });

  it('are always safe and always inside the folder', () => {
    const folder = resolve('/downloads');
    fc.assert(
      fc.property(hostile, (text) => {
        const name = safeFileName(text);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]|\p{Surrogate}/u);
        expect(name).not.toMatch(/^[\s.-]|[\s.]$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(name.normalize('NFC')).toBe(name);
        expect(resolve(folder, name)).toBe(join(folder, name));
        expect(resolve(folder, name).startsWith(folder + sep)).toBe(true);
      }),
      { numRuns: 200, seed: 20261127 },
    );
  });

  it('stay what they are once they are safe', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(safeFileName(safeFileName(text))).toBe(safeFileName(text));
      }),
      { numRuns: 200, seed: 20261127 },
    );
  });

  it('are told apart by case and form of their characters', () => {
    const taken = new Set(['report.pdf', 'Ångström.md'].map(fileNameKey));
    const isTaken = (key: string) => taken.has(key);
    expect(distinctFileName('other.pdf', isTaken)).toBe('other.pdf');
    expect(distinctFileName('REPORT.pdf', isTaken)).toBe('REPORT (2).pdf');
    expect(distinctFileName('A\u030angstro\u0308m.md', isTaken)).toBe('A\u030angstro\u0308m (2).md');
    taken.add(fileNameKey('report (2).pdf'));
    expect(distinctFileName('report.pdf', isTaken)).toBe('report (3).pdf');
    expect(
      Buffer.byteLength(distinctFileName('x'.repeat(200), (key) => key.length === 200 && !key.includes('('))),
    ).toBe(200);
  });
});

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
      message: `cannot write ${join(folder, 'none', 'a')}: no such file or directory`,
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

describe('makeFolders', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes parents with the same mode, and leaves what is there', () => {
    const path = join(folder, 'a', 'b', 'c');
    makeFolders(path, 0o700);
    makeFolders(path);
    const modes = [path, join(path, '..'), join(path, '../../..')].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o700]);
  });

  it('takes a relative path', () => {
    expect(() => makeFolders('.')).not.toThrow();
  });

  it('fails where a file has the name, or that of a parent', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolders(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(() => makeFolders(join(folder, 'file/a/b'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });

  it.skipIf(!existsSync('/proc/self'))('fails where the system makes no folders', () => {
    for (const path of ['/proc/docs', '/proc/docs/a/b'])
      expect(() => makeFolders(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('is how every folder with parents is made', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const others = files
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /mkdir(?:Sync)?\([^;]*recursive/.test(readFileSync(join('src', name), 'utf8')));
    expect(others).toEqual([]);
  });
});
