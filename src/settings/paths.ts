import { dirname, isAbsolute, posix, win32 } from 'node:path';
import { notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';

/** Where docs keeps its files. The folders may not exist yet. */
export interface Paths {
  /** Settings and, if the keychain is unavailable, credentials. */
  configDir: string;
  /** The sandbox's state. */
  dataDir: string;
  cacheDir: string;
  /** Journals. */
  stateDir: string;
  configFile: string;
  credentialsFile: string;
  /** The lock that a writer of either file holds. */
  lockFile: string;
}

type World = Pick<Io, 'env' | 'platform'>;

export const projectFileName = '.docs.json';

/** The variable that names the file of a rehearsal; its folder is the rehearsal's own. */
export const rehearsalVariable = 'DOCS_REHEARSAL';

/** The folder of the rehearsal that this process runs in (rehearsal.ts); undefined outside of one. */
export function rehearsalFolder({ env }: Pick<Io, 'env'>): string | undefined {
  const path = env[rehearsalVariable];
  return path === undefined || path === '' || !isAbsolute(path) ? undefined : dirname(path);
}

/**
 * The folders: by XDG on Linux and macOS, by APPDATA and LOCALAPPDATA on Windows. Relative values of the
 * variables are ignored, as the XDG specification demands.
 * @throws DocsError configuration `no_home` if neither environment nor system names a home directory
 */
export function settingsPaths(io: World): Paths {
  const isWindows = io.platform === 'win32';
  const folders = isWindows ? windowsFolders(io) : xdgFolders(io);
  const join = isWindows ? win32.join : below;
  return {
    ...folders,
    stateDir: stateFolder(io),
    configFile: join(folders.configDir, 'config.json'),
    credentialsFile: join(folders.configDir, 'credentials.json'),
    lockFile: join(folders.configDir, 'settings.lock'),
  };
}

/** The folder of journals and the audit chain alone, which a change asks for more than ten times. @throws as `settingsPaths` */
export function stateFolder(io: World): string {
  const { join } = io.platform === 'win32' ? win32 : posix;
  const rehearsed = rehearsalFolder(io);
  // A rehearsal has journals, budgets and an audit chain of its own.
  if (rehearsed !== undefined) return join(rehearsed, 'state');
  return io.platform === 'win32'
    ? join(windowsFolder(io, 'LOCALAPPDATA', 'Local'), 'state')
    : xdgFolder(io, 'XDG_STATE_HOME', '.local/state');
}

/**
 * Where the administrator of a machine puts a policy for all who use it. On Windows the folder's variable can be set
 * by whoever runs docs, so the usual folder counts as well.
 */
export function systemPolicies({
  platform,
  env,
  systemPolicies: given,
}: World & Pick<Io, 'systemPolicies'>): readonly string[] {
  if (given !== undefined) return given;
  if (platform !== 'win32') return ['/etc/docs/policy.yaml'];
  const named = env.ProgramData ?? env.PROGRAMDATA;
  const folders = ['C:\\ProgramData', ...(named !== undefined && win32.isAbsolute(named) ? [named] : [])];
  return [...new Set(folders.map((folder) => win32.join(folder, 'docs', 'policy.yaml')))];
}

/** The home directory: HOME (on Windows USERPROFILE), otherwise what the system reports. */
export function homeFolder(io: World): string {
  const named = absolute(io, io.platform === 'win32' ? 'USERPROFILE' : 'HOME');
  if (named !== undefined) return named;
  try {
    // Loaded here: most starts do without it.
    const known = process.getBuiltinModule('node:os').homedir();
    if (known !== '') return known;
  } catch {
    // The system has no entry for this user.
  }
  const message = 'home directory not found: HOME is not set to an absolute path';
  throw notSent('configuration', 'no_home', message, { hint: 'export HOME="$(pwd)"' });
}

function xdgFolders(io: World) {
  return {
    configDir: xdgFolder(io, 'XDG_CONFIG_HOME', '.config'),
    dataDir: xdgFolder(io, 'XDG_DATA_HOME', '.local/share'),
    cacheDir: xdgFolder(io, 'XDG_CACHE_HOME', '.cache'),
  };
}

function xdgFolder(io: World, variable: string, usual: string): string {
  const named = absolute(io, variable);
  return named === undefined
    ? below(normalOf(homeFolder(io)), `${usual}/docs`)
    : below(normalOf(named), 'docs');
}

/** The last folder that was normalized: a change asks for its state folder more than ten times. */
let last = { path: '', normal: '' };

function normalOf(path: string): string {
  if (last.path !== path) last = { path, normal: posix.normalize(path) };
  return last.normal;
}

/** A path below a folder that is in its normal form: `join` would go through both again, character by character. */
function below(folder: string, path: string): string {
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
}

function windowsFolders(io: World) {
  const local = windowsFolder(io, 'LOCALAPPDATA', 'Local');
  return {
    configDir: windowsFolder(io, 'APPDATA', 'Roaming'),
    dataDir: win32.join(local, 'data'),
    cacheDir: win32.join(local, 'cache'),
  };
}

function windowsFolder(io: World, variable: string, usual: string): string {
  return win32.join(absolute(io, variable) ?? win32.join(homeFolder(io), 'AppData', usual), 'docs');
}

function absolute(io: World, variable: string): string | undefined {
  const value = io.env[variable];
  const { isAbsolute } = io.platform === 'win32' ? win32 : posix;
  return value !== undefined && isAbsolute(value) ? value : undefined;
}
