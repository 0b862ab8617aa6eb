import { DocsError, notSent, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { type SettingProperty, settingKeys, type valueSources } from './keys.js';
import type { Paths } from './paths.js';
import type { ProjectFile } from './project-file.js';
import type { ProfileValues, SettingsFile, StoredProfile } from './settings-file.js';

/** Where the value of a setting can come from, and which source counts. */

/** A value and its source. */
export interface Resolved<T> {
  value: T;
  source: (typeof valueSources)[number];
  /** The flag, the variable, or the path of the file. */
  where: string;
}

/** Values of flags, as typed. */
export interface SettingsOverrides extends ProfileValues {
  profile?: string;
  output?: string;
  /** Formats that the command has beside the usual ones; only the flag may name them. */
  formats?: readonly string[];
  fields?: string;
  pageSize?: string | number;
  timeout?: string;
}

/** The sandbox: its address, and the ids used instead of a profile's. */
export type SandboxContext = ProfileValues & { baseUrl: string };

export type Candidate = Resolved<unknown>;

export interface Sources {
  io: Io;
  paths: Paths;
  overrides: SettingsOverrides;
  sandbox: SandboxContext | undefined;
  file: SettingsFile;
  project: ProjectFile | undefined;
  stored: StoredProfile | undefined;
}

/** The sources of a setting's value, highest precedence first. */
export function candidatesOf(sources: Sources): (property: SettingProperty) => Candidate[] {
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
export function pick<T>(
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
export function variable(io: Io, name: string): string | undefined {
  const value = io.env[name];
  return value === '' ? undefined : value;
}

function entry(of: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}
