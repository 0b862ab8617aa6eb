import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isName } from '../../src/backup/folder.js';
import { throughCmd, withoutNames } from '../../src/base/child-process.js';
import { shellWord } from '../../src/base/shell-word.js';
import { isBusy, renameOverSync } from '../../src/base/write-file.js';
import { windowsLine } from '../../src/cli/run/editor.js';
import { isBelow } from '../../src/files/asked-file.js';
import { codeFor } from '../../src/process.js';
import { readOwnObject } from '../../src/settings/own-files.js';

/** What differs on Windows, as far as it can be told without one (docs/contributing/platforms.md). */

const systemError = (code: string) => Object.assign(new Error(code), { code });

describe('a rename over a file that another process has open', () => {
  const renaming = (failures: number, code: string, platform: NodeJS.Platform) => {
    const waits: number[] = [];
    let tries = 0;
    const rename = () => {
      tries += 1;
      if (tries <= failures) throw systemError(code);
    };
    const run = () => renameOverSync('a', 'b', { rename, wait: (ms) => waits.push(ms), platform });
    return { run, waits, tries: () => tries };
  };

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows: %s', (code) => {
    const { run, waits } = renaming(3, code, 'win32');
    run();
    expect(waits).toEqual([10, 20, 30]);
  });

  it('fails in the end, and at once where it cannot pass', () => {
    const long = renaming(99, 'EBUSY', 'win32');
    expect(long.run).toThrow('EBUSY');
    expect(long.tries()).toBe(10);
    for (const [code, platform] of [
      ['ENOSPC', 'win32'],
      ['EPERM', 'linux'],
      ['EBUSY', 'darwin'],
    ] as const) {
      const once = renaming(1, code, platform);
      expect(once.run).toThrow(code);
      expect(once.tries()).toBe(1);
    }
    expect(isBusy(new Error('other'), 'win32')).toBe(false);
  });
});

it.each([
  ['C:\\org', 'C:\\org', true],
  ['C:\\org', 'C:\\org\\people.yaml', true],
  ['C:\\org', 'c:\\ORG\\people.yaml', true],
  ['C:\\org', 'C:\\org\\..notes', true],
  ['C:\\org', 'C:\\organization', false],
  ['C:\\org', 'C:\\', false],
  ['C:\\org', 'D:\\people.yaml', false],
  ['C:\\org', '\\\\server\\share\\people.yaml', false],
  ['\\\\server\\share', '\\\\server\\share\\a', true],
])('below %s, %s: %j', (folder, path, expected) => {
  expect(isBelow(folder, path, win32)).toBe(expected);
});

it('names in a backup are no devices, drives or streams there', () => {
  const names = ['NUL', 'con.json', 'COM1', 'C:', 'space.json:x', 'ends.', 'ends ', 'what?'];
  for (const name of names)
    expect([name, isName(name, 'win32'), isName(name, 'linux')]).toEqual([name, false, true]);
  for (const name of ['manifest.json', '.docs-0123456789abcdef.tmp', 'CONSOLE', 'Café~id1 (2)'])
    expect([name, isName(name, 'win32')]).toEqual([name, true]);
  for (const name of ['..', '.', '', 'a\\b', 'a\0'])
    expect([name, isName(name, 'linux')]).toEqual([name, false]);
});

describe('words for cmd and PowerShell', () => {
  it.each([
    ['C:\\Users\\ada\\config.json', 'C:\\Users\\ada\\config.json'],
    ['C:\\My Files\\a.json', '"C:\\My Files\\a.json"'],
    ['C:\\My Files\\', '"C:\\My Files\\\\"'],
    ['@ids.txt', '"@ids.txt"'],
    ['ada@acme.example', 'ada@acme.example'],
    ['id,title', '"id,title"'],
    ["it's", '"it\'s"'],
    ['say "yes"', '"say \\"yes\\""'],
    ['a\\"b', '"a\\\\\\"b"'],
    ['{organization}', '"{organization}"'],
  ])('%s is %s', (text, word) => {
    expect(shellWord(text, 'win32')).toBe(word);
  });
});

it('an editor whose path has spaces is found with or without quotation marks', () => {
  const vim = 'C:\\Program Files\\Vim\\gvim.exe';
  const isFile = (path: string) => path === vim;
  const line = (editor: string) => windowsLine(editor, 'C:\\Temp\\text 1.md', isFile);
  expect(line(vim)).toBe(`""${vim}" "C:\\Temp\\text 1.md""`);
  expect(line(`"${vim}" -f`)).toBe(`""${vim}" -f "C:\\Temp\\text 1.md""`);
  expect(line('notepad')).toBe('"notepad "C:\\Temp\\text 1.md""');
  expect(line('code --wait')).toBe('"code --wait "C:\\Temp\\text 1.md""');
});

it('a variable that a child gets takes the place of one in another case', () => {
  const env = { Path: 'C:\\Windows', Docs_Token: 'a', HOME: 'b' };
  expect(withoutNames(env, ['PATH', 'DOCS_TOKEN'], 'win32')).toEqual({ HOME: 'b' });
  expect(withoutNames(env, ['PATH', 'DOCS_TOKEN'], 'linux')).toEqual(env);
});

it('a command that is a script there is named as cmd would run it', () => {
  expect(throughCmd(['npm', 'run', 'my test'], 'win32')).toBe('cmd /c npm run "my test"');
  expect(throughCmd(['npm', 'test'], 'darwin')).toBeUndefined();
});

it('the exit code tells what a signal would', () => {
  expect(codeFor('SIGINT', 'win32')).toBe(130);
  expect(codeFor('SIGTERM', 'win32')).toBe(143);
  expect(codeFor('SIGINT', 'darwin')).toBeUndefined();
});

it('settings that Notepad saved, with a byte order mark and its line ends, are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-windows-'));
  try {
    const path = join(folder, 'config.json');
    writeFileSync(path, '\ufeff{\r\n  "settings": {}\r\n}\r\n');
    expect(readOwnObject({ platform: 'win32' }, path)).toEqual({ settings: {} });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
