import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rehearseHomeOfFile } from './rehearse-home.js';

/** `docs rehearse` that rehearses nothing. */

const home = rehearseHomeOfFile();

test('mistakes are told before anything is read', async () => {
  mkdirSync(join(home.path, 'folder'));
  const lines: [string[], string][] = [
    [['rehearse'], 'no_command'],
    [['rehearse', '--', 'members', 'updat'], 'unknown_command'],
    [['rehearse', '--', 'rehearse', '--', 'members', 'list'], 'nested_rehearsal'],
    [['rehearse', '--script', 'none.sh'], 'no_script'],
    [['rehearse', '--save-plan', 'p.json', '--', 'members', 'list'], 'not_plannable'],
    [['rehearse', '--from', 'folder', '--', 'members', 'list'], 'not_a_backup'],
    [['rehearse', '--at', '1', '--', 'members', 'list'], 'missing_flag'],
    [['rehearse', '--', 'config', 'set', 'page-size', '3'], 'not_in_rehearsal'],
    // It would hold what never was.
    [['rehearse', '--', 'backup', 'run', '--out', 'tried'], 'not_in_rehearsal'],
  ];
  for (const [words, code] of lines) {
    const [first = '', ...more] = words;
    const ran = await home.run([first, '--json', ...more]);
    expect([words, ran.code, ran.stdout]).toEqual([words, 2, '']);
    expect(ran.stderr).toContain(`"${code}"`);
  }
  expect(await home.sent()).toEqual([]);
  expect(home.folders()).toEqual([]);
  expect(existsSync(join(home.path, 'tried'))).toBe(false);
});

test('--dry-run reads nothing and runs nothing', async () => {
  const ran = await home.run(['rehearse', '--dry-run', '--', 'members', 'list']);
  expect([ran.code, ran.stdout, await home.sent()]).toEqual([0, '', []]);
  expect(ran.stderr).toContain('docs members list would be rehearsed');
});
