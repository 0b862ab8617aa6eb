import fs, { type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { DocsError, notSent, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { didYouMean, nearest } from '../base/nearest.js';
import { editCommand, ownCommand, shellWord } from '../base/shell-word.js';
import { defined } from '../base/values.js';
import { parsers, type SettingProperty, type valueSources } from './keys.js';
import { protectOwnFiles, readJsonFile, statsOf } from './own-files.js';
import {
  homeFolder,
  type Paths,
  projectFileName,
  rehearsalVariable,
  settingsPaths,
  systemPolicies,
} from './paths.js';
import { type Rehearsal, readRehearsal } from './rehearsal.js';
import { settingKeys } from './setting-keys.js';
import {
  checkProfileName,
  type ProfileValues,
  readSettingsFile,
  type SettingsFile,
  type StoredProfile,
} from './settings-file.js';

/** The keys allowed in a project file; any other key makes it untrusted. */
const allowed = ['org', 'space', 'site', 'output', 'fields', 'pageSize', 'profile'] as const;
type ProjectKey = (typeof allowed)[number];

/** A project file, parsed: the types of its values are checked, nothing else. */
interface ProjectFile {
  path: string;
  values: Readonly<ProjectValues>;
}

type ProjectValue = string | number | readonly string[];
type ProjectValues = Partial<Record<ProjectKey, ProjectValue>>;

/**
 * Finds and reads `.docs.json` in the working folder or the nearest one above it (RELIABILITY.md,
 * "Secrets and origins").
 *
 * The search ends at the home directory if the working folder is inside it, otherwise at the root. File
 * and folder must belong to the current user, to root or, under sudo, to the caller; this applies to root
 * too. A file of another user is refused, not skipped: the command would otherwise act on another
 * organization than its author meant. In a world-writable folder, such as /tmp, it is skipped: there
 * anyone could make every command fail.
 * @throws DocsError configuration `untrusted_project_file` (a key beyond those, a foreign owner),
 *   `invalid_project_file`; local-io `cannot_read_settings`
 */
export function readProjectFile(io: Io): ProjectFile | undefined {
  for (const folder of foldersAbove(io)) {
    const path = `${folder}${folder.endsWith(sep) ? '' : sep}${projectFileName}`;
    const link = statsOf(io, path, fs.lstatSync);
    if (link !== undefined && isTrusted(io, folder, path, link)) return { path, values: valuesOf(io, path) };
  }
  return undefined;
}

function foldersAbove(io: Io): string[] {
  const folders = [resolve(io.cwd)];
  const home = homeOf(io);
  for (;;) {
    const folder = folders.at(-1) ?? '';
    const above = dirname(folder);
    if (above === folder || isSame(home, folder)) return folders;
    folders.push(above);
  }
}

/** On Windows, whatever their case. Neither has a slash at its end. */
function isSame(home: string | undefined, folder: string): boolean {
  if (home === undefined || process.platform !== 'win32') return home === folder;
  return relative(home, folder) === '';
}

function homeOf(io: Io): string | undefined {
  try {
    return fs.realpathSync.native(homeFolder(io));
  } catch {
    return undefined;
  }
}

function isTrusted(io: Io, folder: string, path: string, link: Stats): boolean {
  const uid = process.getuid?.();
  const around = statsOf(io, folder, fs.statSync);
  if (uid === undefined || around === undefined) return true;
  const caller = uid === 0 && io.env.SUDO_UID ? [Number(io.env.SUDO_UID)] : [];
  const target = link.isSymbolicLink() ? statsOf(io, path, fs.statSync) : link;
  const owners = [around, link, ...(target === undefined ? [] : [target])].map((stats) => stats.uid);
  if (owners.every((owner) => owner === 0 || owner === uid || caller.includes(owner))) return true;
  if ((around.mode & 0o002) !== 0) return false;
  const message = `${path} or its folder belongs to another user; nothing was sent`;
  const hint = ownCommand([folder, path], io.platform);
  throw notSent('configuration', 'untrusted_project_file', message, { hint, details: { file: path } });
}

function valuesOf(io: Io, path: string): ProjectFile['values'] {
  const value = readJsonFile(io, path, { largestKb: 64, invalid: (what) => invalid(io, path, what) });
  if (value === undefined) throw invalid(io, path, 'is a dangling symbolic link');
  const other = Object.keys(value).find((key) => !(allowed as readonly string[]).includes(key));
  if (other !== undefined) throw untrusted(io, path, other);
  const values: ProjectValues = {};
  for (const key of allowed) {
    if (!Object.hasOwn(value, key)) continue;
    const found = value[key];
    if (!isOfType(key, found)) throw invalid(io, path, `has a value of the wrong type for "${key}"`);
    values[key] = found;
  }
  return values;
}

function isOfType(key: ProjectKey, value: unknown): value is ProjectValue {
  if (typeof value === 'string') return value !== '';
  if (key === 'pageSize') return typeof value === 'number';
  return key === 'fields' && Array.isArray(value) && value.every((field) => typeof field === 'string');
}

/** A key of an untrusted file, safe to print. */
function printable(key: string): string {
  const short = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/g, escaped);
}

function untrusted(io: Io, path: string, key: string): DocsError {
  const message = `${path} may not set ${printable(key)}, only ${allowed.join(', ')}; nothing was sent`;
  return notSent('configuration', 'untrusted_project_file', message, {
    hint: editCommand(path, io.platform),
    details: { file: path, key, allowed: [...allowed] },
  });
}

function invalid(io: Io, path: string, what: string): DocsError {
  return notSent('configuration', 'invalid_project_file', `${path} ${what}; nothing was sent`, {
    hint: editCommand(path, io.platform),
    details: { file: path },
  });
}

export type { Resolved, SandboxContext, SettingsOverrides };

/** Everything a run takes from flags, environment and files. An absent value is set nowhere. */
export interface Settings {
  paths: Paths;
  profile: Resolved<string>;
  baseUrl?: Resolved<string>;
  org?: Resolved<string>;
  space?: Resolved<string>;
  site?: Resolved<string>;
  output?: Resolved<string>;
  fields?: Resolved<string[]>;
  pageSize?: Resolved<number>;
  timeoutMs?: Resolved<number | 'none'>;
  journal?: Resolved<boolean>;
  /** The pager of the variable or the settings file; `off` for none. */
  pager?: Resolved<string>;
  /** The policy of the first source that names one; `policies` has those of all, and all hold. */
  policy?: Resolved<string>;
  policies: readonly Resolved<string>[];
  /** Paths of the policies of all profiles, where one has a policy. */
  profilePolicies?: readonly string[];
  /** Path of the project file. */
  projectFile?: string;
  /** The profile in the settings file; absent for an unknown profile and in the sandbox. */
  stored?: StoredProfile;
  /** Names of the profiles in the settings file. */
  profiles: readonly string[];
  sandbox: boolean;
  /** The rehearsal that this runs in. */
  rehearsal?: Rehearsal;
  /** Sentences to print to stderr once. */
  warnings: string[];
}

/**
 * Resolves every setting from flags, environment, project file and settings file. (command-tree.md,
 * "Grammar"; RELIABILITY.md, "Secrets and origins")
 *
 * Order: flag, environment, project file, then profile or settings. In the sandbox ids come from flag or
 * sandbox only, since the others name those of the real platform. Reads two
 * small files and writes nothing but stricter permissions. An unknown profile passes, since signing in
 * creates it: see `unknownProfile`.
 * @throws DocsError usage for a flag, configuration for a variable or file, each naming the source
 */
export function readSettings(io: Io, overrides: SettingsOverrides, sandbox?: SandboxContext): Settings {
  const paths = settingsPaths(io);
  const warnings = protectOwnFiles(io, paths);
  const file = readSettingsFile(io, paths);
  const project = readProjectFile(io);
  const rehearsal = readRehearsal(io);
  const profile =
    sandbox === undefined
      ? (profileIn(rehearsal) ?? profileOf(io, paths, overrides, project, file))
      : sandboxProfile;
  const known = sandbox === undefined ? file.profiles.get(profile.value) : undefined;
  const stored = rehearsal === undefined ? known : inCopy(rehearsal, known);
  const candidates = candidatesOf({ io, paths, overrides, sandbox, file, project, stored });
  const value = <T>(property: SettingProperty, parse: (from: unknown, where: string) => T) =>
    pick(property, candidates(property), parse);
  return defined({
    paths,
    profile,
    baseUrl: value('baseUrl', parsers.baseUrl),
    org: value('org', parsers.org),
    space: value('space', parsers.space),
    site: value('site', parsers.site),
    output: value('output', (from) => ownFormat(overrides, from) ?? parsers.output(from)),
    fields: value('fields', parsers.fields),
    pageSize: value('pageSize', parsers.pageSize),
    timeoutMs: value('timeout', parsers.timeout),
    journal: value('journal', parsers.journal),
    pager: value('pager', parsers.pager),
    policy: value('policy', policyParser(io, paths)),
    policies: policiesOf({ io, paths, overrides, file, project }),
    profilePolicies: policiesIn(file, paths),
    projectFile: project?.path,
    stored,
    profiles: [...file.profiles.keys()],
    sandbox: sandbox !== undefined,
    rehearsal,
    warnings,
  });
}

/** The value of the flag, where it is a format that the command has beside the usual ones. */
function ownFormat({ output, formats = [] }: SettingsOverrides, from: unknown): string | undefined {
  return from === output ? formats.find((format) => format === from) : undefined;
}

/**
 * The error for a missing base URL or token if the requested profile does not exist: exit 2 for a flag,
 * otherwise 14.
 * @returns undefined if the profile exists or none was requested
 */
export function unknownProfile(settings: Settings): DocsError | undefined {
  const { profile, profiles } = settings;
  if (settings.sandbox || profile.source === 'default' || profiles.includes(profile.value)) return undefined;
  return noSuchProfile(profile.value, profiles, profile);
}

/** The error for a command that needs the platform and does not know which, or has no token for it. */
export function signedOut(settings: Settings): DocsError {
  const message = 'you are not signed in. Sign in, or add --sandbox to try it on the embedded platform.';
  const hint = 'docs auth login';
  return unknownProfile(settings) ?? notSent('unauthenticated', 'signed_out', message, { hint });
}

/** The error for a profile that does not exist; lists those that do. */
export function noSuchProfile(
  name: string,
  known: readonly string[],
  from?: Pick<Resolved<string>, 'source' | 'where'>,
): DocsError {
  const meant = nearest(name, known);
  const suggestion = didYouMean(meant && JSON.stringify(meant)) || '.';
  const others = known.length === 0 ? 'No profile exists yet.' : `Known profiles: ${known.join(', ')}.`;
  const place = from === undefined || from.source === 'flag' ? '' : ` (from ${from.where})`;
  const kind = place === '' ? 'usage' : 'configuration';
  const message = `unknown profile ${JSON.stringify(name)}${place}${suggestion} ${others}`;
  const hint = known.length === 0 ? 'docs auth login' : 'docs auth list';
  return notSent(kind, 'unknown_profile', message, { hint, details: { profile: name, known: [...known] } });
}

/**
 * The policies that flag, variable and profile name. Those of the profile hold with `--sandbox`, too: a command may
 * write on this machine. Where a project's file chooses the profile, that of the profile that it replaces holds as well:
 * a repository decides nothing about what guards its readers.
 * @throws DocsError usage or configuration `invalid_setting`
 */
export function policiesOf({
  io,
  paths,
  overrides,
  file,
  project,
}: Pick<Sources, 'io' | 'paths' | 'overrides' | 'project'> & { file?: SettingsFile }): Resolved<string>[] {
  const candidates: Candidate[] = [
    { value: overrides.policy, source: 'flag', where: '--policy' },
    { value: variable(io, 'DOCS_POLICY'), source: 'environment', where: 'DOCS_POLICY' },
  ];
  const named = [...(file?.profiles.values() ?? [])].some(({ policy }) => policy !== undefined);
  if (file !== undefined && named) {
    const chosen = [project, undefined].map((one) => profileOf(io, paths, overrides, one, file).value);
    for (const profile of new Set(chosen))
      candidates.push({
        value: file.profiles.get(profile)?.policy,
        source: 'profile',
        where: paths.configFile,
      });
  }
  const given = candidates.filter(({ value }) => value !== undefined);
  const parse = policyParser(io, paths);
  return given.map((one) => pick('policy', [one], parse)).filter((policy) => policy !== undefined);
}

function policiesIn({ profiles }: SettingsFile, { configDir }: Paths): string[] | undefined {
  const named = [...profiles.values()].map(({ policy }) => policy).filter((path) => path !== undefined);
  return named.length === 0 ? undefined : named.map((path) => resolve(configDir, path));
}

/** A relative path in the settings file is relative to that file: it means one file wherever docs runs. */
function policyParser({ cwd, platform }: Io, { configDir, configFile }: Paths) {
  return (value: unknown, where: string) => {
    const path = parsers.policy(value, where === configFile ? configDir : cwd);
    if (where === 'DOCS_POLICY' && !isAbsolute(String(value)))
      throw relativePolicy(String(value), path, platform);
    return path;
  };
}

/** A variable outlives a change of folder, in which its relative path is another file: one that a clone brings. */
function relativePolicy(typed: string, path: string, platform: NodeJS.Platform): DocsError {
  const set = platform === 'win32' ? 'set' : 'export';
  const hint = `${set} DOCS_POLICY=${shellWord(path, platform)}`;
  const message = `${typed} is a relative path, which names another file in each directory; nothing was run`;
  return notSent('configuration', 'policy_relative', message, { hint, details: { file: path } });
}

const sandboxProfile: Resolved<string> = { value: 'sandbox', source: 'sandbox', where: '--sandbox' };
const defaultProfile: Resolved<string> = { value: 'default', source: 'default', where: 'built in' };

/** A rehearsal holds the settings of the profile that it was started with. */
function profileIn(rehearsal: Rehearsal | undefined): Resolved<string> | undefined {
  if (rehearsal === undefined) return undefined;
  return { value: rehearsal.profile, source: 'environment', where: rehearsalVariable };
}

/** A profile as it is in a rehearsal: its credential is not, since the copy has a token of its own. */
function inCopy({ space, site, url }: Rehearsal, stored: StoredProfile | undefined): StoredProfile {
  const { credential: _, ...values } = stored ?? {};
  return defined({ ...values, baseUrl: url, space: space ?? values.space, site: site ?? values.site });
}

function profileOf(
  io: Io,
  paths: Paths,
  overrides: SettingsOverrides,
  project: ProjectFile | undefined,
  file: SettingsFile,
): Resolved<string> {
  const { bound } = io;
  const usual: Candidate[] = [
    { value: variable(io, 'DOCS_PROFILE'), source: 'environment', where: 'DOCS_PROFILE' },
    { value: project?.values.profile, source: 'project file', where: project?.path ?? '' },
    { value: file.profile, source: 'settings', where: paths.configFile },
  ];
  const candidates: Candidate[] = [
    { value: overrides.profile, source: 'flag', where: '--profile' },
    ...(bound === undefined
      ? usual
      : [{ value: bound.profile, source: 'settings', where: 'docs mcp serve' } as const]),
  ];
  const given = candidates.filter((candidate) => candidate.value !== undefined);
  return pick('profile', given, checkProfileName) ?? defaultProfile;
}

/** Where the value of a setting can come from, and which source counts. */

/** A value and its source. */
interface Resolved<T> {
  value: T;
  source: (typeof valueSources)[number];
  /** The flag, the variable, or the path of the file. */
  where: string;
}

/** Values of flags, as typed. */
interface SettingsOverrides extends ProfileValues {
  profile?: string;
  output?: string;
  /** Formats that the command has beside the usual ones; only the flag may name them. */
  formats?: readonly string[];
  fields?: string;
  pageSize?: string | number;
  timeout?: string;
}

/** The sandbox: its address, and the ids used instead of a profile's. */
type SandboxContext = ProfileValues & { baseUrl: string };

type Candidate = Resolved<unknown>;

interface Sources {
  io: Io;
  paths: Paths;
  overrides: SettingsOverrides;
  sandbox: SandboxContext | undefined;
  file: SettingsFile;
  project: ProjectFile | undefined;
  stored: StoredProfile | undefined;
}

/** The sources of a setting's value, highest precedence first. */
function candidatesOf(sources: Sources): (property: SettingProperty) => Candidate[] {
  const { io, paths, overrides, sandbox, file, project, stored } = sources;
  if (sandbox !== undefined && overrides.baseUrl !== undefined) {
    throw usageError('conflicting_flags', '--sandbox and --base-url cannot be used together');
  }
  const given: Readonly<Record<string, unknown>> = { ...overrides };
  const inSandbox: Readonly<Record<string, unknown>> = { ...sandbox };
  const inProfile: Readonly<Record<string, unknown>> = { ...stored };
  return (property) => {
    const key = settingKeys.find((candidate) => candidate.property === property);
    if (key === undefined) return [];
    const { flag, environment } = key;
    const ofPlatform = sandbox !== undefined && key.ofProfile === true;
    const candidates: Candidate[] = [];
    const add = (value: unknown, source: Candidate['source'], where = ''): void => {
      if (value !== undefined) candidates.push({ value, source, where });
    };
    if (ofPlatform && property === 'baseUrl') {
      return [{ value: inSandbox.baseUrl, source: 'sandbox', where: '--sandbox' }];
    }
    if (flag !== undefined) add(given[property], 'flag', flag);
    if (environment !== undefined && !ofPlatform) add(variable(io, environment), 'environment', environment);
    if (ofPlatform) add(inSandbox[property], 'sandbox', '--sandbox');
    else {
      if (key.inProjectFile) add(entry(project?.values ?? {}, property), 'project file', project?.path);
      if (key.ofProfile === true) add(inProfile[property], 'profile', paths.configFile);
      else add(entry(file.settings, property), 'settings', paths.configFile);
    }
    return candidates;
  };
}

/** The value of the first candidate. @throws DocsError usage or configuration, as the parser, naming the source */
function pick<T>(
  property: string,
  candidates: readonly Candidate[],
  parse: (value: unknown, where: string) => T,
): Resolved<T> | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  const { value, source, where } = first;
  try {
    return { value: parse(value, where), source, where };
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    // A wrong flag is a usage error; a wrong variable or file is a configuration error.
    const kind = error.kind === 'usage' && source !== 'flag' ? 'configuration' : error.kind;
    const inFile = source === 'project file' || source === 'profile' || source === 'settings';
    const place = inFile ? `"${property}" in ${where}` : where;
    throw notSent(kind, error.code, `${place}: ${error.message}`, error.failure);
  }
}

/** An empty variable counts as unset. */
function variable(io: Io, name: string): string | undefined {
  const value = io.env[name];
  return value === '' ? undefined : value;
}

function entry(of: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}

/** A policy that must allow what is done. */
export interface PolicyFile {
  /** Absolute. */
  path: string;
  /** What names it: `--policy`, `DOCS_POLICY`, the settings file; undefined for that of the machine, which need not be there. */
  source?: string;
  /** Its content when the server started that makes this call; what the file has become since holds beside it. */
  bytes?: Uint8Array;
}

/**
 * The policies of flag, variable, profile and machine; within a server, those that it found at its start. Looks for
 * that of the machine alone, by one stat; reads none.
 */
export function policyFiles(io: Io, { policies }: Pick<Settings, 'policies'>): PolicyFile[] {
  const named: readonly PolicyFile[] =
    io.bound?.policies ?? policies.map(({ value: path, where: source }) => ({ path, source }));
  const known = new Set(named.map(({ path }) => path));
  const further = systemPolicies(io).filter((path) => !known.has(path) && isThere(path));
  return [...named, ...further.map((path) => ({ path }))];
}

/** Where that cannot be told, it is there: reading it fails. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
