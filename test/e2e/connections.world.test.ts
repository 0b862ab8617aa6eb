import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { watcher } from './connections.js';
import { freshHome } from './program.js';
import { spacesPlatform } from './spaces-platform.js';

/** No network but that of the platform, and no telemetry: every connection and every name looked up is watched. */

const platform = await spacesPlatform();
const home = freshHome();
/** What was contacted by now. */
let contacted: unknown[] = [];
let isWatched = true;
// Other files of this worker are watched no more, though all stays wrapped.
compileFunction(watcher, ['require', 'told'])(createRequire(import.meta.url), (what: unknown) => {
  if (isWatched) contacted.push(what);
});
beforeEach(() => {
  contacted = [];
});
afterAll(async () => {
  isWatched = false;
  home.remove();
  await platform.close();
});

const place = { DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' };

const local: readonly (readonly string[])[] = [
  [],
  ['--help'],
  ['--version'],
  ['help', 'exit-codes'],
  ['members', '--help'],
  ['members', 'list', '--help'],
  ['nonsense'],
  ['members', 'lst'],
  ['members', 'list', '--nonsense'],
  ['commands'],
  ['schema', 'members', 'update'],
  ['find', 'make someone an admin'],
  ['completion', 'bash'],
  ['__complete', 'mem'],
  ['__complete', 'members', 'list', '--role', ''],
  ['config', 'list'],
  ['jobs', 'list'],
  ['jobs', 'show', 'last'],
  ['audit', 'list'],
  ['audit', 'verify'],
  ['audit', 'export'],
  ['plan', 'show', 'none.json'],
  ['api', 'GET'],
];

test.each(local.map((words) => [`docs ${words.join(' ')}`, words] as const))(
  '%s contacts nobody',
  async (_, words) => {
    for (const env of [{}, place, { ...place, CLAUDECODE: '1' }, { ...place, CI: 'true' }]) {
      const { code } = await home.run(words, { env });
      expect({ code, contacted }).toEqual({ code: expect.any(Number), contacted: [] });
    }
  },
);

const remote: readonly (readonly string[])[] = [
  ['spaces', 'list'],
  ['spaces', 'get', 's1', '--json'],
  ['spaces', 'get', 'none'],
  ['spaces', 'update', 's1', '--title', 'New', '--dry-run'],
  ['spaces', 'update', 's1', '--title', 'New'],
  ['spaces', 'delete', 's1', '--yes'],
  ['teams', 'list'],
  ['api', 'GET', '/v1/nothing'],
  ['status'],
  ['status', '--json'],
  ['doctor'],
  ['overview'],
  ['links', 'check'],
  ['undo', 'last', '--yes'],
  ['__complete', 'spaces', 'get', ''],
];

test('commands of the platform contact the given address alone', async () => {
  const { hostname, port } = new URL(platform.url);
  let seen = 0;
  for (const words of remote) {
    contacted = [];
    await home.run(words, { env: place });
    expect({ words, contacted }).toEqual({
      words,
      contacted: contacted.map(() => ({ host: hostname, port: Number(port) })),
    });
    seen += contacted.length;
  }
  // The watch would see one.
  expect(seen).toBeGreaterThan(5);
});

test('the sandbox contacts this machine alone', async () => {
  for (const words of [
    ['spaces', 'list'],
    ['teams', 'create', '--title', 'New'],
  ]) {
    expect((await home.run([...words, '--sandbox'])).code).toBe(0);
    expect(contacted).toEqual(contacted.map(() => ({ host: '127.0.0.1', port: expect.any(Number) })));
  }
});
