import { DocsError } from '../base/errors.js';
import type { ExitName } from '../base/exit-codes.js';

const kinds: Readonly<Record<number, ExitName>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  412: 'conflict',
  429: 'rate-limited',
};

/**
 * An error response. Thrown in a handler, it rolls back all writes, and the server sends
 * `{"error": {"code": status, "message"}}` (platform-facts, "Errors").
 */
export function refusal(status: number, message: string): DocsError {
  return new DocsError(kinds[status] ?? 'refused', `http_${status}`, message, { status });
}

/** 404 for something unknown, deleted or invisible to the caller; callers cannot tell which. */
export function notFound(what: string, id: string): DocsError {
  return refusal(404, `${named(what, id)} not found`);
}

/** 409 for a key that people choose, and that another one has. */
export function alreadyExists(what: string, key: string): DocsError {
  return refusal(409, `${named(what, key)} already exists`);
}

function named(what: string, id: string): string {
  return `${what} ${JSON.stringify(id)}`;
}

/** The value. @throws 404 if undefined */
export function found<T>(value: T | undefined, what: string, id: string): T {
  if (value === undefined) throw notFound(what, id);
  return value;
}
