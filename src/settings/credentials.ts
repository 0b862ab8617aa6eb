import { checkBaseUrl } from '../api/transport/address.js';
import { isVisibleAscii, withoutFinalNewline } from '../base/characters.js';
import { type DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { editCommand } from '../base/shell-word.js';
import { isObject } from '../base/values.js';
import { type Keychain, systemKeychain } from './keychain.js';
import { readOwnObject } from './own-files.js';
import type { Paths } from './paths.js';
import type { Rehearsal } from './rehearsal.js';
import type { Settings } from './settings.js';
import type { StoredMember } from './settings-file.js';

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
  keychain?: Keychain,
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
  const token = inKeychain
    ? await (keychain ?? systemKeychain(io)).get(account)
    : readFileToken(io, settings.paths, account);
  if (token === undefined) return undefined;
  const { store: source, origin, member } = stored;
  const checked = checkToken(token, `the ${source} (${where})`);
  return { token: checked, origin, source, where, member };
}

export function accountOf(profile: string, origin: string): string {
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

export function forcedStore(io: Io): 'keychain' | 'file' | undefined {
  const value = io.env.DOCS_CREDENTIAL_STORE;
  if (!value) return undefined;
  if (value === 'keychain' || value === 'file') return value;
  const message = `DOCS_CREDENTIAL_STORE: ${JSON.stringify(value.slice(0, 40))} is not keychain or file`;
  throw notSent('configuration', 'invalid_setting', message, { hint: 'unset DOCS_CREDENTIAL_STORE' });
}

type World = Pick<Io, 'platform'>;

/** The layout of the file that this version reads and writes. */
export const layout = 1;

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

export function tokensOf(io: World, paths: Paths, raw: Record<string, unknown>): Record<string, unknown> {
  const { version = layout, tokens = {} } = raw;
  if (version !== layout || !isObject(tokens)) throw invalid(io, paths);
  return tokens;
}

function invalid(io: World, { credentialsFile: path }: Paths): DocsError {
  const message = `${path} is not a credentials file of this version of docs`;
  return notSent('configuration', 'invalid_credentials', message, { hint: editCommand(path, io.platform) });
}
