import { usageError } from '../../errors.js';

/**
 * Encodes one value for one segment of a path, so that it can reach no other resource.
 * @param value an id from a user or from the platform
 * @throws DocsError usage `invalid_id` for "", ".", ".." and text that is not Unicode (RELIABILITY.md,
 *   "Secrets and origins")
 */
export function encodeSegment(value: string): string {
  if (value === '') throw invalid('An id must not be empty.');
  if (value === '.' || value === '..') throw invalid(`"${value}" is not an id.`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalid('An id holds half a character (a lone surrogate).');
  }
}

/**
 * Checks a path that is sent as it stands.
 * @throws DocsError usage `invalid_path`
 */
export function checkPath(path: string): void {
  if (!path.startsWith('/')) throw invalidPath('A path must start with "/".');
  if (path.includes('#')) throw invalidPath('A path must not hold "#"; write %23.');
  if (!/^[\x21-\x7e]*$/.test(path)) {
    throw invalidPath(
      'A path must not hold spaces, control characters or letters beyond ASCII; encode them.',
    );
  }
}

function invalid(message: string) {
  return usageError('invalid_id', message, { hint: 'docs --help' });
}

function invalidPath(message: string) {
  return usageError('invalid_path', message, { hint: 'docs api --help' });
}
