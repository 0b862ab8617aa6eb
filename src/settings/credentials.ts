import { checkBaseUrl } from '../api/transport/address.js';
import { isVisibleAscii, withoutFinalNewline } from '../base/characters.js';
import { DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { editCommand } from '../base/shell-word.js';
import { isObject } from '../base/values.js';
import { type Keychain, systemKeychain, unavailable } from './keychain.js';
import { parsers } from './keys.js';
import { protectOwnFiles, readOwnObject } from './own-files.js';
import { type Paths, settingsPaths } from './paths.js';
import type { Rehearsal } from './rehearsal.js';
import type { Settings } from './settings.js';
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

const faults: readonly (readonly [fault: string, pattern: RegExp])[] = [
  ['is empty', /^$/],
  ['contains a line break', /[\r\n]/],
  ['contains a space', /\s/],
  ['contains a control character', /[\x00-\x1f\x7f-\x9f]/],
  ['contains a character that HTTP headers do not allow', /[^\x21-\xff]/],
];

/**
 * Checks a token from a prompt, a pipe or a variable: drops one trailing newline; the rest must be a valid
 * header value (RELIABILITY.md, "Secrets and origins"). The message never contains the token.
 * @param where the token came from, for the message
 * @throws DocsError unauthenticated `malformed_token`
 */
export function checkToken(text: string, where: string): string {
  const token = withoutFinalNewline(text);
  if (token !== '' && isVisibleAscii(token)) return token;
  const fault = faults.find(([, pattern]) => pattern.test(token));
  if (fault === undefined) return token;
  const message = `the token from ${where} ${fault[0]}; nothing was sent`;
  throw notSent('unauthenticated', 'malformed_token', message, { hint: 'docs auth login' });
}

/** A token and the only origin (scheme, host, port) that it may be sent to. */
export interface Credential {
  token: string;
  origin: string;
  source: 'DOCS_TOKEN' | 'keychain' | 'file';
  /** `DOCS_TOKEN`, the keychain account, or the path of the file. */
  where: string;
  /** Whose it is, where sign-in could tell. */
  member?: StoredMember;
}

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
 * Finds the token to use, with its origin, which the caller compares with the request's.
 * (RELIABILITY.md, "Secrets and origins")
 *
 * DOCS_TOKEN comes first. It belongs to DOCS_BASE_URL, otherwise to the profile's base URL; never to
 * `--base-url`. Next is the profile's stored token, in the store that the settings file names; no other is
 * probed. DOCS_CREDENTIAL_STORE excludes the other store. The sandbox takes only a DOCS_TOKEN that starts
 * with `sbx_`: every other token is for the real platform.
 * @returns undefined if there is none
 * @throws DocsError unauthenticated `malformed_token`; configuration `token_without_origin`,
 *   `corrupt_credentials`; local-io `keychain_unavailable`, `cannot_read_credentials`
 */
export async function findCredential(
  io: Io,
  settings: Settings,
  keychain = systemKeychain(io),
): Promise<Credential | undefined> {
  const variable = io.env.DOCS_TOKEN;
  if (settings.rehearsal !== undefined) return copyCredential(settings.rehearsal, variable);
  if (settings.sandbox) return sandboxCredential(settings, variable);
  if (variable) {
    const token = checkToken(variable, 'DOCS_TOKEN');
    return { token, origin: originOfVariable(io, settings), source: 'DOCS_TOKEN', where: 'DOCS_TOKEN' };
  }
  const stored = settings.stored?.credential;
  const only = forcedStore(io);
  if (stored === undefined || (only !== undefined && only !== stored.store)) return undefined;
  const account = accountOf(settings.profile.value, stored.origin);
  const inKeychain = stored.store === 'keychain';
  const where = inKeychain ? account : settings.paths.credentialsFile;
  const token = inKeychain ? await keychain.get(account) : readFileToken(io, settings.paths, account);
  if (token === undefined) return undefined;
  const { store: source, origin, member } = stored;
  const checked = checkToken(token, `the ${source} (${where})`);
  return { token: checked, origin, source, where, member };
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

function accountOf(profile: string, origin: string): string {
  return `${profile}@${origin}`;
}

function sandboxCredential(settings: Settings, token: string | undefined): Credential | undefined {
  if (!token?.startsWith('sbx_') || settings.baseUrl === undefined) return undefined;
  const { origin } = new URL(settings.baseUrl.value);
  return { token: checkToken(token, 'DOCS_TOKEN'), origin, source: 'DOCS_TOKEN', where: 'DOCS_TOKEN' };
}

/** Only tokens of copies go to a copy. @throws DocsError configuration `outside_rehearsal` */
function copyCredential({ url, token, member }: Rehearsal, variable: string | undefined): Credential {
  if (variable && !variable.startsWith('sbx_')) {
    const message = 'DOCS_TOKEN is not the token of the copy that is rehearsed on; nothing was sent';
    throw notSent('configuration', 'outside_rehearsal', message, { hint: 'unset DOCS_TOKEN' });
  }
  const own = { origin: url, source: 'DOCS_TOKEN', where: 'DOCS_TOKEN' } as const;
  if (variable && variable !== token) return { token: checkToken(variable, 'DOCS_TOKEN'), ...own };
  return { token, ...own, member };
}

function originOfVariable(io: Io, settings: Settings): string {
  const url = io.env.DOCS_BASE_URL || settings.stored?.baseUrl;
  if (url !== undefined) return checkBaseUrl(url).origin;
  const message = 'DOCS_TOKEN is set, but neither DOCS_BASE_URL nor the profile names its platform';
  const hint = 'export DOCS_BASE_URL=https://…';
  throw notSent('configuration', 'token_without_origin', message, { hint });
}

function forcedStore(io: Io): 'keychain' | 'file' | undefined {
  const value = io.env.DOCS_CREDENTIAL_STORE;
  if (!value) return undefined;
  if (value === 'keychain' || value === 'file') return value;
  const message = `DOCS_CREDENTIAL_STORE: ${JSON.stringify(value.slice(0, 40))} is not keychain or file`;
  throw notSent('configuration', 'invalid_setting', message, { hint: 'unset DOCS_CREDENTIAL_STORE' });
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

type World = Pick<Io, 'platform'>;

/** The layout of the file that this version reads and writes. */
const layout = 1;

/**
 * Reads the token of an account from the credentials file.
 * @returns undefined if the file or the account is missing
 * @throws DocsError configuration `corrupt_credentials`, `invalid_credentials`; local-io
 *   `cannot_read_credentials`
 */
function readFileToken(io: World, paths: Paths, account: string): string | undefined {
  const tokens = tokensOf(io, paths, readOwnObject(io, paths.credentialsFile) ?? {});
  const token = Object.hasOwn(tokens, account) ? tokens[account] : undefined;
  if (token === undefined || typeof token === 'string') return token;
  throw invalid(io, paths);
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

function tokensOf(io: World, paths: Paths, raw: Record<string, unknown>): Record<string, unknown> {
  const { version = layout, tokens = {} } = raw;
  if (version !== layout || !isObject(tokens)) throw invalid(io, paths);
  return tokens;
}

function invalid(io: World, { credentialsFile: path }: Paths): DocsError {
  const message = `${path} is not a credentials file of this version of docs`;
  return notSent('configuration', 'invalid_credentials', message, { hint: editCommand(path, io.platform) });
}
