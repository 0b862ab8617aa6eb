import { DocsError, usageError } from '../errors.js';
import type { Io } from '../io.js';
import { nearest } from '../nearest.js';
import { parsers, type SettingProperty, settingKeys, type valueSources } from './keys.js';
import { protectOwnFiles } from './own-files.js';
import { type Paths, settingsPaths } from './paths.js';
import { checkProfileName } from './profile-name.js';
import { type ProjectFile, readProjectFile } from './project-file.js';
import { readSettingsFile, type SettingsFile, type StoredProfile } from './settings-file.js';

/** A value, and where it comes from. */
export interface Resolved<T> {
  value: T;
  source: (typeof valueSources)[number];
  /** The flag, the variable, or the path of the file. */
  where: string;
}

/** Values given as flags, as typed. */
export interface SettingsOverrides {
  profile?: string;
  baseUrl?: string;
  org?: string;
  space?: string;
  site?: string;
  output?: string;
  fields?: string;
  pageSize?: string | number;
  timeout?: string;
}

/** The embedded platform: its address, and the ids that stand in for a profile's. */
export interface SandboxContext {
  baseUrl: string;
  org?: string;
  space?: string;
  site?: string;
}

/** Everything a run takes from flags, environment and files. Absent: nothing says so. */
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
  /** Path of the project file, where there is one. */
  projectFile?: string;
  /** What the settings file holds of the profile; absent for an unknown one and in the sandbox. */
  stored?: StoredProfile;
  /** Names of the profiles of the settings file. */
  profiles: readonly string[];
  /** Whether the run is against the embedded platform. */
  sandbox: boolean;
  /** Sentences to show on stderr once. */
  warnings: string[];
}

/**
 * Reads flags, environment, project file and settings file, and decides what holds. (command-tree.md,
 * "Grammar"; RELIABILITY.md, "Secrets and origins")
 *
 * Flag, then environment, then project file, then profile or settings. With a sandbox neither profile
 * nor project file count for ids, since theirs are of the real platform: flag, environment, sandbox.
 * Reads two small files, loads nothing, writes nothing but tighter permissions. Lets an unknown
 * profile pass, for signing in makes one: see `unknownProfile`.
 * @throws DocsError usage for a flag, configuration for a variable or file, each naming its place
 */
export function readSettings(io: Io, overrides: SettingsOverrides, sandbox?: SandboxContext): Settings {
  const paths = settingsPaths(io);
  const warnings = protectOwnFiles(io, paths);
  const file = readSettingsFile(io, paths);
  const project = readProjectFile(io);
  const profile = sandbox === undefined ? profileOf(io, paths, overrides, project, file) : sandboxProfile;
  const stored = sandbox === undefined ? file.profiles.get(profile.value) : undefined;
  const candidates = candidatesOf({ io, paths, overrides, sandbox, file, project, stored });
  return {
    paths,
    profile,
    ...found('baseUrl', pick('baseUrl', candidates('baseUrl'), parsers.url)),
    ...found('org', pick('org', candidates('org'), parsers.id)),
    ...found('space', pick('space', candidates('space'), parsers.id)),
    ...found('site', pick('site', candidates('site'), parsers.id)),
    ...found('output', pick('output', candidates('output'), parsers.output)),
    ...found('fields', pick('fields', candidates('fields'), parsers.fields)),
    ...found('pageSize', pick('pageSize', candidates('pageSize'), parsers.pageSize)),
    ...found('timeoutMs', pick('timeout', candidates('timeout'), parsers.timeout)),
    ...found('journal', pick('journal', candidates('journal'), parsers.journal)),
    ...found('projectFile', project?.path),
    ...found('stored', stored),
    profiles: [...file.profiles.keys()],
    sandbox: sandbox !== undefined,
    warnings,
  };
}

/**
 * The error to show where base URL or token are missing because the profile that was asked for does
 * not exist: exit 2 for a flag, 14 elsewhere; undefined where the profile exists or nobody asked.
 */
export function unknownProfile(settings: Settings): DocsError | undefined {
  const { profile, profiles } = settings;
  if (settings.sandbox || profile.source === 'default' || profiles.includes(profile.value)) return undefined;
  return noSuchProfile(profile.value, profiles, profile);
}

