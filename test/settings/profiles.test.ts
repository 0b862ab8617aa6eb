import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listProfiles, removeProfile, saveProfile, switchProfile } from '../../src/commands/auth.js';
import { readSettings } from '../../src/settings/settings.js';
import { storeCredential } from '../../src/settings/store-credential.js';
import { failureOf, fakeKeychain, freshWorld } from './world.js';

async function twoProfiles() {
  const world = freshWorld();
  await saveProfile(world.io, 'work', { baseUrl: 'https://docs.example', org: 'org_1' });
  await storeCredential(
    world.io,
    { profile: 'home', baseUrl: 'https://home.example', token: 't' },
    fakeKeychain('none'),
  );
  return world;
}

describe('profiles', () => {
  test('the list is empty at first', async () => {
    expect(await listProfiles(freshWorld().io)).toEqual([]);
  });

  test('lists profiles by name, with base URL, current one and stored token', async () => {
    const { io, with: change } = await twoProfiles();
    expect(await listProfiles(io)).toEqual([
      { name: 'home', baseUrl: 'https://home.example', current: false, signedIn: true, store: 'file' },
      { name: 'work', baseUrl: 'https://docs.example', current: true, signedIn: false },
    ]);
    const current = async (...args: Parameters<typeof listProfiles>) =>
      (await listProfiles(...args)).find((row) => row.current)?.name;
    expect(await current(change({ env: { DOCS_PROFILE: 'home' } }))).toBe('home');
    expect(await current(io, { profile: 'home' })).toBe('home');
  });

  test('the first saved profile becomes the current one', async () => {
    const { io } = await twoProfiles();
    expect(readSettings(io, {}).profile.value).toBe('work');
  });

  test('switching changes the current profile', async () => {
    const { io } = await twoProfiles();
    await switchProfile(io, 'home');
    expect(readSettings(io, {})).toMatchObject({
      profile: { value: 'home' },
      baseUrl: { value: 'https://home.example' },
    });
  });

  test.each([
    ['hoem', 'unknown profile "hoem". Did you mean "home"? Known profiles: work, home.'],
    ['elsewhere', 'unknown profile "elsewhere". Known profiles: work, home.'],
    ['toString', 'unknown profile "toString". Known profiles: work, home.'],
  ])('switching to or removing %s is a usage error that lists the known profiles', async (name, message) => {
    const { io, configFile } = await twoProfiles();
    const before = readFileSync(configFile, 'utf8');
    const failure = { exitCode: 2, code: 'unknown_profile', message, hint: 'docs auth list' };
    expect(await failureOf(() => switchProfile(io, name))).toMatchObject(failure);
    expect(await failureOf(() => removeProfile(io, name))).toMatchObject(failure);
    expect(readFileSync(configFile, 'utf8')).toBe(before);
  });

  test('saving adds values and checks them', async () => {
    const { io } = await twoProfiles();
    await saveProfile(io, 'work', { space: 'sp_1' });
    expect(readSettings(io, {}).stored).toEqual({
      baseUrl: 'https://docs.example',
      org: 'org_1',
      space: 'sp_1',
    });
    expect(await failureOf(() => saveProfile(io, 'a b', {}))).toMatchObject({
      exitCode: 2,
      code: 'invalid_profile',
    });
    expect(await failureOf(() => saveProfile(io, 'work', { baseUrl: 'docs.example' }))).toMatchObject({
      exitCode: 14,
    });
  });

  test('removing the current profile leaves no current one', async () => {
    const { io } = await twoProfiles();
    await removeProfile(io, 'work');
    expect(readSettings(io, {}).profile).toMatchObject({ value: 'default', source: 'default' });
    expect((await listProfiles(io)).map(({ name }) => name)).toEqual(['home']);
  });
});
