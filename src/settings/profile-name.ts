import { usageError } from '../errors.js';

/**
 * Checks the name of a profile: at most 64 letters, digits, dots, dashes and underscores, starting with a
 * letter or digit. Such a name is safe in files, keychain accounts and command lines.
 * @throws DocsError usage `invalid_profile`
 */
export function checkProfileName(name: unknown): string {
  if (typeof name === 'string' && /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  const shown = typeof name === 'string' ? ` ${JSON.stringify(name.slice(0, 64))}` : '';
  const message = `invalid profile name${shown}: use letters, digits, dots, dashes and underscores`;
  throw usageError('invalid_profile', message);
}
