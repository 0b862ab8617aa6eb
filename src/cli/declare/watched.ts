import type { DocsError, ExitName } from '../../base/errors.js';
import type { Session } from './session.js';

/** What moves in what a command reads, for `--watch`. */
export interface Watched {
  /** Dotted path of the field that moves: of the resource, or of each item of a list. */
  field: string;
  /** Values that still change by themselves, and those that do not. Any other value counts as one that may change. */
  moving: readonly string[];
  /** None: it is watched until Ctrl-C. */
  final?: readonly string[];
  /** The field with the reason of a failure. An item that has it rests, unless its value is a moving one. */
  error?: string;
  /** The list holds what rested long before: only what moved while it was watched can make the command fail. */
  history?: true;
  /** Loads what tells the failure that resting items are, if any of them is one. */
  failure?: () => Promise<FailureOf>;
  /** The kinds of that failure. */
  exits?: readonly ExitName[];
}

/** @param items all that rest, and count */
export type FailureOf = (session: Session, items: readonly unknown[]) => DocsError | undefined;
