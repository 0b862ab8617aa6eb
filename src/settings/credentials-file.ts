import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { isObject } from '../is-object.js';
import { readOwnObject } from './own-files.js';
import type { Paths } from './paths.js';
import { editCommand } from './shell-word.js';

/** The layout of the file that this version reads and writes. */
const layout = 1;

/**
 * Reads the token of an account from the credentials file.
 * @returns undefined if the file or the account is missing
 * @throws DocsError configuration `corrupt_credentials`, `invalid_credentials`; local-io
 *   `cannot_read_credentials`
 */
export function readFileToken(io: Pick<Io, 'platform'>, paths: Paths, account: string): string | undefined {
  const raw = readOwnObject(io, paths.credentialsFile);
  if (raw === undefined) return undefined;
  const tokens = tokensOf(io, paths, raw);
  const token = Object.hasOwn(tokens, account) ? tokens[account] : undefined;
  if (token === undefined) return undefined;
  if (typeof token !== 'string') throw invalid(io, paths);
  return token;
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

function tokensOf(
  io: Pick<Io, 'platform'>,
  paths: Paths,
  raw: Record<string, unknown>,
): Record<string, unknown> {
  const { version, tokens } = raw;
  if (version !== undefined && version !== layout) throw invalid(io, paths);
  if (tokens === undefined) return {};
  if (!isObject(tokens)) throw invalid(io, paths);
  return tokens;
}

function invalid(io: Pick<Io, 'platform'>, paths: Paths): DocsError {
  const path = paths.credentialsFile;
  return new DocsError(
    'configuration',
    'invalid_credentials',
    `${path} is not a credentials file of this version of docs.`,
    { outcome: 'not-sent', hint: editCommand(path, io.platform) },
  );
}
