import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home, type Ran } from './program.js';

/**
 * Files that docs opens by itself, with something else in their place: refused with exit 14, never followed,
 * and never waited for. A run that waits fails by the time limit of its test.
 */

let home: Home;
beforeEach(() => {
  home = freshHome({}, { compiled: false });
});
afterEach(() => home.remove());

const at = (...names: string[]) => join(home.path, ...names);
const jobs = () => at('.local', 'state', 'docs', 'jobs');
const config = () => at('.config', 'docs', 'config.json');
const createTeam = ['--sandbox', 'teams', 'create', '--title', 'Writers', '-o', 'id'];

const instead: [string, (path: string) => void][] = [
  ['a named pipe', (path) => execFileSync('mkfifo', ['-m', '600', path])],
  ['a device', device],
  ['a directory', (path) => mkdirSync(path, { mode: 0o700 })],
];

/** For root a device of its own, since a program that fails this test could change the machine's. */
function device(path: string): void {
  if (process.getuid?.() === 0) execFileSync('mknod', ['-m', '622', path, 'c', '1', '5']);
  else symlinkSync('/dev/zero', path);
}

function put(path: string, make: (path: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { recursive: true, force: true });
  make(path);
}

function expectRefused({ code, stdout, stderr }: Ran, path: string): void {
  expect({ code, stdout }).toEqual({ code: 14, stdout: '' });
  expect(stderr).toContain(path);
  expect(stderr).toMatch(/\(configuration, exit 14\)\n {2}Try: \S/);
  expect(stderr).not.toContain('This is a bug');
}

describe.each(instead)('%s', (_, make) => {
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
    expectRefused(await home.run(['orgs', 'list']), path);
    expect(statSync(path).mode).toBe(before);
  });

  it('in place of a project file', async () => {
    put(at('.docs.json'), make);
    expectRefused(await home.run(['--sandbox', 'orgs', 'list']), at('.docs.json'));
  });

  it('in place of a journal', async () => {
    await home.ok(createTeam);
    const path = join(jobs(), readdirSync(jobs())[0] ?? '');
    put(path, make);
    expectRefused(await home.run(['jobs', 'show', 'last']), path);
    expectRefused(await home.run(['--sandbox', 'undo', 'last', '--yes']), path);
    // One such file does not keep others from working.
    await home.ok(createTeam);
  });

  it('in place of the database of the sandbox', async () => {
    const path = at('.local', 'share', 'docs', 'sandbox.db');
    put(path, make);
    expectRefused(await home.run(['--sandbox', 'orgs', 'list']), path);
  });

  it('in place of the state of its server', async () => {
    await home.ok(['--sandbox', 'orgs', 'list']);
    const path = at('.local', 'share', 'docs', 'sandbox.server.json');
    put(path, make);
    expectRefused(await home.run(['sandbox', 'status']), path);
    expectRefused(await home.run(['sandbox', 'start']), path);
  });

  it.skipIf('enableCompileCache' in nodeModule)('in place of the code cache', async () => {
    await home.ok(['config', 'path']);
    const folder = at('.cache', 'docs', 'code');
    const path = join(folder, readdirSync(folder)[0] ?? '');
    put(path, make);
    expectRefused(await home.run(['config', 'path']), path);
    const { stderr } = await home.run(['config', 'path', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unsafe_path', exitCode: 14 } });
  });

  it('in place of cached ids: nothing is offered from it', async () => {
    const folder = at('.cache', 'docs', 'completion');
    await home.run(['--sandbox', '__complete', 'teams', 'get', '']);
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) put(join(folder, name), make);
    expect(await home.run(['__complete', '--sandbox', 'teams', 'get', ''])).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it('in place of the start-up file of a shell', async () => {
    if (make === instead[2]?.[1]) return; // An error of its own: exit 13.
    put(at('.bashrc'), make);
    expectRefused(await home.run(['completion', 'bash', '--install', '--yes']), at('.bashrc'));
  });
});

describe('a link', () => {
  it.each(['docs', 'docs/jobs'])('in place of the state folder %s is not followed', async (name) => {
    await home.ok(createTeam);
    const path = at('.local', 'state', name);
    renameSync(path, at('elsewhere'));
    symlinkSync(at('elsewhere'), path);
    const before = readdirSync(at('elsewhere'), { recursive: true });
    expectRefused(await home.run(createTeam), path);
    expectRefused(await home.run(['jobs', 'list']), path);
    expect(readdirSync(at('elsewhere'), { recursive: true })).toEqual(before);
  });

  it('in place of the lock of the settings is refused at once', async () => {
    const lock = at('.config', 'docs', 'settings.lock');
    put(lock, (path) => symlinkSync(home.path, path));
    expectRefused(await home.run(['config', 'set', 'page-size', '10']), lock);
    expect(lstatSync(lock).isSymbolicLink()).toBe(true);
  });

  it('in place of the settings, which people keep elsewhere, is followed', async () => {
    writeFileSync(at('mine.json'), '{"settings":{"pageSize":7}}', { mode: 0o600 });
    put(config(), (path) => symlinkSync(at('mine.json'), path));
    expect(await home.ok(['config', 'get', 'page-size'])).toBe('7\n');
  });
});

it.each(['docs', 'docs/jobs'])('a state folder %s that others can write is refused', async (name) => {
  await home.ok(createTeam);
  const path = at('.local', 'state', name);
  for (const mode of [0o770, 0o707]) {
    chmodSync(path, mode);
    expectRefused(await home.run(createTeam), path);
    expectRefused(await home.run(['jobs', 'list']), path);
  }
  chmodSync(path, 0o755);
  await home.ok(createTeam);
});
