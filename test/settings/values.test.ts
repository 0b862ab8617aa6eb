import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getSetting, listSettings, setSetting, unsetSetting } from '../../src/settings/change-setting.js';
import { settingKeys } from '../../src/settings/setting-keys.js';
import { readSettings } from '../../src/settings/settings.js';
import { failureOf, freshWorld } from './world.js';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('listing', () => {
  test('every setting, each with its source', () => {
    const { with: change, write, configFile } = freshWorld();
    write(configFile, {
      profiles: { default: { baseUrl: 'https://docs.example', space: 'sp_1' } },
      settings: { timeout: '90s', fields: 'id,title', journal: false },
    });
    const io = change({ env: { DOCS_ORG: 'org_env' } });
    const rows = listSettings(readSettings(io, { output: 'json' }));
    expect(rows.map(({ name, value, source, where }) => [name, value, source, where])).toEqual([
      ['base-url', 'https://docs.example', 'profile', configFile],
      ['org', 'org_env', 'environment', 'DOCS_ORG'],
      ['space', 'sp_1', 'profile', configFile],
      ['site', null, 'default', 'built in'],
      ['output', 'json', 'flag', '--output'],
      ['fields', ['id', 'title'], 'settings', configFile],
      ['page-size', null, 'default', 'built in'],
      ['timeout', '90s', 'settings', configFile],
      ['journal', false, 'settings', configFile],
      ['pager', null, 'default', 'built in'],
      ['policy', null, 'default', 'built in'],
    ]);
  });

  test('every key has a description and a default', () => {
    for (const key of settingKeys) {
      expect(key.description, key.name).not.toBe('');
      expect(key.builtIn, key.name).not.toBe('');
    }
  });
});

describe('setting', () => {
  test.each([
    [
      'base-url',
      'https://docs.example/api/',
      'https://docs.example/api',
      { baseUrl: 'https://docs.example/api' },
    ],
    ['org', 'org_1', 'org_1', { org: 'org_1' }],
    ['space', 'sp_1', 'sp_1', { space: 'sp_1' }],
    ['site', 'site_1', 'site_1', { site: 'site_1' }],
  ])('%s is stored in the profile', async (name, text, value, stored) => {
    const { io, configFile } = freshWorld();
    expect(await setSetting(io, readSettings(io, { profile: 'work' }), name, text)).toEqual({
      name,
      value,
      where: configFile,
      profile: 'work',
      changed: true,
    });
    expect(json(configFile)).toEqual({ version: 1, profile: 'work', profiles: { work: stored } });
    expect(getSetting(readSettings(io, {}), name)).toEqual({ value, source: 'profile', where: configFile });
  });

  test.each([
    ['output', 'json', 'json', { output: 'json' }],
    ['fields', 'id, title', ['id', 'title'], { fields: 'id,title' }],
    ['page-size', '200', 200, { pageSize: 200 }],
    ['pageSize', '200', 200, { pageSize: 200 }],
    ['timeout', '90', '90s', { timeout: '90s' }],
    ['timeout', '0', 'none', { timeout: 'none' }],
    ['journal', 'false', false, { journal: false }],
    ['journal', 'off', false, { journal: false }],
  ])('%s %s is stored for all profiles', async (name, text, value, settings) => {
    const { io, configFile } = freshWorld();
    await setSetting(io, readSettings(io, {}), name, text);
    expect(json(configFile)).toEqual({ version: 1, settings });
    expect(getSetting(readSettings(io, {}), name)).toEqual({ value, source: 'settings', where: configFile });
  });

  test('reports what overrides it', async () => {
    const { with: change } = freshWorld();
    const io = change({ env: { DOCS_ORG: 'org_env' } });
    expect(await setSetting(io, readSettings(io, {}), 'org', 'org_1')).toMatchObject({
      overriddenBy: { value: 'org_env', source: 'environment', where: 'DOCS_ORG' },
    });
  });

  test.each([
    ['output', 'xml', 'output: "xml" is not one of table, json, ndjson, yaml, csv, tsv, id'],
    ['page-size', '0', 'page-size: "0" is not a whole number from 1 to 1000'],
    ['journal', 'maybe', 'journal: "maybe" is not on or off'],
    ['org', '', 'org: "" is not an id'],
    ['timeout', '5x', expect.stringMatching(/^timeout: "5x" is not a duration; use 500ms, 30s/)],
  ])('%s %s is a usage error, and nothing is written', async (name, text, message) => {
    const { io, configDir } = freshWorld();
    const settings = readSettings(io, {});
    expect(await failureOf(() => setSetting(io, settings, name, text))).toMatchObject({
      exitCode: 2,
      message,
    });
    expect(existsSync(configDir)).toBe(false);
  });

  test('an unknown setting is a usage error that names the nearest', async () => {
    const { io } = freshWorld();
    const settings = readSettings(io, {});
    const failure = {
      exitCode: 2,
      code: 'unknown_setting',
      message: 'unknown setting "pagesize". Did you mean page-size?',
      hint: 'docs config list',
    };
    expect(await failureOf(() => getSetting(settings, 'pagesize'))).toMatchObject(failure);
    expect(await failureOf(() => setSetting(io, settings, 'pagesize', '5'))).toMatchObject(failure);
    expect(await failureOf(() => unsetSetting(io, settings, 'pagesize'))).toMatchObject(failure);
    expect(await failureOf(() => getSetting(settings, 'colour'))).toMatchObject({
      message:
        'unknown setting "colour"; expected one of base-url, org, space, site, output, fields, page-size, timeout, journal, pager, policy',
    });
  });

  test('in the sandbox, settings of profiles are refused and others are stored', async () => {
    const { io, configFile } = freshWorld();
    const settings = readSettings(io, {}, { baseUrl: 'http://127.0.0.1:4000' });
    expect(await failureOf(() => setSetting(io, settings, 'org', 'org_1'))).toMatchObject({
      exitCode: 2,
      code: 'sandbox_settings',
    });
    await setSetting(io, settings, 'output', 'json');
    expect(json(configFile)).toEqual({ version: 1, settings: { output: 'json' } });
  });
});

describe('unsetting', () => {
  test('removes the value and nothing else', async () => {
    const { io, write, configFile } = freshWorld();
    write(configFile, {
      profiles: { default: { org: 'o', space: 's' } },
      settings: { output: 'json', timeout: '5m' },
    });
    expect(await unsetSetting(io, readSettings(io, {}), 'org')).toEqual({
      name: 'org',
      value: null,
      where: configFile,
      profile: 'default',
      changed: true,
    });
    await unsetSetting(io, readSettings(io, {}), 'output');
    expect(json(configFile)).toEqual({
      version: 1,
      profiles: { default: { space: 's' } },
      settings: { timeout: '5m' },
    });
  });

  test('a missing value is not an error and creates no profile', async () => {
    const { io, configFile } = freshWorld();
    const settings = readSettings(io, { profile: 'work' });
    expect(await unsetSetting(io, settings, 'org')).toMatchObject({ value: null, changed: false });
    expect(existsSync(configFile)).toBe(false);
  });
});
