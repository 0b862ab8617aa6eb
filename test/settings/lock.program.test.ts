import { mkdirSync, readdirSync, readFileSync, rmdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingsPaths } from '../../src/settings/paths.js';
import { saveProfile } from '../../src/settings/profiles.js';
import { updateSettingsFile } from '../../src/settings/settings-file.js';
import { buildChild } from './child.js';
import { failureOf, freshWorld } from './world.js';

let child: Awaited<ReturnType<typeof buildChild>>;
beforeAll(async () => {
  child = await buildChild();
});
afterAll(() => child.remove());

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('concurrent processes', () => {
  test('six processes that write at once lose nothing', async () => {
    const { home, configDir, configFile } = freshWorld();
    const prefixes = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ended = await Promise.all(
      prefixes.map((prefix) => child.run(['save', prefix, '5'], { HOME: home })),
    );
    expect(ended).toEqual(prefixes.map(() => ({ code: 0, stdout: '', stderr: '' })));
    const expected = prefixes.flatMap((prefix) => [0, 1, 2, 3, 4].map((n) => `${prefix}${n}`));
    expect(Object.keys(json(configFile).profiles).sort()).toEqual(expected);
    expect(readdirSync(configDir)).toEqual(['config.json']);
  });

  test('six processes that sign in at once lose no token', async () => {
    const { home, configFile, credentialsFile } = freshWorld();
    const prefixes = ['a', 'b', 'c', 'd', 'e', 'f'];
    const env = { HOME: home, DOCS_CREDENTIAL_STORE: 'file' };
    const ended = await Promise.all(prefixes.map((prefix) => child.run(['login', prefix, '3'], env)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const names = prefixes.flatMap((prefix) => [0, 1, 2].map((n) => `${prefix}${n}`));
    expect(Object.keys(json(configFile).profiles).sort()).toEqual(names);
    const tokens = Object.fromEntries(names.map((name) => [`${name}@https://docs.example`, name]));
    expect(json(credentialsFile).tokens).toEqual(tokens);
  });

  test('takes over the lock of a killed process, one process at a time', async () => {
    const { home, configDir, configFile } = freshWorld();
    mkdirSync(join(configDir, 'settings.lock'), { recursive: true });
    utimesSync(join(configDir, 'settings.lock'), new Date(0), new Date(0));
    const prefixes = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ended = await Promise.all(
      prefixes.map((prefix) => child.run(['save', prefix, '2'], { HOME: home })),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(Object.keys(json(configFile).profiles)).toHaveLength(12);
    expect(readdirSync(configDir)).toEqual(['config.json']);
  });

  test('waits while another process takes over a stale lock', async () => {
    const { io, configDir } = freshWorld();
    const [lock, guard] = [join(configDir, 'settings.lock'), join(configDir, 'settings.lock.break')];
    for (const path of [lock, guard]) mkdirSync(path, { recursive: true });
    utimesSync(lock, new Date(0), new Date(0));
    expect(await failureOf(() => saveProfile(io, 'work', {}))).toMatchObject({ code: 'settings_locked' });
    expect(readdirSync(configDir).sort()).toEqual(['settings.lock', 'settings.lock.break']);
    // That one was killed at it.
    utimesSync(guard, new Date(0), new Date(0));
    await saveProfile(io, 'work', {});
    expect(readdirSync(configDir)).toEqual(['config.json']);
  });

  test('a lock that stays held: exit 13, and nothing is written', async () => {
    const { io, configDir } = freshWorld();
    mkdirSync(join(configDir, 'settings.lock'), { recursive: true });
    expect(await failureOf(() => saveProfile(io, 'work', {}))).toMatchObject({
      exitCode: 13,
      code: 'settings_locked',
      message: `another docs process holds the lock ${join(configDir, 'settings.lock')}; nothing was changed`,
      retryable: true,
      hint: `rmdir ${join(configDir, 'settings.lock')}`,
    });
    expect(readdirSync(configDir)).toEqual(['settings.lock']);
  });

  test('stops waiting for the lock when the run is aborted', async () => {
    const { with: change, configDir } = freshWorld();
    mkdirSync(join(configDir, 'settings.lock'), { recursive: true });
    const reason = new Error('interrupted');
    const io = change({ signal: AbortSignal.abort(reason) });
    await expect(saveProfile(io, 'work', {})).rejects.toBe(reason);
  });
});

test('writes nothing if another process has taken over the lock, and leaves that lock alone', async () => {
  const { io, configDir, configFile, write } = freshWorld();
  write(configFile, { profile: 'before' });
  const lock = join(configDir, 'settings.lock');
  const failure = await failureOf(() =>
    updateSettingsFile(io, settingsPaths(io), (draft) => {
      draft.setCurrent('after');
      // As after a long sleep of the machine: the lock is another's, and fresh.
      rmdirSync(lock);
      mkdirSync(lock);
      utimesSync(lock, new Date(), new Date(Date.now() + 20_000));
    }),
  );
  expect(failure).toMatchObject({ exitCode: 13, code: 'lock_lost', retryable: true });
  expect(json(configFile)).toEqual({ profile: 'before' });
  expect(readdirSync(configDir).sort()).toEqual(['config.json', 'settings.lock']);
});
