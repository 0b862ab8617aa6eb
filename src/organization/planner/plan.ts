import type { Lock } from '../../plans/lock.js';
import type { Draft } from '../../plans/make.js';
import type { LockChange } from '../../plans/plan.js';
import type { Desired, Live } from '../model.js';

export interface PlanOptions {
  only?: 'change' | 'drift';
  prune: boolean;
  /** Of conflicts, by the address of the item. */
  take: ReadonlyMap<string, 'file' | 'live'>;
  /** Who the token belongs to, where that is known. */
  self?: { id: string; email?: string };
  env: Readonly<Record<string, string | undefined>>;
}

export interface Planned {
  /** In the order in which they are sent; findings and what is withheld last. */
  drafts: readonly Draft[];
  /** Entries of the lock that are out of date although files and platform agree. */
  settled: readonly LockChange[];
  risks: readonly string[];
}

/**
 * Compares files, platform and lock, and plans what makes the platform as the files say.
 * @throws DocsError usage `guarded`, with all guards that would be broken
 */
export function planOrganization(
  _desired: Desired,
  _live: Live,
  _lock: Lock | undefined,
  _options: PlanOptions,
): Planned {
  throw new Error('not built yet');
}
