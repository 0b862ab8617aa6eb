import type { Session } from '../../cli/declare/session.js';
import { warnReader } from '../../cli/run/output.js';
import { notAllRead, notReadLines, type Unread, unreadFacts } from '../../snapshot/unread.js';

/**
 * What was not read, a line each; then the failure.
 * @param sum what was found, as a sentence
 * @throws DocsError partial `not_all_read`, unless all was read
 */
export function refuseUnread(session: Session, unread: readonly Unread[], sum: string, hint: string): void {
  if (unread.length === 0) return;
  warnReader(session, notReadLines(unread));
  const details = { unread: unread.map(unreadFacts) };
  throw notAllRead(`${sum} Not read: ${unread.length}.`, { unread, details, hint });
}
