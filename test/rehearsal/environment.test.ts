import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { refuseOutside } from '../../src/cli/run/rehearsal.js';
import type { RunningCopy } from '../../src/copy/copy.js';
import { commandEnvironment, scriptEnvironment } from '../../src/rehearsal/stage.js';
import type { Rehearsal } from '../../src/settings/rehearsal.js';
import { readSettings } from '../../src/settings/settings.js';
import { fakeIo } from '../fake-io.js';

/** What a rehearsed program finds in its environment: all that leads to the copy, and nothing that leads past it. */

const running: RunningCopy = {
  url: 'http://127.0.0.1:41234',
  token: 'sbx_copy',
  organization: { id: 'o1', title: 'Acme' },
  requests: () => [],
  look: async () => undefined,
  reads: () => [],
  gaps: () => [],
  close: async () => {},
};

/** The environment of a command that is rehearsed where these variables are set. */
const within = (env: Record<string, string>) => commandEnvironment(fakeIo({ env }), '/rehearsal', running);

describe('a rehearsed command', () => {
  test('is on the copy, whatever platform and profile are set around it', () => {
    const env = within({
      DOCS_BASE_URL: 'https://docs.example',
      DOCS_TOKEN: 'real',
      DOCS_ORG: 'real',
      DOCS_PROFILE: 'work',
      LANG: 'C.UTF-8',
    });
    expect(env).toMatchObject({ DOCS_BASE_URL: running.url, DOCS_TOKEN: running.token, DOCS_ORG: 'o1' });
    expect(env).toMatchObject({ DOCS_REHEARSAL: '/rehearsal/rehearsal.json', LANG: 'C.UTF-8' });
    expect(env).not.toHaveProperty('DOCS_PROFILE');
  });

  test.each([
    [{}, '127.0.0.1'],
    [{ NO_PROXY: 'intern.example' }, 'intern.example,127.0.0.1'],
    [{ no_proxy: 'intern.example' }, 'intern.example,127.0.0.1'],
  ])('reaches the copy past a proxy: %j', (env, expected) => {
    const proxied = within({ HTTP_PROXY: 'http://proxy.example:3128', ...env });
    expect(proxied).toMatchObject({
      HTTP_PROXY: 'http://proxy.example:3128',
      NO_PROXY: expected,
      no_proxy: expected,
    });
  });

  test('finds the docs of the rehearsal first', () => {
    expect(within({ PATH: '/usr/bin' }).PATH).toBe('/rehearsal/bin:/usr/bin');
  });
});

test('a rehearsed script has a home of its own, and no way to the settings of the person', () => {
  const home = '/home/ada';
  const own = { HOME: home, XDG_CONFIG_HOME: `${home}/c`, XDG_STATE_HOME: `${home}/s`, XDG_DATA_HOME: home };
  const env = scriptEnvironment(within(own), '/rehearsal', { platform: 'linux' });
  expect(env.HOME).toBe('/rehearsal/home');
  expect(Object.values(env).filter((value) => value?.startsWith(home))).toEqual([]);
  const profile = {
    USERPROFILE: 'C:\\Users\\Ada',
    APPDATA: 'C:\\Users\\Ada\\a',
    LOCALAPPDATA: 'C:\\Users\\Ada\\l',
  };
  const onWindows = scriptEnvironment(within(profile), '/rehearsal', { platform: 'win32' });
  expect(Object.values(onWindows).filter((value) => value?.includes('Ada'))).toEqual([]);
});

/** In a rehearsal nothing but the copy is reached, whoever names another address. */

const copy: Rehearsal = {
  ...{ version: 1, url: 'http://127.0.0.1:4000', token: 'sbx_x', origin: 'https://real.example' },
  ...{ profile: 'work', organization: { id: 'o1', title: 'Acme' } },
};

function settingsWith(address: string) {
  const home = mkdtempSync(join(tmpdir(), 'docs-rehearsed-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return readSettings(fakeIo({ env: { HOME: home, DOCS_BASE_URL: address } }), {});
}

it('takes the address of the copy, from a variable and from a flag', () => {
  const settings = settingsWith(copy.url);
  expect(() => refuseOutside(copy, settings, {})).not.toThrow();
  expect(() => refuseOutside(copy, settings, { baseUrl: copy.url, profile: 'work' })).not.toThrow();
});

it.each(['https://docs.example', 'http://127.0.0.1:4001'])('refuses %s', (address) => {
  const refused = expect.objectContaining({ code: 'outside_rehearsal', exitCode: 14 });
  expect(() => refuseOutside(copy, settingsWith(address), {})).toThrow(refused);
  const flagged = expect.objectContaining({ code: 'outside_rehearsal', exitCode: 2 });
  const settings = settingsWith(copy.url);
  expect(() => refuseOutside(copy, settings, { baseUrl: address })).toThrow(flagged);
});
