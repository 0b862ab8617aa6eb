import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { docsFile, docsFirst } from '../started.js';
import { type JobHome, jobHome } from './job-home.js';
import { runsHere } from './runs-here.js';

/** `docs sandbox`: the server in the background, and in the foreground. Its data: sandbox.world.test.ts. */

interface Status {
  running: boolean;
  url?: string;
  pid?: number;
  file: string;
  time: string;
  org: string;
  space: string;
  tokens: Record<string, string>;
}

let home: JobHome;
const children: ChildProcess[] = [];
beforeEach(() => {
  home = jobHome({});
  runsHere(home);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await home.run(['sandbox', 'stop']);
  home.remove();
});

const docs = (...args: string[]) => home.json<Status>(['sandbox', ...args]);

/** Starts a server in the background. */
async function start(...args: string[]): Promise<Status> {
  const { stdout } = await home.start(['sandbox', 'start', '--json', ...args]).ended;
  return JSON.parse(stdout) as Status;
}

/** A server in the foreground, ready. */
async function serve(...args: string[]): Promise<{ child: ChildProcess; state: Status }> {
  const words = ['sandbox', 'start', '--foreground', '-o', 'ndjson', ...args];
  const child = spawn(docsFile, [...docsFirst, ...words], { env: home.env, cwd: home.path });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, state: JSON.parse(line) as Status };
}

const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

describe('the server in the background', () => {
  test('starts once, serves, and stops; its data is that of --sandbox', async () => {
    const started = await start();
    expect(started).toMatchObject({
      running: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    const again = await home.start(['sandbox', 'start', '--json']).ended;
    expect(again.stderr).toBe('It was already running.\n');
    expect(JSON.parse(again.stdout)).toMatchObject({ url: started.url, pid: started.pid });

    home.env.DOCS_BASE_URL = started.url ?? '';
    home.env.DOCS_TOKEN = started.tokens.admin ?? '';
    await home.ok(['orgs', 'update', started.org, '--title', 'Changed']);
    delete home.env.DOCS_BASE_URL;
    delete home.env.DOCS_TOKEN;
    expect(await home.json(['--sandbox', 'orgs', 'get'])).toMatchObject({ title: 'Changed' });

    const { stdout } = await home.run(['sandbox', 'stop', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'stopped' });
    await expect(fetch(started.url ?? '')).rejects.toThrow('fetch failed');
    expect(await docs('status')).toMatchObject({ running: false });
    expect(JSON.parse((await home.run(['sandbox', 'stop', '--json'])).stdout)).toMatchObject({
      status: 'not-running',
    });
  });

  test('is one, however many start it at once', async () => {
    const started = await Promise.all([start(), start()]);
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
  });

  test('is known by its process and token, faults or none; its files are private', async () => {
    const { pid, file } = await start('--seed', 'acme');
    expect(await home.json<unknown[]>(['--sandbox', 'members', 'list'])).toHaveLength(400);
    await docs('fault', '--match', '*', '--status', '503');
    expect(await docs('status')).toMatchObject({ running: true, pid });
    const stateFile = file.replace(/\.db$/, '.server.json');
    for (const name of [file, stateFile]) expect(statSync(name).mode & 0o777).toBe(0o600);
    process.kill(pid ?? 0, 'SIGKILL');
    writeFileSync(stateFile, JSON.stringify({ pid: process.pid, url: 'http://127.0.0.1:9', file }));
    expect(await docs('status')).toMatchObject({ running: false });
    expect((await home.run(['sandbox', 'stop'])).code).toBe(0);
    expect(existsSync(stateFile)).toBe(false);
  });

  test('reads what is imported from the folder that it was started with', async () => {
    const folder = join(home.path, 'pages');
    mkdirSync(folder);
    writeFileSync(join(folder, 'guide.md'), '# From the folder\n');
    const { space, url: server = '', tokens } = await start('--content', folder);
    Object.assign(home.env, { DOCS_BASE_URL: server, DOCS_TOKEN: tokens.admin });
    const url = 'https://docs.example/guide.md';
    const words = ['content', 'import', url, '--space', space, '--source', 'markdown', '--yes'];
    await home.ok(words);
    const pages = await home.ok(['content', 'pages', 'list', '--space', space]);
    expect(pages).toContain('From the folder');
  });

  test('that cannot start says why', async () => {
    const { state } = await serve('--file', join(home.path, 'one.db'));
    const port = new URL(state.url ?? '').port;
    const ran = await home.start(['sandbox', 'start', '--port', port]).ended;
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain(`cannot listen on port ${port}`);
    const wrong = await home.run(['sandbox', 'start', '--seed', 'enormous']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  });

  test('of another database is the one that status shows, and no other is changed for it', async () => {
    const { child, state } = await serve('--file', join(home.path, 'demo.db'));
    const { url, file } = state;
    expect(await docs('status')).toMatchObject({ running: true, url, file });
    const moved = await home.run(['sandbox', 'clock', '+1d']);
    expect([moved.code, moved.stdout]).toEqual([2, '']);
    expect(moved.stderr).toContain(`the running server at ${url} uses ${file}, and docs --sandbox uses `);
    expect(moved.stderr).toContain(`Try: docs sandbox clock --file ${file} +1d`);
    expect((await home.run(['sandbox', 'reset'])).code).toBe(2);
    expect(existsSync(join(home.path, '.local', 'share', 'docs', 'sandbox.db'))).toBe(false);
    const clock = await home.run(['sandbox', 'clock', '+1d', '--file', file]);
    expect(clock.stdout).toMatch(/^clock\tmoved\t2026-01-06T09:00:0\d\.\d{3}Z\n$/);
    // In the foreground it ends with an interrupt.
    const headers = bearer(state.tokens.admin);
    expect((await fetch(`${url}/v1/orgs`, { headers })).status).toBe(200);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    expect(await docs('clock')).toMatchObject({ status: 'running' });
  });
});

test('kill -9 at any moment loses no acknowledged write', async () => {
  const file = join(home.path, 'killed.db');
  const { child, state } = await serve('--file', file);
  const acknowledged: string[] = [];
  const write = async (worker: number): Promise<void> => {
    const headers = { ...bearer(state.tokens.admin), 'content-type': 'application/json' };
    for (let count = 0; ; count += 1) {
      const body = JSON.stringify({ title: `Team ${worker}.${count}` });
      const answer = await fetch(`${state.url}/v1/orgs/${state.org}/teams`, { method: 'PUT', headers, body });
      acknowledged.push(((await answer.json()) as { id: string }).id);
      if (acknowledged.length === 200) child.kill('SIGKILL');
    }
  };
  await Promise.allSettled([0, 1, 2, 3].map(write));
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  const exported = await home.json<{ tables: { teams: { id: string }[] } }>([
    'sandbox',
    'export',
    '--file',
    file,
  ]);
  const kept = new Set(exported.tables.teams.map(({ id }) => id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});
