import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BackupHome, backupHome } from './backup-home.js';

/** No update check, and nothing of the kind: every socket and every name that is looked up is the platform's. */

let home: BackupHome;
let log: string;
let hook: string;

/** Loaded before the program: it writes down what sockets connect to and which names are looked up. */
const watcher = `
const fs = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const told = (words) => fs.appendFileSync(process.env.DOCS_TEST_SOCKETS, words + '\\n');
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const at = typeof first === 'object' && first !== null ? first : { port: first, host: args[1] };
  told(at.path ?? (at.host ?? 'localhost') + ':' + at.port);
  return connect.apply(this, args);
};
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const own = dns[name];
  dns[name] = (host, ...rest) => {
    told('name ' + host);
    return own(host, ...rest);
  };
}
`;

beforeAll(async () => {
  home = await backupHome('tiny');
  [log, hook] = [home.at('sockets.txt'), home.at('watcher.cjs')];
  writeFileSync(hook, watcher);
});
afterAll(() => home.end());

/** Where a command connected to. */
async function connected(words: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  rmSync(log, { force: true });
  await home.run(words, {
    env: { NODE_OPTIONS: `--require=${hook}`, DOCS_TEST_SOCKETS: log, ...env },
  });
  return existsSync(log) ? [...new Set(readFileSync(log, 'utf8').trimEnd().split('\n'))] : [];
}

const silent = [
  [],
  ['--help'],
  ['--version'],
  ['docs'],
  ['help', 'output'],
  ['commands'],
  ['config', 'list'],
];
test.each(silent.map((words) => [words.join(' ') || 'nothing', words] as const))(
  'docs %s sends nothing',
  async (_, words) => {
    expect(await connected(words)).toEqual([]);
  },
);

const asking = [
  ...[['doctor'], ['status'], ['overview'], ['auth', 'status'], ['orgs', 'list'], ['spaces', 'list']],
  ...[
    ['members', 'list'],
    ['links', 'check'],
    ['teams', 'create', '--title', 'New'],
    ['backup', 'run', '--out', 'b'],
  ],
];
test.each(asking.map((words) => [words.join(' '), words] as const))(
  'docs %s asks the platform alone',
  async (_, words) => {
    const url = new URL(home.gateway.url);
    expect(await connected(words)).toEqual([url.host]);
  },
);

test('doctor says so, with the version and how docs was installed', async () => {
  const checks = await home.json<{ check: string; detail: string }[]>(['doctor']);
  const detail = (name: string) => checks.find(({ check }) => check === name)?.detail;
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(detail('node')).toContain(`docs ${version}`);
  expect(detail('installed')).toMatch(/\S/);
});
