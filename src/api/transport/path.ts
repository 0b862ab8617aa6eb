import { usageError } from '../../errors.js';

/**
 * Encodes a value as one path segment, so that it cannot address another resource.
 * @param value an id from a user or from the platform
 * @throws DocsError usage `invalid_id` for "", ".", ".." and text that is not Unicode (RELIABILITY.md,
 *   "Secrets and origins")
 */
export function encodeSegment(value: string): string {
  if (value === '') throw invalid('The id must not be empty.');
  if (value === '.' || value === '..') throw invalid(`"${value}" is not an id.`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalid('The id contains a lone surrogate.');
  }
}

/**
 * Checks a path that is sent unchanged.
 * @throws DocsError usage `invalid_path`
 */
export function checkPath(path: string): void {
  if (!path.startsWith('/')) throw invalidPath('The path must start with "/".');
  if (path.includes('#')) throw invalidPath('The path must not contain "#"; encode it as %23.');
  if (!/^[\x21-\x7e]*$/.test(path)) {
    throw invalidPath(
      'The path must not contain spaces, control characters or non-ASCII characters; encode them.',
    );
  }
}

function invalid(message: string) {
  return usageError('invalid_id', message, { hint: 'docs --help' });
}

function invalidPath(message: string) {
  return usageError('invalid_path', message, { hint: 'docs api --help' });
}
