import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { startSandbox } from './sandbox-server.js';
import { onTerminal } from './terminal.js';

/** `docs sandbox`: its data, its clock, and what it is told to do wrong. Its server: sandbox.program.test.ts. */

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

const docs = (...args: string[]) => home.json<{ running: boolean; time: string }>(['sandbox', ...args]);

test('is asked about before it is started, and no database is made', async () => {
  const { code, stdout, stderr } = await home.run(['sandbox', 'status', '--json']);
  const status = JSON.parse(stdout) as { file: string };
  expect([code, status]).toMatchObject([0, { running: false, tokens: {} }]);
  expect(stderr).toContain('There is no database yet; docs sandbox start makes one.');
  expect((await home.run(['sandbox', 'stop'])).code).toBe(0);
  expect(existsSync(status.file)).toBe(false);
});

test('a body over 10 MB is refused, sent once, whatever of it is on its way', async () => {
  const { space, close } = await startSandbox(home);
  writeFileSync(join(home.path, 'long.md'), 'x'.repeat(12 * 1024 * 1024));
  const words = ['comments', 'create', '--space', space, '--body', '@long.md', '--json'];
  const { code, stderr } = await home.run(words);
  expect(code).toBe(8);
  const error = { status: 413, message: 'the body is larger than 10 MB', attempts: 1, outcome: 'refused' };
  expect(JSON.parse(stderr)).toMatchObject({ error });
  await close();
});

describe('the data', () => {
  test('is exported, loaded, seeded and reset', async () => {
    const first = await home.ok(['sandbox', 'export']);
    const saved = join(home.path, 'state.json');
    writeFileSync(saved, first);
    await home.ok(['--sandbox', 'orgs', 'update', '--title', 'Changed']);
    expect(await home.ok(['sandbox', 'export'])).not.toBe(first);
    await home.ok(['sandbox', 'seed', '--from', 'state.json']);
    expect(await home.ok(['sandbox', 'export'])).toBe(first);
    await home.ok(['--sandbox', 'orgs', 'update', '--title', 'Changed']);
    await home.ok(['sandbox', 'reset']);
    expect(await home.ok(['sandbox', 'export'])).toBe(first);
    await home.ok(['--sandbox', 'orgs', 'update', '--title', 'Changed']);
    await home.ok(['sandbox', 'seed', 'tiny']);
    expect(await home.ok(['sandbox', 'export'])).toBe(first);
    expect(await home.run(['sandbox', 'seed', 'tiny', '--from', saved])).toMatchObject({
      code: 2,
      stdout: '',
    });
  });

  test('says that a member is not found, never that there is none', async () => {
    const ran = await home.run(['--sandbox', 'members', 'get', 'Nobody', '--by-title']);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toContain('no member has the id or title "Nobody"');
    expect(ran.stderr).not.toContain('There are no');
  });

  test('shows times by its clock as they are, never as ages by the clock of this machine', async () => {
    await home.ok(['--sandbox', 'orgs', 'list']);
    for (const words of [['status'], ['requests'], ['clock']]) {
      const { screen } = await onTerminal(['sandbox', ...words], { env: home.env, cwd: home.path }).ended;
      expect(screen).toContain('2026-01-');
      expect(screen).not.toMatch(/\d (months?|years?|days?) ago/);
    }
  });

  test('ages by the clock', async () => {
    const [{ id: space = '' } = {}] = await home.json<{ id?: string }[]>(['--sandbox', 'spaces', 'list']);
    await home.ok(['--sandbox', 'spaces', 'delete', space, '--yes']);
    expect(await docs('clock')).toMatchObject({
      status: 'running',
      time: expect.stringMatching(/^2026-01-05T09:/),
    });
    expect(await docs('clock', '+7d')).toMatchObject({
      status: 'moved',
      time: expect.stringMatching(/^2026-01-12T09:/),
    });
    expect((await home.run(['--sandbox', 'spaces', 'restore', space])).code).toBe(6);
    const back = await home.ok(['sandbox', 'clock', '--json', '--', '-1d']);
    expect(JSON.parse(back)).toMatchObject({
      time: expect.stringMatching(/^2026-01-11T09:/),
    });
    expect((await home.run(['sandbox', 'clock', 'tomorrow'])).code).toBe(2);
  });
});

describe('faults', () => {
  test('strike what docs sends, and are listed and cleared', async () => {
    const fault = ['sandbox', 'fault', '--match', 'GET /v1/orgs*', '--status', '403', '--times', '1'];
    expect(await home.json(fault)).toMatchObject([{ match: 'GET /v1/orgs*', status: 403, times: 1 }]);
    expect((await home.run(['--sandbox', 'orgs', 'get'])).code).toBe(5);
    expect((await home.run(['--sandbox', 'orgs', 'get'])).code).toBe(0);
    expect(await home.json(['sandbox', 'fault'])).toEqual([]);
    const more = ['--reset', 'before', '--rate', '0.5', '--response-header', 'x-why=test'];
    await home.ok(['sandbox', 'fault', '--match', '*', ...more]);
    expect(await home.json(['sandbox', 'fault', '--clear'])).toEqual([]);
  });

  test.each([
    ['--match', '*'],
    ['--match', '*', '--status', '42'],
    ['--match', '*', '--status', '503', '--times', '0'],
    ['--match', '*', '--status', '503', '--rate', '2'],
    ['--match', '*', '--status', '503', '--response-header', 'nothing'],
    ['--match', '*', '--delay', 'soon'],
    ['--match', '*', '--reset', 'later'],
    ['--status', '503'],
  ])('%s %s %s %s %s are refused', async (...flags) => {
    expect(await home.run(['sandbox', 'fault', ...flags])).toMatchObject({ code: 2, stdout: '' });
  });
});

test('--dry-run changes nothing', async () => {
  const before = await home.ok(['sandbox', 'export']);
  const { time } = await docs('status');
  for (const words of [
    ['start'],
    ['start', '--foreground'],
    ['seed', 'acme'],
    ['reset'],
    ['clock', '+7d'],
    ['fault', '--match', '*', '--status', '503'],
    ['exec', '--', 'touch', 'made'],
    ['stop'],
  ]) {
    const said = await home.ok(['sandbox', words[0] ?? '', '--dry-run', '--json', ...words.slice(1)]);
    expect(JSON.parse(said)).toMatchObject({ status: 'not-changed' });
  }
  expect(await home.ok(['sandbox', 'export'])).toBe(before);
  expect(await home.json(['sandbox', 'fault'])).toEqual([]);
  expect(existsSync(join(home.path, 'made'))).toBe(false);
  const after = await docs('status');
  expect(after.running).toBe(false);
  expect(Date.parse(after.time) - Date.parse(time)).toBeLessThan(86_400_000);
});

test('requests are listed as they came', async () => {
  await home.ok(['--sandbox', 'orgs', 'get']);
  await home.run(['--sandbox', 'orgs', 'get', 'nowhere']);
  const requests = await home.json<{ method: string; path: string; status: number; time: string }[]>([
    ...['sandbox', 'requests'],
  ]);
  expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', expect.stringMatching(/^\/v1\/orgs\/\w{20}$/), 200],
    ['GET', '/v1/orgs/nowhere', 404],
  ]);
  expect(requests[0]?.time).toMatch(/^2026-01-05T09:0\d/);
  expect(await home.json<unknown[]>(['sandbox', 'requests', '--limit', '1'])).toHaveLength(1);
});
