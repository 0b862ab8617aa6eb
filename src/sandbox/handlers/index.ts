import type { Handler } from '../handle.js';
import type { PendingWork } from '../pending.js';
import * as members from './members.js';

/** What a file of handlers exports. */
export interface ResourceModule {
  handlers: readonly Handler[];
  /** What falls due as the clock passes. */
  pending?: readonly PendingWork[];
}

/** One line a resource. */
const resources: readonly ResourceModule[] = [members];

export const handlers: readonly Handler[] = resources.flatMap((resource) => resource.handlers);
export const pendingWork: readonly PendingWork[] = resources.flatMap((resource) => resource.pending ?? []);
