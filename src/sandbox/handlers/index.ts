import type { Handler, PendingWork } from '../handle.js';
import type { Download } from '../server/downloads.js';
import * as resources from './resources.js';

/** The exports of a file of handlers. */
interface ResourceModule {
  handlers: readonly Handler[];
  /** Work that falls due by the clock. */
  pending?: readonly PendingWork[];
  /** Downloads served without a token. */
  downloads?: readonly Download[];
}

const modules: readonly ResourceModule[] = Object.values(resources);

export const handlers: readonly Handler[] = modules.flatMap((module) => module.handlers);
export const pendingWork: readonly PendingWork[] = modules.flatMap((module) => module.pending ?? []);
export const downloads: readonly Download[] = modules.flatMap((module) => module.downloads ?? []);
