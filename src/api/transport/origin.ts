import { DocsError } from '../../base/errors.js';
import { isLoopback, parseUrl } from './base-url.js';
import type { TransportOptions } from './contract.js';

const facts = { outcome: 'not-sent', hint: 'docs auth login' } as const;

/** Releases the token only to the origin it belongs to. */
export interface TokenGuard {
  /** The token without its final newline; undefined without a credential. */
  readonly token: string | undefined;
  /** The value of `authorization`. @throws DocsError configuration `wrong_origin` or `sandbox_token` */
  authorize(origin: string): string | undefined;
}

/** @throws DocsError unauthenticated `invalid_token` if the token cannot be put into a header */
export function guardToken(credential: TransportOptions['credential']): TokenGuard {
  if (credential === undefined) return { token: undefined, authorize: () => undefined };
  const token = checkToken(credential.token);
  const own = parseUrl(credential.origin)?.origin;
  const header = `Bearer ${token}`;
  return {
    token,
    authorize(origin) {
      const refused = refusalFor(token, own, origin);
      if (refused !== undefined) throw refused;
      return header;
    },
  };
}

/** Trims one final newline; anything else beyond printable ASCII is rejected, and never echoed. */
function checkToken(text: string): string {
  const token = text.replace(/\r?\n$/, '');
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const reason = token === '' ? 'is empty' : 'contains a newline, a space or another invalid character';
  throw new DocsError('unauthenticated', 'invalid_token', `The token ${reason}.`, facts);
}

function refusalFor(token: string, own: string | undefined, origin: string): DocsError | undefined {
  if (own !== origin) {
    const owner = own ?? 'another origin';
    const message = `The token belongs to ${owner} and was not sent to ${origin}.`;
    return new DocsError('configuration', 'wrong_origin', message, facts);
  }
  if (token.startsWith('sbx_') && !isLoopback(new URL(origin).hostname)) {
    const message = `The token is a sandbox token and was not sent to ${origin}.`;
    return new DocsError('configuration', 'sandbox_token', message, facts);
  }
  return undefined;
}
