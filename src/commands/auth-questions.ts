import type { Client } from '../api/client.js';
import { checkBaseUrl } from '../api/transport/base-url.js';
import { DocsError, notSent, usageError } from '../base/errors.js';
import { defined } from '../base/values.js';
import type { Session } from '../cli/declare/session.js';
import { readSource } from '../cli/parse/typed-text.js';
import { askHidden, askOffer, askText, askYes } from '../cli/resolve/prompts.js';
import type { StoredMember } from '../settings/settings-file.js';
import { checkToken } from '../settings/token.js';

/** What sign-in asks, of the person and of the platform. */

/** Whether the token may not be kept in a file, where the keychain's part of this installation does not load. */
export async function refuses(session: Session, problem: string): Promise<boolean> {
  session.printer.note(`The system keychain cannot be used: ${problem}.`);
  return !(await askYes(session, 'Store the token in a file that only you can read?'));
}

/** Organizations that sign-in lists on a terminal; whoever has more sets the default by its id. */
export const mostListed = 200;

/** What stands for no default, which no id does. */
const noDefault = '';

/**
 * The organization that becomes the default: the only one; on a terminal one of several, unless the profile has one
 * of them or the person wants none. None is under the cursor first, so that Enter alone decides nothing.
 */
export async function defaultOf<T extends { id: string; title: string }>(
  session: Session,
  orgs: readonly T[],
): Promise<T | undefined> {
  if (orgs.length < 2 || !session.interactive) return orgs.length === 1 ? orgs[0] : undefined;
  const { org } = session.settings;
  const known = orgs.find(({ id }) => id === org?.value);
  const listed = orgs.map(({ id, title }) => ({
    value: id,
    name: title,
    id,
    current: id === known?.id,
  }));
  const none = { value: noDefault, name: 'No default', description: 'Commands ask, or take --org.' };
  const chosen = await askOffer(session, 'Default organization', [none, ...listed]);
  return orgs.find(({ id }) => id === chosen);
}

/** What leaving the question means here: the platform was asked for the organizations, and nothing is stored. */
export function notStored(cause: unknown): never {
  if (!(cause instanceof DocsError) || cause.kind !== 'interrupted') throw cause;
  throw notSent(cause.kind, cause.code, 'Interrupted; the token was not stored.');
}

/**
 * The member whom a new token belongs to, as a ping shows it; undefined where that cannot be told: sign-in never
 * fails for it.
 */
export async function ownerOf(
  client: Client,
  organizationId: string | undefined,
): Promise<StoredMember | undefined> {
  if (organizationId === undefined) return undefined;
  try {
    const { findTokenOwner } = await import('../access/read/token-owner.js');
    const owner = await findTokenOwner(client, organizationId);
    if (owner.is !== 'known') return undefined;
    const { id, user } = owner.member;
    return defined({ id, email: user.email ?? undefined });
  } catch (cause) {
    if (!(cause instanceof DocsError) || ['interrupted', 'terminated'].includes(cause.kind)) throw cause;
    return undefined;
  }
}

/** The address of the platform, given or typed. @throws DocsError usage `missing_base_url` */
export async function chooseBaseUrl(session: Session): Promise<string> {
  const known = session.settings.baseUrl?.value;
  const given = session.globals.baseUrl ?? (session.interactive ? undefined : known);
  if (given === undefined && !session.interactive) {
    throw usageError('missing_base_url', 'No platform address; pass --base-url or set DOCS_BASE_URL.');
  }
  const typed =
    given ?? (await askText(session, 'Address of the platform:', { initial: known, check: checkBaseUrl }));
  return checkBaseUrl(typed).href.replace(/\/$/, '');
}

/** The token, from standard input or typed. @throws DocsError usage `missing_token`; of a malformed token */
export async function readToken(session: Session, withToken: boolean): Promise<string> {
  if (withToken) return checkToken(await readSource(session, '-', '--with-token'), 'standard input');
  if (!session.interactive) {
    throw usageError('missing_token', 'No terminal to ask for the token; pipe it in with --with-token.');
  }
  return checkToken(
    await askHidden(session, 'Token:', { check: (typed) => checkToken(typed, 'the prompt') }),
    'the prompt',
  );
}
