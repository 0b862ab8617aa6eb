import { DocsError } from '../../errors.js';
import type { Finding, FoundSpace } from './finding.js';

/** What came of looking: findings, how much was looked at, and what could not be read. */

/** Something that could not be read, and why. */
export interface Unread {
  kind: 'space' | 'collection' | 'site' | 'site-space' | 'page';
  id: string;
  title?: string;
  /** Of a page. */
  space?: string;
  error: DocsError;
}

/** A space that was looked at, or a page of a change request. */
export interface Looked {
  space: FoundSpace;
  findings: Finding[];
  /** Links in all, whatever their status; undefined where the platform does not tell. */
  links: number | undefined;
  /** What of it could not be read. */
  unread: Unread[];
}

/**
 * Lets a failed read be told instead of ending the check. What no other read can survive is thrown:
 * a bug, an interruption, a token that does not work.
 */
export function unreadOf(cause: unknown, signal: AbortSignal, what: Omit<Unread, 'error'>): Unread {
  return { ...what, error: readFailure(cause, signal) };
}

/** The failure of a read that is told instead of ending everything. @throws what no other read survives */
export function readFailure(cause: unknown, signal: AbortSignal): DocsError {
  if (!(cause instanceof DocsError) || signal.aborted || cause.kind === 'unauthenticated') throw cause;
  return cause;
}

/** `space Handbook (s1): The platform answered 500.` */
export function unreadWords({ kind, id, title, space, error }: Unread): string {
  const name = title === undefined ? id : `${title} (${id})`;
  const place = space === undefined ? '' : ` of space ${space}`;
  return `${kind.replace('-', ' ')} ${name}${place}: ${error.message}`;
}

/** The same for machines. */
export function unreadFacts({ error, ...what }: Unread): Record<string, unknown> {
  return { ...what, error: error.toJSON() };
}
