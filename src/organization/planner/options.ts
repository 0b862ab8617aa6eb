import type { Draft, LockChange, PlanNote } from '../../plans/plan.js';

export interface PlanOptions {
  only?: 'change' | 'drift';
  prune: boolean;
  /** Whether to tell what changed that the files do not name, and what left them. */
  watches?: boolean;
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
  notes: readonly PlanNote[];
}
