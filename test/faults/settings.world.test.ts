import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namesIn } from './invariants.js';
import { inWorld, token, type World } from './run.js';

/** RELIABILITY.md: settings and credentials that are broken, foreign, open, contested, or on a full disk. */

const config = '.config/docs/config.json';
const plain = { DOCS_TOKEN: undefined, DOCS_BASE_URL: undefined, DOCS_ORG: undefined };
const seeded = async (world: World): Promise<void> => {
  expect((await world.run(['config', 'set', 'org', 'o1'])).code).toBe(0);
};

describe('a settings file that is corrupt', () => {
  const broken = ['{"profiles": ', '', '[]', '"x"', '{"profiles": 7}', '\u0000\u0001', '{"a":1}{'];
  test.each(broken)('%j: exit 14 with its path; it is neither changed nor removed', async (text) => {
    await inWorld({ files: { [`~/${config}`]: text } }, async ({ run, home, server }) => {
      const path = join(home, config);
      for (const args of [
        ['api', '/v1/x', '--json'],
        ['config', 'set', 'org', 'o2', '--json'],
      ]) {
        const ran = await run(args);
        expect(ran.code).toBe(14);
        expect(ran.error.message).toContain(path);
        expect(ran.error.hint).toEqual(expect.any(String));
      }
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(server.connections).toBe(0);
    });
  });
});

test('one that others can read is tightened, with one warning, once', async () => {
  await inWorld({ env: plain }, async (world) => {
    await seeded(world);
    const path = join(world.home, config);
    chmodSync(path, 0o644);
    const first = await world.run(['config', 'get', 'org']);
    expect({ code: first.code, lines: first.stderr.trimEnd().split('\n').length }).toEqual({
      code: 0,
      lines: 1,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await world.run(['config', 'get', 'org'])).stderr).toBe('');
  });
});

describe.runIf(process.getuid?.() === 0)('as root, a file that another user owns', () => {
  test.each(['.config/docs/config.json', '.config/docs/credentials.json'])(
    '%s: exit 14, nothing sent',
    async (name) => {
      await inWorld(
        { env: { DOCS_TOKEN: undefined, DOCS_BASE_URL: undefined } },
        async ({ run, home, server }) => {
          await run(['auth', 'login', '--with-token', '--base-url', server.url], { stdin: `${token}\n` });
          const sent = server.requests.length;
          const path = join(home, name);
          if (!namesIn(home).includes(name)) {
            mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
            writeFileSync(path, '{}', { mode: 0o600 });
          }
          chownSync(path, 12_345, 12_345);
          const ran = await run(['api', '/v1/x', '--json']);
          expect(ran.code).toBe(14);
          expect(ran.stderr).toContain(path);
          expect(server.requests.length).toBe(sent);
        },
      );
    },
  );
});

test('half-written by a killed program: the old file counts, and what was left is removed', async () => {
  await inWorld({ env: plain }, async (world) => {
    await seeded(world);
    writeFileSync(join(world.home, '.config/docs/config.json.12345.tmp'), '{"prof', { mode: 0o600 });
    expect((await world.run(['config', 'get', 'org'])).stdout).toBe('o1\n');
    expect((await world.run(['config', 'set', 'space', 's1'])).code).toBe(0);
    expect((await world.run(['config', 'get', 'space'])).stdout).toBe('s1\n');
  });
});

describe('docs doctor', () => {
  test('shows Node, settings, proxy, certificates, profile, token source, connection and clock', async () => {
    const date = new Date(Date.now() - 600_000).toUTCString();
    await inWorld({ script: () => ({ json: { items: [] }, headers: { date } }) }, async ({ run }) => {
      const ran = await run(['doctor', '--json']);
      expect(ran.code).toBe(0);
      const checks = JSON.parse(ran.stdout) as { check: string; state: string; detail: string }[];
      const of = (name: string) => checks.find(({ check }) => check === name);
      expect(checks.map(({ check }) => check)).toEqual([
        ...['node', 'install', 'settings', 'project file', 'proxy', 'certificates'],
        ...['sign-in', 'connection', 'clock'],
      ]);
      expect(of('sign-in')?.detail).toContain('token from DOCS_TOKEN');
      expect(of('clock')).toMatchObject({ state: 'warning' });
      expect(of('clock')?.detail).toMatch(/^(599|60\d|61\d) s ahead of the platform$/);
    });
  });
});
