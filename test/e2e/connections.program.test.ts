import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { watcher } from './connections.js';
import { freshHome } from './program.js';
import { spacesPlatform } from './spaces-platform.js';

/** The program and what it starts contact the given address alone; each command: connections.world.test.ts. */

const platform = await spacesPlatform();
const home = freshHome();
const log = join(home.path, 'connections');
const watch = join(home.path, 'watch.cjs');
writeFileSync(
  watch,
  `const told = (what) => require('node:fs').appendFileSync(process.env.WATCHED, JSON.stringify(what) + '\\n');
${watcher}`,
);
// Processes that docs starts inherit both.
Object.assign(home.env, { NODE_OPTIONS: `--require ${watch}`, WATCHED: log });
afterAll(async () => {
  home.remove();
  await platform.close();
});

/** What was contacted since the last time. */
function contacted(): unknown[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  rmSync(log);
  return lines.map((line) => JSON.parse(line) as unknown);
}

test.each([
  ['nobody', ['--help']],
  ['nobody', ['commands']],
  ['nobody', ['__complete', 'members', 'list', '--role', '']],
  ['the platform', ['spaces', 'list']],
  ['the platform', ['doctor']],
] as const)('%s is contacted by docs %j', async (who, words) => {
  const { hostname, port } = new URL(platform.url);
  const env = { DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' };
  await home.run(words, { env });
  const found = contacted();
  expect(found).toEqual(found.map(() => ({ host: hostname, port: Number(port) })));
  expect(found.length > 0).toBe(who === 'the platform');
});

test('the sandbox contacts this machine alone', async () => {
  expect((await home.run(['spaces', 'list', '--sandbox'])).code).toBe(0);
  const found = contacted();
  expect(found).toEqual(found.map(() => ({ host: '127.0.0.1', port: expect.any(Number) })));
});
