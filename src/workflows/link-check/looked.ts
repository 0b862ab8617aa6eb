import type { Unread } from '../../jobs/unread.js';
import type { Finding, FoundSpace } from './finding.js';

/** What came of looking: findings, how much was looked at, and what could not be read. */

/** A space that was looked at, or a page of a change request. */
export interface Looked {
  space: FoundSpace;
  findings: Finding[];
  /** Links in all, whatever their status; undefined where the platform does not tell. */
  links: number | undefined;
  /** What of it could not be read. */
  unread: Unread[];
}
