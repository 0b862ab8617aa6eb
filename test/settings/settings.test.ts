import { chmodSync, existsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSettings, unknownProfile } from '../../src/settings/settings.js';
import { failureOf, freshWorld, giveAway } from './world.js';

const stored = {
  version: 1,
  profile: 'work',
  profiles: {
    work: {
      baseUrl: 'https://docs.example/api/',
      org: 'org_profile',
      space: 'sp_profile',
      site: 'site_profile',
    },
    other: { baseUrl: 'https://other.example', org: 'org_other' },
  },
  settings: { output: 'yaml', fields: 'id,title', pageSize: 20, timeout: '5m', journal: false },
};

function furnished() {
  const world = freshWorld();
  world.write(world.configFile, stored);
  const projectFile = world.write(`${world.home}/project/.docs.json`, {
    org: 'org_project',
    space: 'sp_project',
    site: 'site_project',
    output: 'csv',
    fields: ['id', 'urls.app'],
    pageSize: 30,
    profile: 'other',
  });
  return { ...world, projectFile, inProject: `${world.home}/project` };
}

const environment = {
  DOCS_ORG: 'org_env',
  DOCS_SPACE: 'sp_env',
  DOCS_SITE: 'site_env',
  DOCS_PROFILE: 'env',
  DOCS_BASE_URL: 'https://env.example',
  DOCS_OUTPUT: 'id',
  DOCS_PAGE_SIZE: '40',
  DOCS_TIMEOUT: '30s',
};
const flags = {
  org: 'org_flag',
  space: 'sp_flag',
  site: 'site_flag',
  profile: 'flag',
  baseUrl: 'https://flag.example',
  output: 'json',
  fields: 'a,b.c',
  pageSize: '50',
  timeout: '10s',
};

describe('precedence', () => {
  test('nothing set: no file is created, and every value but the profile is absent', () => {
    const { io, configDir } = freshWorld();
    const { paths, ...settings } = readSettings(io, {});
    expect(settings).toEqual({
      profile: { value: 'default', source: 'default', where: 'built in' },
      profiles: [],
      policies: [],
      sandbox: false,
      warnings: [],
    });
    expect(existsSync(configDir)).toBe(false);
  });

  test('profile and settings file', () => {
    const { io, configFile } = furnished();
    expect(readSettings(io, {})).toMatchObject({
      profile: { value: 'work', source: 'settings', where: configFile },
      baseUrl: { value: 'https://docs.example/api', source: 'profile', where: configFile },
      org: { value: 'org_profile', source: 'profile', where: configFile },
      space: { value: 'sp_profile', source: 'profile', where: configFile },
      site: { value: 'site_profile', source: 'profile', where: configFile },
      output: { value: 'yaml', source: 'settings', where: configFile },
      fields: { value: ['id', 'title'], source: 'settings', where: configFile },
      pageSize: { value: 20, source: 'settings', where: configFile },
      timeoutMs: { value: 300_000, source: 'settings', where: configFile },
      journal: { value: false, source: 'settings', where: configFile },
      profiles: ['work', 'other'],
    });
  });

  test('the project file overrides both, but cannot set base URL or timeout', () => {
    const { with: change, inProject, projectFile, configFile } = furnished();
    expect(readSettings(change({ cwd: inProject }), {})).toMatchObject({
      projectFile,
      profile: { value: 'other', source: 'project file', where: projectFile },
      baseUrl: { value: 'https://other.example', source: 'profile', where: configFile },
      org: { value: 'org_project', source: 'project file', where: projectFile },
      space: { value: 'sp_project', source: 'project file', where: projectFile },
      site: { value: 'site_project', source: 'project file', where: projectFile },
      output: { value: 'csv', source: 'project file', where: projectFile },
      fields: { value: ['id', 'urls.app'], source: 'project file', where: projectFile },
      pageSize: { value: 30, source: 'project file', where: projectFile },
      timeoutMs: { value: 300_000, source: 'settings', where: configFile },
    });
  });

  test('the environment overrides the project file', () => {
    const { with: change, inProject } = furnished();
    expect(readSettings(change({ cwd: inProject, env: environment }), {})).toMatchObject({
      profile: { value: 'env', source: 'environment', where: 'DOCS_PROFILE' },
      baseUrl: { value: 'https://env.example', source: 'environment', where: 'DOCS_BASE_URL' },
      org: { value: 'org_env', source: 'environment', where: 'DOCS_ORG' },
      space: { value: 'sp_env', source: 'environment', where: 'DOCS_SPACE' },
      site: { value: 'site_env', source: 'environment', where: 'DOCS_SITE' },
      output: { value: 'id', source: 'environment', where: 'DOCS_OUTPUT' },
      pageSize: { value: 40, source: 'environment', where: 'DOCS_PAGE_SIZE' },
      timeoutMs: { value: 30_000, source: 'environment', where: 'DOCS_TIMEOUT' },
    });
  });

  test('flags override everything', () => {
    const { with: change, inProject } = furnished();
    expect(readSettings(change({ cwd: inProject, env: environment }), flags)).toMatchObject({
      profile: { value: 'flag', source: 'flag', where: '--profile' },
      baseUrl: { value: 'https://flag.example', source: 'flag', where: '--base-url' },
      org: { value: 'org_flag', source: 'flag', where: '--org' },
      space: { value: 'sp_flag', source: 'flag', where: '--space' },
      site: { value: 'site_flag', source: 'flag', where: '--site' },
      output: { value: 'json', source: 'flag', where: '--output' },
      fields: { value: ['a', 'b.c'], source: 'flag', where: '--fields' },
      pageSize: { value: 50, source: 'flag', where: '--page-size' },
      timeoutMs: { value: 10_000, source: 'flag', where: '--timeout' },
    });
  });

  test('an empty variable counts as unset', () => {
    const { with: change } = furnished();
    const empty = Object.fromEntries(Object.keys(environment).map((name) => [name, '']));
    expect(readSettings(change({ env: empty }), {})).toEqual(readSettings(change({}), {}));
  });
});

