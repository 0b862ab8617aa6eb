import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';

/** Where the product keeps its files. The folders may not exist yet. */
export interface Paths {
  /** Settings and, where no keychain works, credentials. */
  configDir: string;
  /** What is worth keeping: the sandbox's state. */
  dataDir: string;
  /** What can be made again. */
  cacheDir: string;
  /** What is worth keeping for a while: journals. */
  stateDir: string;
  configFile: string;
  credentialsFile: string;
  /** The lock that a writer of either file holds. */
  lockFile: string;
}

type World = Pick<Io, 'env' | 'platform'>;

/**
 * The folders by the XDG rules on Linux and macOS, by APPDATA and LOCALAPPDATA on Windows. As the XDG
 * specification asks, a relative value of a variable is ignored.
 * @throws DocsError configuration `no_home` where neither environment nor system names a home folder
 */
export function settingsPaths(io: World): Paths {
  const folders = io.platform === 'win32' ? windowsFolders(io) : xdgFolders(io);
  const { join } = io.platform === 'win32' ? win32 : posix;
  return {
    ...folders,
    configFile: join(folders.configDir, 'config.json'),
    credentialsFile: join(folders.configDir, 'credentials.json'),
    lockFile: join(folders.configDir, 'settings.lock'),
  };
}

/** The home folder: HOME (on Windows USERPROFILE), else what the system says. */
export function homeFolder(io: World): string {
  const named = absolute(io, io.platform === 'win32' ? 'USERPROFILE' : 'HOME');
  if (named !== undefined) return named;
  try {
    const known = homedir();
    if (known !== '') return known;
  } catch {
    // No entry for this user: falls through to the error below.
  }
  throw new DocsError(
    'configuration',
    'no_home',
    'There is no home folder: HOME is not set to an absolute path.',
    {
      outcome: 'not-sent',
      hint: 'export HOME="$(pwd)"',
    },
  );
}

function xdgFolders(io: World) {
  const folder = (variable: string, ...usual: string[]): string =>
    posix.join(absolute(io, variable) ?? posix.join(homeFolder(io), ...usual), 'docs');
  return {
    configDir: folder('XDG_CONFIG_HOME', '.config'),
    dataDir: folder('XDG_DATA_HOME', '.local', 'share'),
    cacheDir: folder('XDG_CACHE_HOME', '.cache'),
    stateDir: folder('XDG_STATE_HOME', '.local', 'state'),
  };
}

function windowsFolders(io: World) {
  const folder = (variable: string, usual: string): string =>
    win32.join(absolute(io, variable) ?? win32.join(homeFolder(io), 'AppData', usual), 'docs');
  const local = folder('LOCALAPPDATA', 'Local');
  return {
    configDir: folder('APPDATA', 'Roaming'),
    dataDir: win32.join(local, 'data'),
    cacheDir: win32.join(local, 'cache'),
    stateDir: win32.join(local, 'state'),
  };
}

function absolute(io: World, variable: string): string | undefined {
  const value = io.env[variable];
  const { isAbsolute } = io.platform === 'win32' ? win32 : posix;
  return value !== undefined && isAbsolute(value) ? value : undefined;
}
