import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';

/** The folder that docs is started in, and the home, are full of files by which runtimes take code and variables. */

let home: Home;
let work: string;
let mark: string;
beforeEach(() => {
  home = freshHome();
  work = join(home.path, 'work');
  mark = join(home.path, 'ran');
  mkdirSync(work);
  for (const folder of [work, home.path]) plant(folder);
});
afterEach(() => home.remove());

function plant(folder: string): void {
  const put = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const evil = `require('fs').writeFileSync(${JSON.stringify(mark)}, '');`;
  put('evil.cjs', evil);
  const variables =
    'DOCS_BASE_URL=https://evil.example\nDOCS_TOKEN=evil\nDOCS_ORG=evil\nBUN_OPTIONS=--preload=./evil.cjs\n';
  for (const ending of ['', '.local', '.production', '.development', '.test'])
    put(`.env${ending}`, variables);
  const preload = 'preload = ["./evil.cjs"]\n';
  for (const name of ['bunfig.toml', '.bunfig.toml', '.config/.bunfig.toml'])
    put(name, `${preload}[run]\n${preload}`);
  put(
    'package.json',
    '{"type":"commonjs","main":"evil.cjs","imports":{"#*":"./evil.cjs"},"exports":"./evil.cjs"}',
  );
  put('tsconfig.json', '{"compilerOptions":{"baseUrl":".","paths":{"*":["./evil.cjs"]}}}');
  put('.npmrc', 'node-options=--require=./evil.cjs\n');
  for (const name of ['libsql', 'jq-wasm', '@napi-rs/keyring', 'commander'])
    put(`node_modules/${name}/index.js`, evil);
}

test.each([
  ['--version'],
  ['config', 'list', '--json'],
  ['--sandbox', 'spaces', 'list', '--json', '--jq', '.[].id'],
  ['__complete', 'spaces', ''],
])('%s %s reads none of them', async (...words) => {
  const elsewhere = join(home.path, 'clean');
  mkdirSync(elsewhere);
  const ran = await home.run(words, { cwd: work });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).not.toContain('evil');
  expect(ran.stdout).toBe((await home.run(words, { cwd: elsewhere })).stdout);
  expect(existsSync(mark)).toBe(false);
});

test('auth status knows no token of a file', async () => {
  expect((await home.run(['auth', 'status'], { cwd: work })).code).toBe(4);
});
