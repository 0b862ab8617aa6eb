import type { Client } from '../api/client.js';
import { DocsError } from '../base/errors.js';

export interface Reading {
  client: Client;
  organizationId: string;
  concurrency: number;
  signal: AbortSignal;
}

/** Reads of many things: what cannot be read is reported, and the rest goes on. */

export interface Unread {
  kind: string;
  id: string;
  title?: string;
  space?: string;
  error: DocsError;
}

/** Turns a failed read into a report. @throws as `readFailure` */
export function unreadOf(cause: unknown, signal: AbortSignal, what: Omit<Unread, 'error'>): Unread {
  return { ...what, error: readFailure(cause, signal) };
}

/**
 * The failure of one read among many.
 * @throws what all other reads would meet, too: a bug, an interruption, a token that does not work, a
 *   disk that is not writable
 */
export function readFailure(cause: unknown, signal: AbortSignal): DocsError {
  if (!(cause instanceof DocsError) || signal.aborted) throw cause;
  if (cause.kind === 'unauthenticated' || cause.kind === 'local-io') throw cause;
  return cause;
}

/** `space Handbook (s1): The platform answered 500.`; the error may be that of a manifest. */
export function unreadWords(what: Omit<Unread, 'error'> & { error: { message?: unknown } }): string {
  const { kind, id, title, space, error } = what;
  const name = title === undefined ? id : `${title} (${id})`;
  const place = space === undefined ? '' : ` of space ${space}`;
  return `${kind.replaceAll('-', ' ')} ${name}${place}: ${String(error.message)}`;
}

/** @throws every failure but that there is none */
export function unlessNotFound(cause: unknown): undefined {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
}

export function unreadFacts({ error, ...what }: Unread): Record<string, unknown> {
  return { ...what, error: error.toJSON() };
}
