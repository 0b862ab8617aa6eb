import { type DocsError, notSent, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { UnderLock } from '../base/lock.js';
import { editCommand } from '../base/shell-word.js';
import { defined, isObject } from '../base/values.js';
import {
  cannotWrite,
  makeOwnFolder,
  protectOwnFiles,
  readOwnObject,
  refuseForeignSettings,
} from './own-files.js';
import type { Paths } from './paths.js';

/** The layout of the file that this version reads and writes. */
const layout = 1;

/** Where the token of a profile is kept, and the only origin it may be sent to. */
export interface StoredCredential {
  store: 'keychain' | 'file';
  origin: string;
  /** Whose token it is, where sign-in could tell. */
  member?: StoredMember;
}

/** A member of an organization of the platform. */
export interface StoredMember {
  id: string;
  email?: string;
}

/** What people call a member. */
export function memberName({ id, email }: StoredMember): string {
  return email ?? id;
}

/** The values of a profile: the platform's address, the ids used where a command names none, its policy. */
export interface ProfileValues {
  baseUrl?: string;
  org?: string;
  space?: string;
  site?: string;
  /** Path of a policy, absolute. */
  policy?: string;
}

/** A profile as stored in the settings file. */
export interface StoredProfile extends ProfileValues {
  credential?: StoredCredential;
}

/**
 * Checks the name of a profile: at most 64 letters, digits, dots, dashes and underscores, starting with a
 * letter or digit. Such a name is safe in files, keychain accounts and command lines.
 * @throws DocsError usage `invalid_profile`
 */
export function checkProfileName(name: unknown): string {
  if (typeof name === 'string' && /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  const shown = typeof name === 'string' ? ` ${JSON.stringify(name.slice(0, 64))}` : '';
  const message = `invalid profile name${shown}: use letters, digits, dots, dashes and underscores`;
  throw usageError('invalid_profile', message);
}

/** The settings file, parsed. The values of `settings` are not checked yet. */
export interface SettingsFile {
  /** The current profile: used if nothing else names one. */
  profile?: string;
  profiles: ReadonlyMap<string, StoredProfile>;
  settings: Readonly<Record<string, unknown>>;
}

/**
 * Reads the settings file with `JSON.parse` alone, since every start pays for it. Ignores unknown keys.
 * @throws DocsError configuration `corrupt_settings`, `invalid_settings`, `newer_settings`; local-io
 *   `cannot_read_settings`
 */
export function readSettingsFile(io: Pick<Io, 'platform'>, paths: Paths): SettingsFile {
  const raw = readOwnObject(io, paths.configFile);
  if (raw === undefined) return { profiles: new Map(), settings: {} };
  const check = checker(io, paths.configFile);
  checkLayout(paths.configFile, raw);
  const profile = check.text(raw, 'profile', 'profile');
  const profiles = check.object(raw, 'profiles', 'profiles');
  return defined({
    profile,
    profiles: new Map(Object.keys(profiles).map((name) => [name, storedProfile(check, profiles, name)])),
    settings: check.object(raw, 'settings', 'settings'),
  });
}

/**
 * Reads the aliases of the settings file: what each name stands for, unchecked, in the order of the file. No other
 * file has aliases: a project file comes with somebody else's work.
 * @throws DocsError as `readSettingsFile`; configuration `foreign_settings`
 */
export function readAliases(io: Pick<Io, 'platform'>, paths: Paths): ReadonlyMap<string, unknown> {
  refuseForeignSettings(io, paths);
  const raw = readOwnObject(io, paths.configFile) ?? {};
  checkLayout(paths.configFile, raw);
  return new Map(Object.entries(checker(io, paths.configFile).object(raw, 'aliases', 'aliases')));
}

/** The parts of the settings file that a change may touch. Everything else in it is kept. */
export class SettingsDraft {
  constructor(private readonly raw: Record<string, unknown>) {}

  setCurrent(profile: string | undefined): void {
    put(this.raw, 'profile', profile);
  }

  /** Sets values of a profile, creating it if needed; undefined removes a value. */
  setProfile(name: string, values: { [K in keyof StoredProfile]: StoredProfile[K] | undefined }): void {
    const profiles = part(this.raw, 'profiles');
    // The first profile becomes the current one.
    if (Object.keys(profiles).length === 0 && this.raw.profile === undefined) this.setCurrent(name);
    const profile = part(profiles, name);
    for (const [key, value] of Object.entries(values)) put(profile, key, value);
  }

  removeProfile(name: string): void {
    delete part(this.raw, 'profiles')[name];
    if (this.raw.profile === name) this.setCurrent(undefined);
  }

  setSetting(property: string, value: unknown): void {
    put(part(this.raw, 'settings'), property, value);
  }

  /** Sets an alias; undefined removes it. */
  setAlias(name: string, expansion: string | undefined): void {
    put(part(this.raw, 'aliases'), name, expansion);
  }
}

/**
 * Reads, changes and writes the settings file under the lock that every writer takes, so that no
 * concurrent write is lost. An unreadable file is never overwritten.
 * @param change receives the draft and the current file; its result is returned
 * @throws DocsError as `readSettingsFile`; local-io `settings_locked`, `cannot_write_settings`
 */
export async function updateSettingsFile<T>(io: Io, paths: Paths, change: Change<T>): Promise<T> {
  return underLock(io, paths, (held) => rewriteSettings(io, paths, change, held));
}

type Change<T> = (draft: SettingsDraft, file: SettingsFile) => T;

/** `updateSettingsFile` for a caller that already holds the lock. */
export async function rewriteSettings<T>(
  io: Io,
  paths: Paths,
  change: Change<T>,
  held: () => boolean,
): Promise<T> {
  const file = readSettingsFile(io, paths);
  const raw = readOwnObject(io, paths.configFile) ?? {};
  const before = JSON.stringify(raw);
  const result = change(new SettingsDraft(raw), file);
  if (JSON.stringify(raw) !== before) {
    // Every start loads this file; only a write needs the rest.
    const { replaceObject } = await import('./write-object.js');
    await replaceObject(io, paths.configFile, { version: layout, ...raw }, held);
  }
  return result;
}

/** Runs a change of the settings or credentials file under their lock, in a folder of mode 0700. */
export async function underLock<T>(io: Io, paths: Paths, work: UnderLock<T>): Promise<T> {
  makeOwnFolder(io, paths.configDir);
  protectOwnFiles(io, paths);
  const { withLock } = await import('../base/lock.js');
  return withLock(io, paths.lockFile, work, (cause) => cannotWrite(io, paths.lockFile, cause));
}

type Checker = ReturnType<typeof checker>;

function storedProfile(check: Checker, profiles: Record<string, unknown>, name: string): StoredProfile {
  const where = `profiles.${name}`;
  const raw = check.object(profiles, name, where);
  const text = (key: string) => check.text(raw, key, `${where}.${key}`);
  const ids = { org: text('org'), space: text('space'), site: text('site') };
  const values = { baseUrl: text('baseUrl'), ...ids, policy: text('policy') };
  return defined({ ...values, credential: storedCredential(check, raw, `${where}.credential`) });
}

function storedCredential(
  check: Checker,
  profile: Record<string, unknown>,
  where: string,
): StoredCredential | undefined {
  if (profile.credential === undefined) return undefined;
  const raw = check.object(profile, 'credential', where);
  const origin = check.text(raw, 'origin', `${where}.origin`);
  const store = check.text(raw, 'store', `${where}.store`);
  if (store !== 'keychain' && store !== 'file') throw check.invalid(`${where}.store`, 'keychain or file');
  if (origin === undefined) throw check.invalid(`${where}.origin`, 'an origin');
  const member = check.object(raw, 'member', `${where}.member`);
  const part = (key: string) => check.text(member, key, `${where}.member.${key}`);
  const [id, email] = [part('id'), part('email')];
  return { store, origin, ...(id !== undefined && { member: defined({ id, email }) }) };
}

function checker(io: Pick<Io, 'platform'>, path: string) {
  const invalid = (key: string, wanted: string): DocsError => {
    const message = `in ${path}, ${JSON.stringify(key)} must be ${wanted}`;
    return notSent('configuration', 'invalid_settings', message, { hint: editCommand(path, io.platform) });
  };
  return {
    invalid,
    text(from: Record<string, unknown>, key: string, where: string): string | undefined {
      const value = own(from, key);
      if (value === undefined) return undefined;
      if (typeof value !== 'string' || value === '') throw invalid(where, 'a non-empty string');
      return value;
    },
    object(from: Record<string, unknown>, key: string, where: string): Record<string, unknown> {
      const value = own(from, key);
      if (value === undefined) return {};
      if (!isObject(value)) throw invalid(where, 'an object');
      return value;
    },
  };
}

function checkLayout(path: string, { version = layout }: Record<string, unknown>): void {
  if (version === layout) return;
  const newer = `${path} was written by a newer version of docs (layout ${JSON.stringify(version)})`;
  const hint = 'docs help guide install';
  throw notSent('configuration', 'newer_settings', newer, { hint });
}

function own(from: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

function part(of: Record<string, unknown>, key: string): Record<string, unknown> {
  const known = own(of, key);
  const found = isObject(known) ? known : {};
  of[key] = found;
  return found;
}

function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete into[key];
  else into[key] = value;
}
