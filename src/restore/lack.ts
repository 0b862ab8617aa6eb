import type { Live } from '../organization/model.js';
import type { AccessCompared } from './access.js';
import type { FieldsOf } from './counts.js';
import type { Part } from './parts.js';

/** What the table of a restore says of one kind of file. */

export interface Restoring {
  /** How it comes back, as a sentence; absent where nothing of it does. */
  by?: { part: Part; how: string };
  /** The parts beside which its lacks are told, where nothing of it comes back. */
  beside?: Part | readonly Part[];
  /** What of it does not come back, and why. */
  cannot?: readonly Lack[];
}

export interface Lack {
  /** The noun, in the plural: `comments`. */
  what: string;
  /** A sentence. */
  why: string;
  /**
   * How many there are: a key of the counts in the manifest, or counted from what the backup and the platform show.
   * It is told only where there are some; absent or undefined where that cannot be counted, and it is told always.
   */
  count?: string | ((facts: Facts) => number | undefined);
  /** What it comes to now, as sentences after `why`. */
  more?(facts: Facts): readonly string[];
  /** The fields that it is about; without a count, the items are counted that differ in them. */
  of?: FieldsOf;
  /** It is counted from what differs now, so where there is none, nothing of it is lost. */
  differs?: true;
  /** The planner has a finding for each, so it is not told twice. */
  found?: true;
}

/** What lacks are counted from. */
export interface Facts {
  saved: Live;
  live: Live;
  /** What the comparison of content found. */
  content: Uncarried;
  /** Whether the organization has a logo in the backup. */
  hasLogo: boolean;
  /** How many items are created again. */
  created: number;
  /** Undefined where access was not compared. */
  access: AccessCompared | undefined;
}

/** What an import does not carry, where it differs: numbers of spaces, pages and reusable contents. */
export interface Uncarried {
  orders: number;
  covers: number;
  reusables: number;
}
