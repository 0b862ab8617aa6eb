import { DocsError, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { didYouMean, nearest } from '../base/nearest.js';
import { defined } from '../base/values.js';
import { formatDuration } from './duration.js';
import { parseSetting, type SettingKey, type SettingValue } from './keys.js';
import { settingKeys } from './setting-keys.js';
import type { Resolved, Settings } from './settings.js';
import { updateSettingsFile } from './settings-file.js';

/** A row of `docs config list`. */
export interface SettingRow {
  name: string;
  /** null if the setting is not set; `builtIn` then describes the default. */
  value: SettingValue | null;
  source: Resolved<unknown>['source'];
  where: string;
  builtIn: string;
  description: string;
}

/** The result of changing a setting. */
export interface SettingChange {
  name: string;
  /** The stored value; null if it was removed. */
  value: SettingValue | null;
  /** Path of the settings file. */
  where: string;
  /** The profile that holds the value, for a setting of profiles. */
  profile?: string;
  /** Whether the file changed. */
  changed: boolean;
  /** The flag, variable or project file that overrides the settings file. */
  overriddenBy?: Resolved<SettingValue>;
}

/** A setting by its name or its key in the file (`pageSize`). @throws DocsError usage `unknown_setting` */
export function settingKey(name: string): SettingKey {
  const found = settingKeys.find((key) => key.name === name || key.property === name);
  if (found !== undefined) return found;
  const names = settingKeys.map((key) => key.name);
  const meant = nearest(name, names);
  const known = didYouMean(meant) || `; expected one of ${names.join(', ')}`;
  const details = defined({ known: names, nearest: meant });
  const message = `unknown setting ${JSON.stringify(name.slice(0, 60))}${known}`;
  throw usageError('unknown_setting', message, { hint: 'docs config list', details });
}

/** All settings, in the order of their declaration, each with its source. */
export function listSettings(settings: Settings): SettingRow[] {
  return settingKeys.map((key) => {
    const { name, builtIn, description } = key;
    const { value = null, source = 'default', where = 'built in' } = resolvedValue(settings, key) ?? {};
    return { name, value, source, where, builtIn, description };
  });
}

/** A setting by its name; undefined if it is not set. @throws DocsError usage `unknown_setting` */
export function getSetting(settings: Settings, name: string): Resolved<SettingValue> | undefined {
  return resolvedValue(settings, settingKey(name));
}

/**
 * Removes a value from the settings file; a missing value is not an error.
 * @throws DocsError usage `unknown_setting`, `sandbox_settings`; as `updateSettingsFile`
 */
export async function unsetSetting(io: Io, settings: Settings, name: string): Promise<SettingChange> {
  return keep(io, settings, settingKey(name), undefined);
}

function resolvedValue(settings: Settings, key: SettingKey): Resolved<SettingValue> | undefined {
  if (key.property !== 'timeout') return settings[key.property];
  const { timeoutMs } = settings;
  return timeoutMs && { ...timeoutMs, value: formatDuration(timeoutMs.value) };
}

function checked(key: SettingKey, text: string, cwd: string): string | number | boolean {
  try {
    return parseSetting(key, text, cwd);
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    throw error.changed({}, `${key.name}: ${error.message}`);
  }
}

/**
 * Writes a value to the settings file: base URL, org, space and site to the current profile, creating it
 * if needed; the others once for all profiles.
 * @param text as typed
 * @throws DocsError usage `unknown_setting`, `invalid_setting`, `invalid_duration`, `sandbox_settings`;
 *   as `checkBaseUrl`; as `updateSettingsFile`
 */
export async function setSetting(
  io: Io,
  settings: Settings,
  name: string,
  text: string,
): Promise<SettingChange> {
  const key = settingKey(name);
  return keep(io, settings, key, checked(key, text, io.cwd));
}

async function keep(
  io: Io,
  settings: Settings,
  key: SettingKey,
  value: string | number | boolean | undefined,
): Promise<SettingChange> {
  const inProfile = key.ofProfile === true;
  if (inProfile && settings.sandbox) {
    const message = `${key.name} is a setting of profiles, which --sandbox does not use`;
    throw usageError('sandbox_settings', message, { hint: `docs config set ${key.name} <value>` });
  }
  const profile = settings.profile.value;
  const changed = await updateSettingsFile(io, settings.paths, (draft, file) => {
    const stored: Readonly<Record<string, unknown>> = { ...file.profiles.get(profile) };
    const before = inProfile ? stored[key.property] : file.settings[key.property];
    // Removing a value from an unknown profile must not create the profile.
    if (before === value) return false;
    if (inProfile) draft.setProfile(profile, { [key.property]: value });
    else draft.setSetting(key.property, value);
    return true;
  });
  const now = resolvedValue(settings, key);
  const wins = now !== undefined && ['flag', 'environment', 'project file'].includes(now.source);
  const change = { name: key.name, value: value ?? null, where: settings.paths.configFile, changed };
  const overriddenBy = wins ? now : undefined;
  return defined({ ...change, profile: inProfile ? profile : undefined, overriddenBy });
}
