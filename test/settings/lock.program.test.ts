import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildChild } from './child.js';
import { freshWorld } from './world.js';

let child: Awaited<ReturnType<typeof buildChild>>;
beforeAll(async () => {
  child = await buildChild();
});
afterAll(() => child.remove());

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const prefixes = ['a', 'b', 'c', 'd'];

/** Four processes at once, each of which saves so many. */
async function four(task: 'save' | 'login', count: number, env: Record<string, string>): Promise<string[]> {
  const ended = await Promise.all(prefixes.map((prefix) => child.run([task, prefix, String(count)], env)));
  expect(ended).toEqual(prefixes.map(() => ({ code: 0, stdout: '', stderr: '' })));
  return prefixes.flatMap((prefix) => Array.from({ length: count }, (_, n) => `${prefix}${n}`));
}

test('four processes that write at once lose nothing', async () => {
  const { home, configDir, configFile } = freshWorld();
  const names = await four('save', 5, { HOME: home });
  expect(Object.keys(json(configFile).profiles).sort()).toEqual(names);
  expect(readdirSync(configDir)).toEqual(['config.json']);
});

test('four processes that sign in at once lose no token', async () => {
  const { home, configFile, credentialsFile } = freshWorld();
  const names = await four('login', 3, { HOME: home, DOCS_CREDENTIAL_STORE: 'file' });
  expect(Object.keys(json(configFile).profiles).sort()).toEqual(names);
  const tokens = Object.fromEntries(names.map((name) => [`${name}@https://docs.example`, name]));
  expect(json(credentialsFile).tokens).toEqual(tokens);
});

test('the lock of a killed process is taken over, by one process at a time', async () => {
  const { home, configDir, configFile } = freshWorld();
  mkdirSync(join(configDir, 'settings.lock'), { recursive: true });
  utimesSync(join(configDir, 'settings.lock'), new Date(0), new Date(0));
  const names = await four('save', 2, { HOME: home });
  expect(Object.keys(json(configFile).profiles).sort()).toEqual(names);
  expect(readdirSync(configDir)).toEqual(['config.json']);
});
