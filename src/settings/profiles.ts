import type { Io } from '../base/io.js';
import { defined } from '../base/values.js';
import { removeCredential } from './credentials.js';
import { systemKeychain } from './keychain.js';
import { parsers } from './keys.js';
import { settingsPaths } from './paths.js';
import { noSuchProfile, readSettings, type SettingsOverrides } from './settings.js';
import {
  checkProfileName,
  type ProfileValues,
  readSettingsFile,
  updateSettingsFile,
} from './settings-file.js';

/** A row of `docs auth list`. */
interface ProfileRow {
  name: string;
  baseUrl?: string;
  /** Whether the next command would use it. */
  current: boolean;
  /** Whether a token is stored for it. */
  signedIn: boolean;
  store?: 'keychain' | 'file';
}

/** All profiles, sorted by name, without a look at the keychain. @throws DocsError as `readSettings` */
export async function listProfiles(io: Io, overrides: SettingsOverrides = {}): Promise<ProfileRow[]> {
  const settings = readSettings(io, overrides);
  const { profiles } = readSettingsFile(io, settings.paths);
  const names = [...profiles.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => {
    const { baseUrl, credential } = profiles.get(name) ?? {};
    const current = name === settings.profile.value;
    return defined({ name, baseUrl, current, signedIn: credential !== undefined, store: credential?.store });
  });
}

/**
 * Saves values of a profile, creating it if needed; other values stay. The first profile becomes the
 * current one.
 * @throws DocsError usage `invalid_profile`, `invalid_setting`; as `checkBaseUrl`, `updateSettingsFile`
 */
export async function saveProfile(io: Io, name: string, values: ProfileValues): Promise<void> {
  checkProfileName(name);
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const checked: ProfileValues = Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'baseUrl' ? parsers.url(value) : parsers.id(value)]),
  );
  await updateSettingsFile(io, settingsPaths(io), (draft) => draft.setProfile(name, checked));
}

/**
 * Makes a profile the current one.
 * @throws DocsError usage `unknown_profile`, listing the known ones; as `updateSettingsFile`
 */
export async function switchProfile(io: Io, name: string): Promise<void> {
  await updateSettingsFile(io, settingsPaths(io), (draft, file) => {
    if (!file.profiles.has(name)) throw noSuchProfile(name, [...file.profiles.keys()]);
    draft.setCurrent(name);
  });
}

/** Removes a profile and its stored token. @throws DocsError usage `unknown_profile`; as `removeCredential` */
export async function removeProfile(io: Io, name: string, keychain = systemKeychain(io)): Promise<void> {
  const paths = settingsPaths(io);
  const { profiles } = readSettingsFile(io, paths);
  if (!profiles.has(name)) throw noSuchProfile(name, [...profiles.keys()]);
  await removeCredential(io, name, keychain);
  await updateSettingsFile(io, paths, (draft) => draft.removeProfile(name));
}
