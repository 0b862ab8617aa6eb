import { type DocsError, notSent } from '../errors.js';

/**
 * Checks a token from a prompt, a pipe or a variable: drops one trailing newline; the rest must be a valid
 * header value (RELIABILITY.md, "Secrets and origins"). The message never contains the token.
 * @param where the token came from, for the message
 * @throws DocsError unauthenticated `malformed_token`
 */
export function checkToken(text: string, where: string): string {
  const token = text.replace(/\r?\n$/, '');
  if (token === '') throw malformed(where, 'is empty');
  if (/[\r\n]/.test(token)) throw malformed(where, 'contains a line break');
  if (/\s/.test(token)) throw malformed(where, 'contains a space');
  if (/[\x00-\x1f\x7f-\x9f]/.test(token)) throw malformed(where, 'contains a control character');
  if (/[^\x21-\xff]/.test(token)) {
    throw malformed(where, 'contains a character that HTTP headers do not allow');
  }
  return token;
}

function malformed(where: string, what: string): DocsError {
  const message = `The token from ${where} ${what}; nothing was sent.`;
  return notSent('unauthenticated', 'malformed_token', message, { hint: 'docs auth login' });
}