describe('with --sandbox', () => {
  const sandbox = { baseUrl: 'http://127.0.0.1:4000', org: 'org_sbx' };

  test('ignores ids of profile and project file, but not output settings', () => {
    const { with: change, inProject, projectFile } = furnished();
    const settings = readSettings(change({ cwd: inProject }), {}, sandbox);
    expect(settings).toMatchObject({
      profile: { value: 'sandbox', source: 'sandbox', where: '--sandbox' },
      baseUrl: { value: 'http://127.0.0.1:4000', source: 'sandbox', where: '--sandbox' },
      org: { value: 'org_sbx', source: 'sandbox', where: '--sandbox' },
      output: { value: 'csv', source: 'project file', where: projectFile },
      sandbox: true,
    });
    expect(settings).not.toHaveProperty('space');
    expect(settings).not.toHaveProperty('site');
    expect(settings).not.toHaveProperty('stored');
  });

  test('a flag goes before the sandbox; variables name ids of the real platform and do not count', () => {
    const { with: change } = furnished();
    const io = change({ env: environment });
    const settings = readSettings(io, {}, sandbox);
    expect(settings).toMatchObject({
      baseUrl: { value: 'http://127.0.0.1:4000' },
      org: { value: 'org_sbx', source: 'sandbox' },
      output: { value: 'id', source: 'environment', where: 'DOCS_OUTPUT' },
    });
    expect(settings).not.toHaveProperty('space');
    expect(readSettings(io, { org: 'org_flag' }, sandbox).org).toMatchObject({ value: 'org_flag' });
  });

  test('--base-url with --sandbox is a usage error', async () => {
    const { io } = furnished();
    expect(await failureOf(() => readSettings(io, { baseUrl: 'https://x.example' }, sandbox))).toMatchObject({
      exitCode: 2,
      code: 'conflicting_flags',
    });
  });
});

