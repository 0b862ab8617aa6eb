import { mkdirSync, readdirSync, readFileSync, rmdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveProfile } from '../../src/commands/auth.js';
import { settingsPaths } from '../../src/settings/paths.js';
import { updateSettingsFile } from '../../src/settings/settings-file.js';
import { failureOf, freshWorld } from './world.js';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

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
