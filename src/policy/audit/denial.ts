import type { Io } from '../../io.js';
import type { Actor } from '../actor.js';
import type { Cause } from '../policy.js';

/** What was denied. */
export interface Denial {
  actor: Actor;
  /** Words of the command, without ids and flags. */
  command: string;
  /** `DELETE /v1/spaces/x`; none where the command was denied as a whole. */
  request?: string;
  cause: Cause;
}

/** Adds a denial to the audit chain of this machine. */
export async function recordDenial(_io: Io, _denial: Denial): Promise<void> {
  throw new Error('not built yet');
}