/** A profile that does not exist, with those that do. */
export function noSuchProfile(
  name: string,
  known: readonly string[],
  from?: Pick<Resolved<string>, 'source' | 'where'>,
): DocsError {
  const meant = nearest(name, known);
  const others =
    known.length === 0
      ? 'There is none yet.'
      : meant === undefined
        ? `Known: ${known.join(', ')}.`
        : `Did you mean ${meant}? Known: ${known.join(', ')}.`;
  const place = from === undefined || from.source === 'flag' ? '' : ` (from ${from.where})`;
  const kind = from === undefined || from.source === 'flag' ? 'usage' : 'configuration';
  return new DocsError(
    kind,
    'unknown_profile',
    `There is no profile ${JSON.stringify(name)}${place}. ${others}`,
    {
      outcome: 'not-sent',
      hint: known.length === 0 ? 'docs auth login' : 'docs auth list',
      details: { profile: name, known: [...known] },
    },
  );
}

const sandboxProfile: Resolved<string> = { value: 'sandbox', source: 'sandbox', where: '--sandbox' };

interface Candidate extends Omit<Resolved<unknown>, 'value'> {
  value: unknown;
}

interface Sources {
  io: Io;
  paths: Paths;
  overrides: SettingsOverrides;
  sandbox: SandboxContext | undefined;
  file: SettingsFile;
  project: ProjectFile | undefined;
  stored: StoredProfile | undefined;
}

/** For a setting, where its value may come from, the strongest first. */
function candidatesOf(sources: Sources): (property: SettingProperty) => Candidate[] {
  const { io, paths, overrides, sandbox, file, project, stored } = sources;
  if (sandbox !== undefined && overrides.baseUrl !== undefined) throw sandboxElsewhere();
  const given: Readonly<Record<string, unknown>> = { ...overrides };
  const inSandbox: Readonly<Record<string, unknown>> = { ...sandbox };
  const inProfile: Readonly<Record<string, unknown>> = { ...stored };
  return (property) => {
    const key = settingKeys.find((candidate) => candidate.property === property);
    if (key === undefined) return [];
    const { flag, environment } = key;
    const ofPlatform = sandbox !== undefined && key.keptIn === 'profile';
    const candidates: Candidate[] = [];
    const add = (value: unknown, source: Candidate['source'], where: string): void => {
      if (value !== undefined) candidates.push({ value, source, where });
    };
    if (flag !== undefined) add(given[property], 'flag', flag);
    if (ofPlatform && property === 'baseUrl')
      return [{ value: inSandbox.baseUrl, source: 'sandbox', where: '--sandbox' }];
    if (environment !== undefined) add(variable(io, environment), 'environment', environment);
    if (ofPlatform) {
      add(inSandbox[property], 'sandbox', '--sandbox');
      return candidates;
    }
    if (key.inProjectFile && project !== undefined) {
      add(entry(project.values, property), 'project file', project.path);
    }
    if (key.keptIn === 'profile') add(inProfile[property], 'profile', paths.configFile);
    else add(entry(file.settings, property), 'settings', paths.configFile);
    return candidates;
  };
}

function profileOf(
  io: Io,
  paths: Paths,
  overrides: SettingsOverrides,
  project: ProjectFile | undefined,
  file: SettingsFile,
): Resolved<string> {
  const candidates: Candidate[] = [
    { value: overrides.profile, source: 'flag', where: '--profile' },
    { value: variable(io, 'DOCS_PROFILE'), source: 'environment', where: 'DOCS_PROFILE' },
    { value: project?.values.profile, source: 'project file', where: project?.path ?? '' },
    { value: file.profile, source: 'settings', where: paths.configFile },
    { value: 'default', source: 'default', where: 'built in' },
  ];
  const given = candidates.filter((candidate) => candidate.value !== undefined);
  return (
    pick('profile', given, checkProfileName) ?? { value: 'default', source: 'default', where: 'built in' }
  );
}

function pick<T>(
  property: string,
  candidates: readonly Candidate[],
  parse: (value: unknown) => T,
): Resolved<T> | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  const { value, source, where } = first;
  try {
    return { value: parse(value), source, where };
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    // A wrong flag is the caller's usage; a wrong variable or file is configuration.
    const kind = error.kind === 'usage' && source !== 'flag' ? 'configuration' : error.kind;
    const inFile = source === 'project file' || source === 'profile' || source === 'settings';
    const place = inFile ? `"${property}" in ${where}` : where;
    throw new DocsError(kind, error.code, `${place}: ${error.message}`, {
      outcome: 'not-sent',
      ...error.failure,
    });
  }
}

function found<K extends string, T>(key: K, value: T | undefined): { [Key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [Key in K]?: T });
}

/** A variable that is set to nothing is not set. */
function variable(io: Io, name: string): string | undefined {
  const value = io.env[name];
  return value === '' ? undefined : value;
}

function entry(of: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}

function sandboxElsewhere(): DocsError {
  return usageError('conflicting_flags', '--sandbox and --base-url exclude each other.');
}
