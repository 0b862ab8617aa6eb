import { DocsError } from '../errors.js';

/**
 * A token as given by a person, a pipe or a variable: one newline at its end is dropped, and what is
 * left must fit into a header (RELIABILITY.md, "Secrets and origins"). The token is never repeated.
 * @param where it came from, for the message
 * @throws DocsError unauthenticated `malformed_token`
 */
export function checkToken(text: string, where: string): string {
  const token = text.replace(/\r?\n$/, '');
  if (token === '') throw malformed(where, 'is empty');
  if (/[\r\n]/.test(token)) throw malformed(where, 'holds a line break');
  if (/\s/.test(token)) throw malformed(where, 'holds a space');
  if (/[\x00-\x1f\x7f-\x9f]/.test(token)) throw malformed(where, 'holds a control character');
  if (/[^\x21-\xff]/.test(token)) throw malformed(where, 'holds a character that no header can carry');
  return token;
}

function malformed(where: string, what: string): DocsError {
  return new DocsError(
    'unauthenticated',
    'malformed_token',
    `The token from ${where} ${what}; nothing was sent.`,
    {
      outcome: 'not-sent',
      hint: 'docs auth login',
    },
  );
}
