import { type DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { editCommand } from '../base/shell-word.js';
import { isObject } from '../base/values.js';
import { readOwnObject } from './own-files.js';
import type { Paths } from './paths.js';

type World = Pick<Io, 'platform'>;

/** The layout of the file that this version reads and writes. */
const layout = 1;

/**
 * Reads the token of an account from the credentials file.
 * @returns undefined if the file or the account is missing
 * @throws DocsError configuration `corrupt_credentials`, `invalid_credentials`; local-io
 *   `cannot_read_credentials`
 */
export function readFileToken(io: World, paths: Paths, account: string): string | undefined {
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
export async function replaceFileToken(
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
  const message = `${path} is not a credentials file of this version of docs.`;
  return notSent('configuration', 'invalid_credentials', message, { hint: editCommand(path, io.platform) });
}
