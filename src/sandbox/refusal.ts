import { DocsError } from '../errors.js';
import type { ExitName } from '../exit-codes.js';

const kinds: Readonly<Record<number, ExitName>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  412: 'conflict',
  429: 'rate-limited',
};

/**
 * An answer other than success: throw it anywhere in a handler and the server sends
 * `{"error": {"code": status, "message"}}` (platform-facts, "Errors"). What was written is undone.
 * @param status 400, 401, 403, 404, 409, 412, 413, 415, 429 or 501
 */
export function refusal(status: number, message: string): DocsError {
  return new DocsError(kinds[status] ?? 'refused', `http_${status}`, message, { status });
}

/** 404: unknown, deleted, or not visible to the caller; all three look the same from outside. */
export function notFound(what: string, id: string): DocsError {
  return refusal(404, `There is no ${what} ${JSON.stringify(id)}.`);
}

/** The value, or 404 where there is none. */
export function found<T>(value: T | undefined, what: string, id: string): T {
  if (value === undefined) throw notFound(what, id);
  return value;
}
