import type { Database } from '../../sandbox/store/database.js';
import type { VerifiedFiles } from './verified-files.js';

/** What the steps of filling a copy share. */
export interface Filling {
  readonly db: Database;
  readonly orgId: string;
  /** Files at the top of the backup. */
  readonly top: VerifiedFiles;
  /** Parts that the copy could not take over, each a sentence. */
  readonly gaps: string[];
  readonly signal: AbortSignal;
}
