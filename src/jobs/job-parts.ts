import type { Client } from '../api/client.js';
import type { Io } from '../base/io.js';
import type { ItemRecord } from './journal.js';
import type { JournalFile } from './journal-file.js';
import type { Made } from './made.js';
import type { Step } from './step.js';

/** What a job works with. */
export interface JobParts {
  io: Io;
  client: Client;
  /** undefined where journals are off; then no state is read before a change either. */
  journal: JournalFile | undefined;
  steps: readonly Step[];
  concurrency: number;
  /** Skip the items that have not started when one fails. */
  failFast: boolean;
  /** A change of one item: the state before it is read only where undo needs it. */
  single?: boolean;
  /** The state before a change is never read. */
  unread?: boolean;
  /** What items of earlier runs made, by item. */
  made?: Made;
  /** Ids that items of earlier runs created. */
  claimed?: Pick<ReadonlySet<string>, 'has'>;
  /** The command that settles by hand what no read settles. */
  byHand?: (record: ItemRecord, candidates: readonly string[]) => string;
}
