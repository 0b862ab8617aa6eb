import os from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { settingsPaths } from '../../src/settings/paths.js';

describe('folders', () => {
  test.each(['linux', 'darwin'] as const)('on %s, below the home directory', (platform) => {
    expect(settingsPaths({ platform, env: { HOME: '/home/ada' } })).toEqual({
      configDir: '/home/ada/.config/docs',
      dataDir: '/home/ada/.local/share/docs',
      cacheDir: '/home/ada/.cache/docs',
      stateDir: '/home/ada/.local/state/docs',
      configFile: '/home/ada/.config/docs/config.json',
      credentialsFile: '/home/ada/.config/docs/credentials.json',
      lockFile: '/home/ada/.config/docs/settings.lock',
    });
  });

  test('the XDG variables move them, without HOME', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/k', XDG_STATE_HOME: '/s' };
    expect(settingsPaths({ platform: 'linux', env })).toMatchObject({
      configDir: '/c/docs',
      dataDir: '/d/docs',
      cacheDir: '/k/docs',
      stateDir: '/s/docs',
    });
  });

  test.each(['', 'relative', './x'])('an XDG variable of %o is ignored', (value) => {
    const env = { HOME: '/home/ada', XDG_CONFIG_HOME: value };
    expect(settingsPaths({ platform: 'linux', env }).configDir).toBe('/home/ada/.config/docs');
  });

  test('on Windows, APPDATA and LOCALAPPDATA', () => {
    const env = { APPDATA: 'C:\\Users\\ada\\Roam', LOCALAPPDATA: 'C:\\Users\\ada\\Loc', HOME: '/home/ada' };
    expect(settingsPaths({ platform: 'win32', env })).toMatchObject({
      configDir: 'C:\\Users\\ada\\Roam\\docs',
      dataDir: 'C:\\Users\\ada\\Loc\\docs\\data',
      cacheDir: 'C:\\Users\\ada\\Loc\\docs\\cache',
      stateDir: 'C:\\Users\\ada\\Loc\\docs\\state',
      credentialsFile: 'C:\\Users\\ada\\Roam\\docs\\credentials.json',
    });
    expect(settingsPaths({ platform: 'win32', env: { USERPROFILE: 'C:\\Users\\ada' } })).toMatchObject({
      configDir: 'C:\\Users\\ada\\AppData\\Roaming\\docs',
      dataDir: 'C:\\Users\\ada\\AppData\\Local\\docs\\data',
    });
  });

  test('without HOME, the home directory of the system', () => {
    expect(settingsPaths({ platform: 'linux', env: {} }).configDir).toMatch(/^\/.+\/\.config\/docs$/);
  });

  test('where neither HOME nor the system names a home directory, there are none', () => {
    const homedir = vi.spyOn(os, 'homedir').mockReturnValue('');
    try {
      expect(() => settingsPaths({ platform: 'linux', env: {} })).toThrow('home directory not found');
    } finally {
      homedir.mockRestore();
    }
  });
});
