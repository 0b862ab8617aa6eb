import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { saveProfile } from '../../src/commands/auth.js';
import { settingsPaths } from '../../src/settings/paths.js';
import { readSettings } from '../../src/settings/settings.js';
import { updateSettingsFile } from '../../src/settings/settings-file.js';
import { failureOf, freshWorld } from './world.js';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('writing', () => {
  test('creates folder (0700) and file (0600), and leaves nothing else behind', async () => {
    const { io, configDir, configFile } = freshWorld();
    await saveProfile(io, 'work', { baseUrl: 'https://docs.example', org: 'org_1' });
    expect(json(configFile)).toEqual({
      version: 1,
      profile: 'work',
      profiles: { work: { baseUrl: 'https://docs.example', org: 'org_1' } },
    });
    expect(statSync(configDir).mode & 0o777).toBe(0o700);
    expect(statSync(configFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(configDir)).toEqual(['config.json']);
  });

  test('keeps unknown keys at every level', async () => {
    const { io, write, configFile } = freshWorld();
    const text =
      '{"version":1,"future":{"a":[1]},"profile":"work","__proto__":{"x":1},' +
      '"profiles":{"work":{"org":"o","colour":"red"}},"settings":{"later":true}}';
    write(configFile, text);
    await saveProfile(io, 'work', { space: 's' });
    expect(readFileSync(configFile, 'utf8').replace(/\s/g, '')).toBe(
      '{"version":1,"future":{"a":[1]},"profile":"work","__proto__":{"x":1},' +
        '"profiles":{"work":{"org":"o","colour":"red","space":"s"}},"settings":{"later":true}}',
    );
  });

  test('a symbolic link stays; its target is replaced or created', async () => {
    const { io, home, configDir, configFile, write } = freshWorld();
    const target = write(join(home, 'dotfiles', 'docs.json'), { profiles: { a: {} } });
    mkdirSync(configDir, { recursive: true });
    symlinkSync('../../dotfiles/docs.json', configFile);
    await saveProfile(io, 'b', {});
    expect(lstatSync(configFile).isSymbolicLink()).toBe(true);
    expect(Object.keys(json(target).profiles)).toEqual(['a', 'b']);

    const other = freshWorld();
    mkdirSync(other.configDir, { recursive: true });
    symlinkSync('../new.json', other.configFile);
    await saveProfile(other.io, 'b', {});
    expect(lstatSync(other.configFile).isSymbolicLink()).toBe(true);
    expect(Object.keys(json(join(dirname(other.configDir), 'new.json')).profiles)).toEqual(['b']);
  });

  test('removes drafts of killed processes', async () => {
    const { io, configDir, write } = freshWorld();
    write(join(configDir, '.config.json.4711.tmp'), '{"half');
    write(join(configDir, 'mine.tmp'), 'kept');
    await saveProfile(io, 'work', {});
    expect(readdirSync(configDir).sort()).toEqual(['config.json', 'mine.tmp']);
  });

  test('keys with dots are plain keys', async () => {
    const { io, configFile } = freshWorld();
    await saveProfile(io, 'eu.docs.example', { baseUrl: 'https://docs.example:8443' });
    await saveProfile(io, 'eu', { baseUrl: 'https://docs.example' });
    expect(json(configFile).profiles).toEqual({
      'eu.docs.example': { baseUrl: 'https://docs.example:8443' },
      eu: { baseUrl: 'https://docs.example' },
    });
  });

  test('a folder that cannot be created: exit 13', async () => {
    const { home, with: change, write } = freshWorld();
    write(join(home, 'file'), '');
    const io = change({ env: { XDG_CONFIG_HOME: join(home, 'file') } });
    expect(await failureOf(() => saveProfile(io, 'work', {}))).toMatchObject({
      exitCode: 13,
      code: 'cannot_write_settings',
      message: `cannot write ${join(home, 'file', 'docs')}; nothing was changed: part of the path is not a directory`,
    });
  });
});

describe('an unusable file', () => {
  test.each([
    ['{"profile": "work",}', 'is not valid JSON (line 1, column 20)'],
    ['{\n  "token": "secret"\n  x', 'is not valid JSON (line 3, column 3)'],
    ['', 'is not valid JSON'],
    ['[1]', 'is not a JSON object'],
    [' '.repeat(1_100_000), 'is larger than 1 MB'],
  ])('%.22s: exit 14 on reading and writing, and it stays unchanged', async (text, what) => {
    const { io, write, configFile } = freshWorld();
    write(configFile, text);
    const failure = {
      code: 'corrupt_settings',
      exitCode: 14,
      message: `the settings file ${configFile} ${what}; it was left unchanged`,
      retryable: false,
      outcome: 'not-sent',
      hint: `mv ${configFile} ${configFile}.broken`,
    };
    expect(await failureOf(() => readSettings(io, {}))).toEqual(failure);
    expect(await failureOf(() => saveProfile(io, 'work', {}))).toEqual(failure);
    expect(readFileSync(configFile, 'utf8')).toBe(text);
  });

  test('bytes that are not UTF-8', async () => {
    const { io, write, configFile } = freshWorld();
    write(configFile, '');
    writeFileSync(configFile, Buffer.from('{"profile":"\xff"}', 'latin1'));
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject({ code: 'corrupt_settings' });
  });

  test('a byte order mark is accepted', () => {
    const { io, write, configFile } = freshWorld();
    write(configFile, '\ufeff{"profile":"work"}');
    expect(readSettings(io, {}).profile.value).toBe('work');
  });

  test.each([
    [{ profile: 5 }, '"profile" must be a non-empty string'],
    [{ profiles: [] }, '"profiles" must be an object'],
    [{ profiles: { work: 1 } }, '"profiles.work" must be an object'],
    [{ profiles: { work: { org: 7 } } }, '"profiles.work.org" must be a non-empty string'],
    [
      { profiles: { work: { credential: { store: 'x', origin: 'o' } } } },
      '"profiles.work.credential.store" must be keychain or file',
    ],
    [{ settings: 1 }, '"settings" must be an object'],
  ])('%o: exit 14, naming the key', async (content, what) => {
    const { io, write, configFile } = freshWorld();
    write(configFile, content);
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject({
      exitCode: 14,
      code: 'invalid_settings',
      message: `in ${configFile}, ${what}`,
    });
  });

  test('a newer layout: exit 14', async () => {
    const { io, write, configFile } = freshWorld();
    write(configFile, { version: 2 });
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject({
      exitCode: 14,
      code: 'newer_settings',
    });
  });

  test.each([
    ['objects', (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
    ['lists', (levels: number) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`],
  ])('%s nested 50,000 deep: exit 14, and left as they are', async (_, nested) => {
    const { io, write, configFile } = freshWorld();
    write(configFile, nested(50_000));
    const paths = settingsPaths(io);
    const error = {
      exitCode: 14,
      code: 'corrupt_settings',
      message: expect.stringContaining('nested more than'),
    };
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject(error);
    expect(
      await failureOf(() => updateSettingsFile(io, paths, (draft) => draft.setCurrent('a'))),
    ).toMatchObject(error);
    expect(readFileSync(configFile, 'utf8')).toBe(nested(50_000));
    // Below the limit it is read, and kept by a change.
    write(configFile, nested(90));
    await updateSettingsFile(io, paths, (draft) => draft.setSetting('pageSize', 5));
  });

  test('a file in place of the folder means no settings', () => {
    const { io, write, configDir } = freshWorld();
    write(configDir, '');
    expect(readSettings(io, {}).profile.source).toBe('default');
  });
});
