import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { accountOf, checkToken, forcedStore, layout, tokensOf } from './credentials.js';
import { type Keychain, systemKeychain, unavailable } from './keychain.js';
import { parsers } from './keys.js';
import { protectOwnFiles, readOwnObject } from './own-files.js';
import { type Paths, settingsPaths } from './paths.js';
import {
  checkProfileName,
  readSettingsFile,
  rewriteSettings,
  type SettingsDraft,
  type SettingsFile,
  type StoredCredential,
  type StoredMember,
  underLock,
} from './settings-file.js';

/** Signing in and out: what is written. To find a token needs none of it. */

interface TokenToStore {
  profile: string;
  baseUrl: string;
  token: string;
  /** Whose it is, where that is known. */
  member?: StoredMember | undefined;
  /** Asks whether a file will not do, where this installation has no part for the keychain that loads. */
  refusesFile?: ((problem: string) => Promise<boolean>) | undefined;
}

/** Where a token was stored. */
interface StoredToken {
  store: 'keychain' | 'file';
  /** The keychain account, or the path of the file. */
  where: string;
  /** A sentence for the user: why the token is in a file, or what could not be removed. */
  note?: string;
}

/**
 * Stores the token of a profile for the origin of a base URL, which becomes the profile's. Replaces the
 * profile's previous token in either store. Uses the keychain if a probe succeeds, otherwise a file (0600);
 * DOCS_CREDENTIAL_STORE=keychain or file decides without a probe.
 * @throws DocsError unauthenticated `malformed_token`; usage `invalid_profile`; as `checkBaseUrl`;
 *   local-io `keychain_unavailable` if it is required; as `updateSettingsFile`
 */
export async function storeCredential(
  io: Io,
  { profile, baseUrl, token: text, member, refusesFile }: TokenToStore,
  keychain = systemKeychain(io),
): Promise<StoredToken> {
  const token = checkToken(text, 'the input');
  const url = parsers.baseUrl(baseUrl);
  const { origin } = new URL(url);
  const account = accountOf(checkProfileName(profile), origin);
  const paths = settingsPaths(io);
  // Fails on an unusable file before anything is stored in the keychain.
  protectOwnFiles(io, paths);
  readSettingsFile(io, paths);
  const problem = await tryKeychain(io, keychain, account, token);
  if (problem && keychain.isMissing?.() && (await refusesFile?.(problem))) throw unavailable(problem);
  const store = problem === undefined ? 'keychain' : 'file';
  const entry = store === 'file' ? { account, token } : undefined;
  const credential: StoredCredential = { store, origin, ...(member && { member }) };
  const before = await underLock(io, paths, async (held) => {
    await replaceFileToken(io, paths, profile, entry, held);
    const change = (draft: SettingsDraft, file: SettingsFile) => {
      draft.setProfile(profile, { baseUrl: url, credential });
      return file.profiles.get(profile)?.credential;
    };
    return rewriteSettings(io, paths, change, held);
  });
  const leftover = await removeReplaced(keychain, profile, before, credential);
  const why = problem ? fileNote(problem, paths) : undefined;
  const note = [why, leftover].filter((part) => part !== undefined).join(' ');
  return { store, where: store === 'file' ? paths.credentialsFile : account, ...(note !== '' && { note }) };
}

/**
 * Removes the stored token of a profile; the profile stays.
 * @returns whether there was one
 * @throws DocsError local-io `keychain_unavailable`, in which case the token stays; as `updateSettingsFile`
 */
export async function removeCredential(
  io: Io,
  profile: string,
  keychain = systemKeychain(io),
): Promise<boolean> {
  const paths = settingsPaths(io);
  protectOwnFiles(io, paths);
  const stored = readSettingsFile(io, paths).profiles.get(profile)?.credential;
  if (stored === undefined) return false;
  if (stored.store === 'keychain') await keychain.delete(accountOf(profile, stored.origin));
  await underLock(io, paths, async (held) => {
    const change = (draft: SettingsDraft, file: SettingsFile) => {
      const now = file.profiles.get(profile)?.credential;
      const same = now?.store === stored.store && now.origin === stored.origin;
      // A token stored meanwhile by another sign-in stays.
      if (same) draft.setProfile(profile, { credential: undefined });
      return same;
    };
    const same = await rewriteSettings(io, paths, change, held);
    if (same) await replaceFileToken(io, paths, profile, undefined, held);
  });
  return true;
}

/** Why the token is not in the keychain: empty if a file was requested; undefined if it is there. */
async function tryKeychain(io: Io, keychain: Keychain, account: string, token: string) {
  const only = forcedStore(io);
  if (only === 'file') return '';
  const problem = await keychain.probe();
  if (problem !== undefined) {
    if (only === 'keychain') throw unavailable(problem);
    return problem;
  }
  try {
    await keychain.set(account, token);
    return undefined;
  } catch (error) {
    if (only === 'keychain' || !(error instanceof DocsError)) throw error;
    return 'it accepted a test entry but not the token';
  }
}

/** Removes a replaced token from the keychain if it is stored under another account. */
async function removeReplaced(
  keychain: Keychain,
  profile: string,
  before: StoredCredential | undefined,
  now: StoredCredential,
): Promise<string | undefined> {
  if (before?.store !== 'keychain') return undefined;
  if (now.store === 'keychain' && now.origin === before.origin) return undefined;
  const account = accountOf(profile, before.origin);
  try {
    await keychain.delete(account);
    return undefined;
  } catch {
    return `The previous token is still in the keychain as ${account}.`;
  }
}

function fileNote(problem: string, { credentialsFile }: Paths): string {
  const why = `The system keychain is unavailable (${problem})`;
  return `${why}, so the token is stored in ${credentialsFile}, which only you can read.`;
}

/**
 * Replaces all tokens of a profile with one or none. The caller holds the lock.
 * @param entry the account and its token; undefined removes the tokens
 * @throws DocsError as `readFileToken`; local-io `cannot_write_credentials`
 */
async function replaceFileToken(
  io: Io,
  paths: Paths,
  profile: string,
  entry: { account: string; token: string } | undefined,
  held: () => boolean,
): Promise<void> {
  const raw = readOwnObject(io, paths.credentialsFile);
  if (raw === undefined && entry === undefined) return;
  const tokens = tokensOf(io, paths, raw ?? {});
  const others = Object.entries(tokens).filter(([account]) => !account.startsWith(`${profile}@`));
  const kept = Object.fromEntries(entry === undefined ? others : [...others, [entry.account, entry.token]]);
  if (JSON.stringify(kept) === JSON.stringify(tokens)) return;
  const { replaceObject } = await import('./write-object.js');
  await replaceObject(io, paths.credentialsFile, { version: layout, ...raw, tokens: kept }, held);
}
