import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { type Unread, unreadWords } from '../reading/reading.js';

/** A line for each thing that was not read: `Not read: space Handbook (s1): The platform answered 500.` */
export function notReadLines(unread: readonly Unread[]): string[] {
  return unread.map((one) => `Not read: ${unreadWords(one)}`);
}

interface Facts {
  /** What was not read, which says whether another try may read it. */
  unread?: readonly { error: DocsError }[];
  retryable?: boolean;
  details: Record<string, unknown>;
  hint?: string | undefined;
  /** Where it is not that of most commands. */
  code?: 'not_all_known' | 'unread';
}

/**
 * The failure (exit 3) of a command that has printed what it could read.
 * @param message what it lacks, or what was read all the same
 */
export function notAllRead(message: string, { unread = [], code, ...facts }: Facts): DocsError {
  const { retryable = unread.some(({ error }) => error.failure.retryable === true), details, hint } = facts;
  return new DocsError('partial', code ?? 'not_all_read', message, defined({ details, retryable, hint }));
}
