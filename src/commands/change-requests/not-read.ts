import type { Session } from '../../cli/declare/session.js';
import { warnReader } from '../../cli/run/output-flags.js';
import { DocsError } from '../../errors.js';
import { type Unread, unreadFacts, unreadWords } from '../../reading/reading.js';

/**
 * What was not read, a line each; then the failure.
 * @param sum what was found, as a sentence
 * @throws DocsError partial `not_all_read`, unless all was read
 */
export function refuseUnread(session: Session, unread: readonly Unread[], sum: string, hint: string): void {
  if (unread.length === 0) return;
  warnReader(
    session,
    unread.map((one) => `Not read: ${unreadWords(one)}`),
  );
  throw new DocsError('partial', 'not_all_read', `${sum} Not read: ${unread.length}.`, {
    details: { unread: unread.map(unreadFacts) },
    retryable: unread.some(({ error }) => error.failure.retryable === true),
    hint,
  });
}
