import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolders } from '../../src/base/own-files.js';

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
