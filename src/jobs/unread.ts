import { DocsError } from '../errors.js';

/** Reads of many things: what cannot be read is reported, and the rest goes on. */

/** Something that could not be read. */
export interface Unread<Kind extends string = string> {
  kind: Kind;
  id: string;
  title?: string;
  /** The space that contains it. */
  space?: string;
  error: DocsError;
}

/** Turns a failed read into a report. @throws as `readFailure` */
export function unreadOf<Kind extends string>(
  cause: unknown,
  signal: AbortSignal,
  what: Omit<Unread<Kind>, 'error'>,
): Unread<Kind> {
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

/** `space Handbook (s1): The platform answered 500.` */
export function unreadWords({ kind, id, title, space, error }: Unread): string {
  const name = title === undefined ? id : `${title} (${id})`;
  const place = space === undefined ? '' : ` of space ${space}`;
  return `${kind.replaceAll('-', ' ')} ${name}${place}: ${error.message}`;
}

/** The same as data. */
export function unreadFacts({ error, ...what }: Unread): Record<string, unknown> {
  return { ...what, error: error.toJSON() };
}
