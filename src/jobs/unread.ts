import { DocsError } from '../errors.js';

/** Many reads, of which some fail: what could not be read is told, and the rest goes on. */

/** Something that could not be read, and why. */
export interface Unread<Kind extends string = string> {
  kind: Kind;
  id: string;
  title?: string;
  /** The space it stands in. */
  space?: string;
  error: DocsError;
}

/** Lets a failed read be told instead of ending the work. @throws as `readFailure` */
export function unreadOf<Kind extends string>(
  cause: unknown,
  signal: AbortSignal,
  what: Omit<Unread<Kind>, 'error'>,
): Unread<Kind> {
  return { ...what, error: readFailure(cause, signal) };
}

/**
 * The failure of a read that is told instead of ending everything.
 * @throws what no other read can survive: a bug, an interruption, a token that does not work, a disk
 * that does not take what was read
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

/** The same for machines. */
export function unreadFacts({ error, ...what }: Unread): Record<string, unknown> {
  return { ...what, error: error.toJSON() };
}
