import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { savedWorld } from './world.js';

/** Saved backups: of one run, of two signed ones, and in parts; and an archive of a space. */

const world = await savedWorld();
afterAll(() => world.close());
const stderrOf = async (...words: string[]) => {
  const { code, stderr } = await world.run(words);
  return `exit ${code}: ${stderr}`;
};

describe('of one run', () => {
  test('it is whole, and the platform has nothing else', async () => {
    world.lay('backup/plain');
    expect(await stderrOf('backup', 'verify', 'b', '--offline')).toContain(
      'exit 0: The backup is whole: 5 spaces, 88 files',
    );
    expect(await stderrOf('backup', 'verify', 'b')).toContain('exit 0: The backup is whole and up to date');
    expect(await stderrOf('backup', 'status', 'b')).toBe(
      'exit 0: Acme Docs: whole; the last run finished 60 seconds ago.\n',
    );
    const restore = await world.ok(['backup', 'restore', 'b', '--dry-run']);
    expect(restore).toContain('Plan for Acme Docs: nothing to do');
    expect(restore).toContain('· SSO logins (1): The API cannot create SSO logins');
  });

  test('a further run reads only what changed', async () => {
    world.lay('backup/plain');
    const { spaces, unchanged } = await world.json<{ spaces: number; unchanged: number }>([
      ...['backup', 'run', '--out', 'b'],
    ]);
    expect([spaces, unchanged]).toEqual([5, 5]);
  });

  test('what the platform lost comes back', async () => {
    world.lay('backup/plain');
    await world.ok(['teams', 'delete', '58r3X1FgDS0A1SsD1Tls', '--yes']);
    expect(await world.ok(['backup', 'restore', 'b', '--dry-run'])).toContain('+ support');
    await world.run(['backup', 'restore', 'b', '--yes']);
    expect(await world.ok(['teams', 'list', '--fields', 'title'])).toContain('Support\n');
  });

  test('it is searched, and a space of it packed as then', async () => {
    world.lay('backup/plain');
    expect(await world.ok(['backup', 'search', 'b', 'indexed by search engines'])).toContain(
      'spaces/Welcome/pages/guides/publishing.md',
    );
    await world.ok(['backup', 'pack', 'b', '--space', 'welcome', '--out', 'again.zip']);
    expect(readFileSync(world.at('again.zip')).equals(readFileSync(world.at('welcome.zip')))).toBe(true);
  });

  test('a sandbox is made of it', async () => {
    world.lay('backup/plain');
    await world.ok(['sandbox', 'seed', '--from-backup', 'b']);
    const spaces = await world.ok(['--sandbox', 'spaces', 'list', '--fields', 'title']);
    expect(spaces.trim().split('\n').sort()).toEqual([
      ...['API Reference', 'Board Notes', 'Engineering Handbook', 'Product Guide', 'Welcome'],
    ]);
  });
});

describe('of two runs, signed', () => {
  test('signature and files hold', async () => {
    world.lay('backup/kept');
    const verified = await stderrOf('backup', 'verify', 'b', '--offline', '--allowed-signers', 'signers');
    expect(verified).toContain('exit 0: Signed by ada@acme.example (SHA256:');
    expect(verified).toContain('The backup is whole: 2 spaces, 37 files');
  });

  test('a changed manifest is found', async () => {
    world.lay('backup/kept');
    world.write('b/manifest.json', world.read('b/manifest.json').replace('2026-03-03', '2026-03-04'));
    expect((await world.run(['backup', 'verify', 'b', '--allowed-signers', 'signers'])).code).toBe(17);
  });

  test('its runs are listed, compared and restored', async () => {
    world.lay('backup/kept');
    const log = await world.ok(['backup', 'log', 'b']);
    expect(log).toContain('2\t2026-03-03T09:00:00.000Z\twhole\t2\t');
    expect(log).toContain('1\t2026-03-02T09:00:00.000Z\twhole\t3\t');
    const shown = await world.ok(['backup', 'show', 'b', '2']);
    expect(shown).toContain('removed\tspace\tBoard Notes');
    expect(shown).toContain('title: Engineering Handbook → Handbook');
    const restore = await world.ok(['backup', 'restore', 'b', '--at', '1', '--dry-run']);
    expect(restore).toContain('Plan for Acme Docs: 1 to create, 1 to change');
    expect(restore).toContain('POST /v1/spaces/M74RxLe4EZE9gV5Dmi4Q/restore');
  });
});

test('in parts, they are joined', async () => {
  world.lay('backup/parts');
  const joined = await stderrOf('backup', 'merge', 'parts', '--out', 'whole');
  expect(joined).toContain('exit 0: Joins 2 parts');
  expect(await stderrOf('backup', 'verify', 'whole')).toContain(
    'exit 0: The backup is whole and up to date: 3 spaces, 43 files',
  );
});
