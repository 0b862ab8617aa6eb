import { notSent } from '../base/errors.js';

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
  const token = text.replace(/\r?\n$/, '');
  const fault = faults.find(([, pattern]) => pattern.test(token));
  if (fault === undefined) return token;
  const message = `The token from ${where} ${fault[0]}; nothing was sent.`;
  throw notSent('unauthenticated', 'malformed_token', message, { hint: 'docs auth login' });
}
