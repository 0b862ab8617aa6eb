import type { LockChange, LockEntry } from './plan.js';

/** `docs.lock.json`: which item of the files is which of the platform, and the hashes of what was last applied. */
export interface Lock {
  version: 1;
  org: string;
  origin: string;
  items: Readonly<Record<string, LockEntry>>;
}

/** @returns undefined where there is none @throws DocsError configuration `bad_lock` */
export function readLock(_folder: string): Lock | undefined {
  throw new Error('not built yet');
}

/** Changes entries, atomically; one line an item, sorted. @param head for a lock that is not there yet */
export function updateLock(
  _folder: string,
  _head: Pick<Lock, 'org' | 'origin'>,
  _changes: readonly LockChange[],
): void {
  throw new Error('not built yet');
}
