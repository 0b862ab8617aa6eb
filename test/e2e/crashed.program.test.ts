import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';

/** An error in a promise that no code awaits is reported like any other error, without a stack. */

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

it.each([
  ['thrown by a timer', 'setImmediate(() => { throw new TypeError("boom"); })'],
  ['of a promise that nobody waits for', 'Promise.reject(new TypeError("boom"))'],
])('%s: exit 1, one error', async (_, fails) => {
  const preload = join(home.path, 'fails.cjs');
  const once = `const { on } = process;
    process.on = (event, listener) => {
      if (event === 'unhandledRejection') { process.on = on; ${fails}; }
      return on.call(process, event, listener);
    };`;
  writeFileSync(preload, once);
  home.env.NODE_OPTIONS = `--require ${preload}`;
  const plain = await home.run(['sandbox', 'start', '--foreground']);
  expect([plain.code, plain.stderr]).toEqual([
    1,
    'error: this is a bug in docs: boom (bug, exit 1)\n  Try: docs doctor\n',
  ]);
  const json = await home.run(['sandbox', 'start', '--foreground', '--json']);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'bug', exitCode: 1 } });
});
