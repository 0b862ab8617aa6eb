import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ownProcess } from '../../src/base/lock.js';
import type { ChainLine } from '../../src/policy/audit/chain.js';
import { memberHome } from '../e2e/member-home.js';
import { docsFile, docsFirst } from '../started.js';

/** A place that two accounts share, whose files an administrator lets nobody shorten. */

const { platform, home } = await memberHome(4);
const nobody = 65_534;
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** Whether the file system keeps a file from being changed but at its end. */
function appendOnly(path: string, is: boolean): boolean {
  try {
    execFileSync('chattr', [is ? '+a' : '-a', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function asNobody(args: readonly string[], env: Record<string, string>): Promise<number | null> {
  const child = spawn(docsFile, [...docsFirst, ...args], {
    cwd: env.HOME,
    env: { ...home.env, ...env },
    uid: nobody,
    gid: nobody,
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.on('close', resolve));
}

/** A place that every account may add to and where only the owner of a file removes it; a policy that names it. */
function sharedPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'docs-place-'));
  const at = (name: string) => join(folder, name);
  chmodSync(folder, 0o755);
  for (const name of ['state', 'other']) mkdirSync(at(name));
  chmodSync(at('state'), 0o1777);
  chownSync(at('other'), nobody, nobody);
  const policy = at('policy.yaml');
  writeFileSync(policy, `version: 1\ndefault: allow\nbudget: { writes: 2/day }\nstate: ${at('state')}\n`);
  const change = (id: string) => ['members', 'update', id, '--role', 'read', '--yes', '--policy', policy];
  const other = { HOME: at('other'), XDG_STATE_HOME: at('other/elsewhere') };
  return { folder, at, policy, change, other };
}

it.skipIf(!isRoot)(
  'is not held up by the locks of a process of another account that was killed',
  async () => {
    const { folder, at, change, other } = sharedPlace();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(await home.run(change('u1'))).toMatchObject({ code: 0 });
    const { pid = 0 } = spawnSync('true');
    const { host } = ownProcess();
    const past = Date.now() / 1000 - 60;
    const left = ['audit', 'budget'].map((name) => at(`state/${name}.${pid}~1~${host}.running`));
    for (const path of left) {
      writeFileSync(path, '', { mode: 0o600 });
      utimesSync(path, past, past);
    }
    expect(await asNobody(change('u2'), other)).toBe(0);
    expect(platform.changes).toEqual(['u1 read', 'u2 read']);
    expect(left.every((path) => existsSync(path))).toBe(true);
    // Whoever may remove them does; a denial locks the chain alone.
    expect(await home.run(change('u3'))).toMatchObject({ code: 5 });
    expect(left.map((path) => existsSync(path))).toEqual([false, true]);
  },
);

it.skipIf(!isRoot)('counts and records what both do, in files that are only appended to', async () => {
  const { folder, at, policy, change, other } = sharedPlace();
  const logs = ['audit.jsonl', 'budget.jsonl'].map((name) => at(`state/${name}`));
  onTestFinished(() => {
    for (const log of logs) appendOnly(log, false);
    rmSync(folder, { recursive: true });
  });
  expect(await home.run(change('u1'))).toMatchObject({ code: 0 });
  for (const log of logs) appendOnly(log, true);
  expect(await asNobody(change('u2'), other)).toBe(0);
  expect(await asNobody(change('u3'), other)).toBe(5);
  expect(await home.run(change('u3'))).toMatchObject({ code: 5 });
  expect(platform.changes).toEqual(['u1 read', 'u2 read']);
  const [chain = ''] = logs;
  const lines = readFileSync(chain, 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as ChainLine);
  expect(events.map(({ event, uid }) => `${event} ${uid}`)).toEqual([
    ...['chain-begun 0', 'job-begun 0', 'job-ended 0'],
    ...[`job-begun ${nobody}`, `job-ended ${nobody}`, `denied ${nobody}`, 'denied 0'],
  ]);
  expect(await home.run(['audit', 'verify', '--policy', policy])).toMatchObject({ code: 0 });
});

it('whoever loads code into docs has its token, and needs no policy to allow what it sends', async () => {
  const policy = join(home.path, 'closed.yaml');
  writeFileSync(policy, 'version: 1\nallow: [read]\n');
  const change = ['members', 'update', 'u1', '--role', 'read', '--yes', '--policy', policy];
  expect(await home.run(change)).toMatchObject({ code: 5 });
  expect(platform.changes).toEqual([]);
  // Through PATH, LD_PRELOAD or NODE_OPTIONS alike; a process of another account never reads this one.
  const send = `fetch(process.env.DOCS_BASE_URL + '/v1/orgs/o1/members/u1', {
    method: 'PATCH',
    headers: { authorization: 'Bearer ' + process.env.DOCS_TOKEN, 'content-type': 'application/json' },
    body: '{"role":"read"}',
  })`;
  const preload = join(home.path, 'preload.cjs');
  const inner = `execFileSync(process.execPath, ['-e', ${JSON.stringify(send)}], { env })`;
  writeFileSync(
    preload,
    `const { execFileSync } = require('node:child_process');
    const { NODE_OPTIONS, ...env } = process.env;
    ${inner};`,
  );
  expect(await home.run(change, { env: { NODE_OPTIONS: `--require ${preload}` } })).toMatchObject({
    code: 5,
  });
  expect(platform.changes).toEqual(['u1 read']);
});
