import type { Io } from '../io.js';
import { removeCredential } from './credentials.js';
import { type Keychain, systemKeychain } from './keychain.js';
import { parsers } from './keys.js';
import { settingsPaths } from './paths.js';
import { checkProfileName } from './profile-name.js';
import { noSuchProfile, readSettings, type SettingsOverrides } from './settings.js';
import { readSettingsFile, updateSettingsFile } from './settings-file.js';

/** A row of `docs auth list`. */
export interface ProfileRow {
  name: string;
  baseUrl?: string;
  /** Whether the next command would use it. */
  current: boolean;
  /** Whether a token is stored for it. */
  signedIn: boolean;
  store?: 'keychain' | 'file';
}

/** The values of a profile that may be saved. */
export interface ProfileValues {
  baseUrl?: string;
  org?: string;
  space?: string;
  site?: string;
}

/**
 * All profiles, sorted by name. Does not access the keychain.
 * @param overrides the flags of the command; `--profile` decides which profile is current
 * @throws DocsError as `readSettings`
 */
export async function listProfiles(io: Io, overrides: SettingsOverrides = {}): Promise<ProfileRow[]> {
  const settings = readSettings(io, overrides);
  const { profiles } = readSettingsFile(io, settings.paths);
  const names = [...profiles.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => {
    const { baseUrl, credential } = profiles.get(name) ?? {};
    return {
      name,
      ...(baseUrl !== undefined && { baseUrl }),
      current: name === settings.profile.value,
      signedIn: credential !== undefined,
      ...(credential !== undefined && { store: credential.store }),
    };
  });
}

/**
 * Saves values of a profile, creating it if needed; other values stay. The first profile becomes the
 * current one.
 * @throws DocsError usage `invalid_profile`, `invalid_setting`; as `checkBaseUrl`, `updateSettingsFile`
 */
export async function saveProfile(io: Io, name: string, values: ProfileValues): Promise<void> {
  checkProfileName(name);
  const { baseUrl, org, space, site } = values;
  const checked = {
    ...(baseUrl !== undefined && { baseUrl: parsers.url(baseUrl) }),
    ...(org !== undefined && { org: parsers.id(org) }),
    ...(space !== undefined && { space: parsers.id(space) }),
    ...(site !== undefined && { site: parsers.id(site) }),
  };
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

/**
 * Removes a profile and its stored token.
 * @throws DocsError usage `unknown_profile`; as `removeCredential`
 */
export async function removeProfile(
  io: Io,
  name: string,
  keychain: Keychain = systemKeychain(io),
): Promise<void> {
  const paths = settingsPaths(io);
  const { profiles } = readSettingsFile(io, paths);
  if (!profiles.has(name)) throw noSuchProfile(name, [...profiles.keys()]);
  await removeCredential(io, name, keychain);
  await updateSettingsFile(io, paths, (draft) => draft.removeProfile(name));
}
