import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type SpacesPlatform, spacesPlatform } from './spaces-platform.js';

/** No network but that of the platform, and no telemetry: every connection and every name looked up is watched. */

let home: Home;
let platform: SpacesPlatform;
let log: string;
beforeEach(async () => {
  platform = await spacesPlatform();
  home = freshHome();
  log = join(home.path, 'connections');
  const watch = join(home.path, 'watch.cjs');
  writeFileSync(watch, watcher);
  // Processes that docs starts inherit both.
  home.env = { ...home.env, NODE_OPTIONS: `--require ${watch}`, WATCHED: log };
});
afterEach(async () => {
  home.remove();
  await platform.close();
});

/** Wraps all by which Node reaches a network: sockets, datagrams, names. Writes one JSON line for each use. */
const watcher = `
const { appendFileSync } = require('node:fs');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');
const told = (what) => appendFileSync(process.env.WATCHED, JSON.stringify(what) + '\\n');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...words) {
  const [options] = net._normalizeArgs(Array.isArray(words[0]) ? words[0] : words);
  told(options.path ? { path: options.path } : { host: options.host ?? 'localhost', port: Number(options.port) });
  return connect.apply(this, words);
};
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...words) {
  told({ datagram: true });
  return send.apply(this, words);
};
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse', 'resolveTxt', 'resolveSrv']) {
    const real = owner[name];
    if (typeof real !== 'function') continue;
    owner[name] = function (asked, ...rest) {
      if (!net.isIP(String(asked))) told({ name: asked });
      return real.call(this, asked, ...rest);
    };
  }
`;

const place = () => ({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' });

/** What was contacted since the last time. */
function contacted(): unknown[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  rmSync(log);
  return lines.map((line) => JSON.parse(line) as unknown);
}

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
    for (const env of [{}, place(), { ...place(), CLAUDECODE: '1' }, { ...place(), CI: 'true' }]) {
      const { code } = await home.run(words, { env });
      expect({ code, contacted: contacted() }).toEqual({ code: expect.any(Number), contacted: [] });
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
  const seen: unknown[] = [];
  for (const words of remote) {
    await home.run(words, { env: place() });
    const found = contacted();
    expect({ words, found }).toEqual({
      words,
      found: found.map(() => ({ host: hostname, port: Number(port) })),
    });
    seen.push(...found);
  }
  // The watch would see one.
  expect(seen.length).toBeGreaterThan(5);
});

test('the sandbox contacts this machine alone', async () => {
  for (const words of [
    ['spaces', 'list'],
    ['teams', 'create', '--title', 'New'],
  ]) {
    expect((await home.run([...words, '--sandbox'])).code).toBe(0);
    const found = contacted();
    expect(found).toEqual(found.map(() => ({ host: '127.0.0.1', port: expect.any(Number) })));
  }
});
