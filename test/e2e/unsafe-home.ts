import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home, type Ran } from './program.js';
import { stubPlatform } from './stub-platform.js';

/** A home in which something else stands in place of files that docs opens by itself. */
export interface UnsafeHome {
  readonly home: Home;
  at(...names: string[]): string;
}

/** A command that keeps a journal. */
export const createTeam = ['teams', 'create', '--title', 'Writers'];
/** With a sandbox of its own. */
export const own = { env: { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' } };

/** One for each test of a file. */
export async function unsafeHome(): Promise<UnsafeHome> {
  const platform = await stubPlatform(() => ({ status: 201, body: { id: 't1', title: 'Writers' } }));
  let home: Home;
  beforeEach(() => {
    home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 't', DOCS_ORG: 'o1' });
  });
  afterEach(() => home.remove());
  afterAll(() => platform.close());
  return {
    get home() {
      return home;
    },
    at: (...names) => join(home.path, ...names),
  };
}

/** Makes something in place of whatever is there. */
export function put(path: string, make: (path: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { recursive: true, force: true });
  make(path);
}

export function expectRefused({ code, stdout, stderr }: Ran, path: string): void {
  expect({ code, stdout }).toEqual({ code: 14, stdout: '' });
  expect(stderr).toContain(path);
  expect(stderr).toMatch(/\(configuration, exit 14\)\n {2}Try: \S/);
  expect(stderr).not.toContain('this is a bug');
}

/** What stands in place of each file is refused. */
export function refusesInstead(world: UnsafeHome, what: string, make: (path: string) => void): void {
  const { at } = world;
  const jobs = () => at('.local', 'state', 'docs', 'jobs');
  const config = () => at('.config', 'docs', 'config.json');

  describe(what, () => {
    it.each(['config.json', 'credentials.json'])('in place of %s', async (name) => {
      const profile = {
        baseUrl: 'https://127.0.0.1:9',
        credential: { store: 'file', origin: 'https://127.0.0.1:9' },
      };
      put(config(), (path) =>
        writeFileSync(path, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 }),
      );
      const path = join(dirname(config()), name);
      put(path, make);
      const before = statSync(path).mode;
      expectRefused(await world.home.run(['orgs', 'list'], own), path);
      expect(statSync(path).mode).toBe(before);
    });

    it('in place of a project file', async () => {
      put(at('.docs.json'), make);
      expectRefused(await world.home.run(['orgs', 'list']), at('.docs.json'));
    });

    it('in place of a journal', async () => {
      await world.home.ok(createTeam);
      const path = join(jobs(), readdirSync(jobs())[0] ?? '');
      put(path, make);
      expectRefused(await world.home.run(['jobs', 'show', 'last']), path);
      expectRefused(await world.home.run(['undo', 'last', '--yes']), path);
      // One such file does not keep others from working.
      await world.home.ok(createTeam);
    });

    it('in place of the database of the sandbox', async () => {
      const path = at('.local', 'share', 'docs', 'sandbox.db');
      put(path, make);
      expectRefused(await world.home.run(['--sandbox', 'orgs', 'list'], own), path);
    });

    it('in place of the state of its server', async () => {
      const path = at('.local', 'share', 'docs', 'sandbox.server.json');
      put(path, make);
      expectRefused(await world.home.run(['sandbox', 'status']), path);
      expectRefused(await world.home.run(['sandbox', 'start']), path);
    });
  });
}
