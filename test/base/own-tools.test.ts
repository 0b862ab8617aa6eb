import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTool, toolFolders, toolMissing, toolPath } from '../../src/base/own-tools.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-tools-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('a program that docs relies on', () => {
  it('is the first executable file of its name in the folders', () => {
    const folders = ['a', 'b', 'c', 'd'].map((name) => join(root, name));
    for (const folder of folders.slice(0, 3)) mkdirSync(folder);
    mkdirSync(join(root, 'a', 'git'));
    writeFileSync(join(root, 'b', 'git'), '');
    writeFileSync(join(root, 'c', 'git'), '');
    expect(findTool({ platform: 'linux' }, 'git', folders)).toBeUndefined();
    chmodSync(join(root, 'c', 'git'), 0o755);
    expect(findTool({ platform: 'linux' }, 'git', folders)).toBe(join(root, 'c', 'git'));
  });

  it('is looked for in absolute folders alone, and finds others there', () => {
    expect(toolFolders('linux').every(isAbsolute)).toBe(true);
    expect(toolFolders('win32').every(win32.isAbsolute)).toBe(true);
    expect(toolPath('linux').split(':')).toEqual(toolFolders('linux'));
    expect(toolPath('win32').split(';')).toEqual(toolFolders('win32'));
    expect(toolMissing('git', 'linux')).toContain('git not found in /usr/bin, ');
  });
});
