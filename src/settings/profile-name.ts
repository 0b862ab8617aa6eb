import { usageError } from '../errors.js';

/**
 * The name of a profile: letters, digits, dot, dash and underscore, the first one a letter or digit,
 * at most 64; so that it can be part of a file, a keychain account and a command line.
 * @throws DocsError usage `invalid_profile`
 */
export function checkProfileName(name: unknown): string {
  if (typeof name === 'string' && /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  const shown = typeof name === 'string' ? JSON.stringify(name.slice(0, 64)) : 'it';
  throw usageError(
    'invalid_profile',
    `${shown} cannot name a profile: use letters, digits, dot, dash and underscore.`,
  );
}
