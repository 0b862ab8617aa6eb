import type { Session } from './session.js';

/** How declarations say what a person is asked with, where a positional or a flag is missing on a terminal. */

/** What was typed so far, by name. */
interface TypedSoFar {
  args: Readonly<Record<string, string | string[] | undefined>>;
  options: Readonly<Record<string, unknown>>;
}

/** One of the values to choose from. */
export interface Offer {
  value: string;
  /** What is listed; sanitised where it is shown. */
  name: string;
  /** What tells it from another of the same name; listed behind the name, and never cut. */
  id?: string;
  /** Shown below the list while it is under the cursor. */
  description?: string;
  /** Whether it is in force now, and so under the cursor. */
  current?: boolean;
}

/**
 * Lists the values, the likeliest first.
 * @returns none where there is nothing to choose from: `none` then says so; undefined where a text is typed instead
 */
export interface Offers {
  list(session: Session, input: TypedSoFar): Promise<readonly Offer[] | undefined>;
  /** The sentence for an empty list: `No deleted spaces to restore.` */
  none: string;
}

/** Throws the error that the command would throw for a typed text. */
export type Check = (typed: string, session: Session, input: TypedSoFar) => unknown;
