import type { Considered } from './dependence.js';
import type { Covered, LockLine, Restores } from './journal.js';
import type { PlannedRequest } from './request.js';
import type { Part, Sureness } from './rule.js';
import type { State } from './state.js';

/** The undo of one item of a job. */
export interface Undoing {
  index: number;
  id: string;
  undo: Sureness;
  /** Why it is not exact, what it takes, or why it is not possible. */
  why?: string;
  /** undefined where it cannot be undone. */
  request?: PlannedRequest;
  /** The state that the job left; undefined where no read shows it. */
  expect?: State | undefined;
  /** What the first request cannot restore, in order. */
  further?: readonly Part[];
  /** The read that shows what was restored. */
  restores?: Restores;
  /** The id under which a request creates anew what the job deleted. */
  remakes?: string;
  /** What it does to the lock: the entry as it was before the change. */
  lock?: LockLine;
  /** Further items of the job that the request undoes, too. */
  covers?: readonly Covered[];
  /** Fields whose values came from the environment: the journal of the undo does not hold them either. */
  sealed?: readonly string[];
  /** The same, were it not for the change that it depends on. */
  free?: Undoing;
  /** What it undoes. */
  change: Considered;
}
