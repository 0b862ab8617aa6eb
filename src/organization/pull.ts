import type { Io } from '../io.js';
import type { Lock } from '../plans/lock.js';
import type { LockChange } from '../plans/plan.js';
import type { Address, Live } from './model.js';

export interface Pulled {
  /** Files that were written, relative to the folder. */
  written: readonly string[];
  /** Items that were edited in the files and on the platform, or in the files alone: left as they are. */
  kept: readonly { item: Address; file: string; line: number; why: string }[];
  lock: readonly LockChange[];
}

/** Writes what the platform shows into the files of a folder (PLANS.md, "Three-way"). */
export async function pull(
  _io: Io,
  _folder: string,
  _live: Live,
  _lock: Lock | undefined,
  _options: { onlyDrift: boolean; take: ReadonlySet<string> },
): Promise<Pulled> {
  throw new Error('not built yet');
}
