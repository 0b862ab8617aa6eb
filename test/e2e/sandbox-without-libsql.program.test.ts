import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../../src/base/exit-codes.js';
import { nodeDriver } from '../../src/sandbox/store/driver.js';
import { freshHome, type Home, program, runProgram } from './program.js';

/** The program where the optional package libsql was left out: all other code is in the build. */

let home: Home;
beforeEach(() => {
  home = freshHome({}, { compiled: false });
});
afterEach(() => home.remove());

test('--sandbox needs SQLite of the runtime then, and says so before it writes', async () => {
  const build = dirname(dirname(program));
  const copy = join(home.path, 'program');
  for (const part of ['bin', 'dist']) cpSync(join(build, part), join(copy, part), { recursive: true });
  cpSync('package.json', join(copy, 'package.json'));
  const env = { ...home.env, XDG_DATA_HOME: join(home.path, 'data') };
  const words = ['--sandbox', 'orgs', 'list', '--json'];
  const options = { path: join(copy, 'bin', 'docs.js') };
  const { code, stdout, stderr } = await runProgram(words, env, home.path, undefined, options);
  if (nodeDriver() !== undefined) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toHaveLength(2);
    return;
  }
  expect({ code, stdout }).toEqual({ code: exitCodes.configuration.code, stdout: '' });
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
  expect(error.code).toBe('no_sqlite');
  expect(error.message).toContain('the optional package libsql is not installed');
  expect(existsSync(join(home.path, 'data'))).toBe(false);
});
