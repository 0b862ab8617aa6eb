import type { Unread } from '../snapshot/unread.js';

/** Failures that are listed one by one; of more, only the number. */
const mostTold = 100;

/** What could not be read, counted; memory does not grow with the number of members. */
export class Tally {
  /** The first failures. */
  readonly unread: Unread[] = [];
  /** Reads that failed. */
  failures = 0;
  /** People or pairs that were given out. */
  rows = 0;
  /** Rows of which the role, or what gives it, is not known. */
  unknown = 0;
  /** Whether the same command may tell more when it is run again. */
  retryable = false;

  fail(...failed: readonly Unread[]): void {
    this.failures += failed.length;
    this.retryable ||= failed.some(({ error }) => error.failure.retryable === true);
    this.unread.push(...failed.slice(0, Math.max(0, mostTold - this.unread.length)));
  }
}