describe('an invalid value', () => {
  test.each([
    [{ pageSize: '0' }, '--page-size: "0" is not a whole number from 1 to 1000'],
    [{ pageSize: '1001' }, '--page-size: "1001" is not a whole number from 1 to 1000'],
    [{ pageSize: '1.5' }, '--page-size: "1.5" is not a whole number from 1 to 1000'],
    [{ output: 'xml' }, '--output: "xml" is not one of table, json, ndjson, yaml, csv, tsv, id'],
    [{ fields: 'a,,b' }, '--fields: "a,,b" is not a list of fields, such as a,b.c'],
    [{ org: ' ' }, '--org: " " is not an id'],
    [{ timeout: 'soon' }, expect.stringMatching(/^--timeout: "soon" is not a duration; use /)],
    [{ profile: '../x' }, expect.stringMatching(/^--profile: invalid profile name "..\/x": use /)],
  ])('of a flag is a usage error: %o', async (given, message) => {
    const { io } = freshWorld();
    expect(await failureOf(() => readSettings(io, given))).toMatchObject({ exitCode: 2, message });
  });

  test('of a variable is a configuration error that names it', async () => {
    const { with: change } = freshWorld();
    const io = change({ env: { DOCS_PAGE_SIZE: 'many' } });
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject({
      exitCode: 14,
      message: 'DOCS_PAGE_SIZE: "many" is not a whole number from 1 to 1000',
    });
  });

  test('of the settings file is a configuration error that names key and file', async () => {
    const { io, write, configFile } = freshWorld();
    write(configFile, { settings: { pageSize: 5000 } });
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject({
      exitCode: 14,
      message: `"pageSize" in ${configFile}: 5000 is not a whole number from 1 to 1000`,
    });
  });

  test('a base URL without https is refused from every source', async () => {
    const { io, with: change, write, configFile } = freshWorld();
    expect(await failureOf(() => readSettings(io, { baseUrl: 'http://docs.example' }))).toMatchObject({
      exitCode: 14,
    });
    const env = { DOCS_BASE_URL: 'ftp://docs.example' };
    expect(await failureOf(() => readSettings(change({ env }), {}))).toMatchObject({ exitCode: 14 });
    write(configFile, { profiles: { default: { baseUrl: 'http://127.0.0.1@evil.example' } } });
    expect(await failureOf(() => readSettings(io, {}))).toMatchObject({ exitCode: 14 });
  });
});

describe('an unknown profile', () => {
  test('is accepted, since signing in creates it; the error is available', () => {
    const { io, with: change } = furnished();
    expect(unknownProfile(readSettings(io, {}))).toBeUndefined();
    expect(unknownProfile(readSettings(io, { profile: 'wrok' }))?.toJSON()).toMatchObject({
      exitCode: 2,
      code: 'unknown_profile',
      message: 'unknown profile "wrok". Did you mean "work"? Known profiles: work, other.',
      hint: 'docs auth list',
    });
    expect(unknownProfile(readSettings(change({ env: { DOCS_PROFILE: 'ci' } }), {}))?.toJSON()).toMatchObject(
      {
        exitCode: 14,
        message: 'unknown profile "ci" (from DOCS_PROFILE). Known profiles: work, other.',
      },
    );
    expect(unknownProfile(readSettings(freshWorld().io, {}))).toBeUndefined();
  });

  test('a property of Object is not a profile', () => {
    const { io } = furnished();
    expect(readSettings(io, { profile: 'constructor' })).not.toHaveProperty('stored');
  });
});

describe('permissions', () => {
  test('restricts files that other users can read, with one warning, once', () => {
    const { io, write, configDir, configFile, credentialsFile } = freshWorld();
    write(configFile, {});
    write(credentialsFile, {});
    chmodSync(configDir, 0o755);
    chmodSync(configFile, 0o644);
    chmodSync(credentialsFile, 0o640);
    expect(readSettings(io, {}).warnings).toEqual([
      `Other users could read ${configDir} and ${configFile} and ${credentialsFile}; now only you can.`,
    ]);
    const modes = [configDir, configFile, credentialsFile].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    expect(readSettings(io, {}).warnings).toEqual([]);
  });

  test.each(['configFile', 'credentialsFile'] as const)("another user's %s is refused", async (which) => {
    const world = freshWorld();
    giveAway(world.write(world[which], {}));
    expect(await failureOf(() => readSettings(world.io, {}))).toMatchObject({
      exitCode: 14,
      code: 'foreign_settings',
      message: `${world[which]} belongs to another user; it was not read`,
      hint: `sudo chown "$(id -u)" ${world[which]}`,
    });
  });
});
