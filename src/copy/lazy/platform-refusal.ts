import { DocsError } from '../../base/errors.js';
import type { Response } from '../../sandbox/server/respond.js';

/** Whether the platform itself refused to answer, with a status that a command is to see as it is. */
export function isRefusal(error: unknown): error is DocsError {
  return error instanceof DocsError && (error.failure.status ?? 0) >= 400;
}

/** Whether there is nothing to read, or nothing for this token. */
export function isHidden(error: unknown): boolean {
  return isRefusal(error) && [403, 404].includes(error.failure.status ?? 0);
}

/**
 * What a copy answers where the platform could not be read: what the platform refused it refuses in the same words,
 * and otherwise it says why, with a status that tells that nothing was done.
 * @throws what is not an error of the platform
 */
export function unread(error: unknown): Response {
  if (isRefusal(error)) throw error;
  if (!(error instanceof DocsError) || error.kind === 'bug') throw error;
  const { path } = error.failure;
  const message = `The copy could not read ${path?.split('?', 1)[0] ?? 'what this needs'} of the platform: ${error.message}`;
  return {
    status: 503,
    headers: { 'retry-after': '1' },
    body: JSON.stringify({ error: { code: 503, message } }),
  };
}

/** The answer; undefined if it is hidden from the token. */
export async function orHidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}
