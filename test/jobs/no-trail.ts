import type { Trail } from '../../src/jobs/trail.js';

/** For jobs that no audit chain is to record. */
export const noTrail: Trail = { record: async () => true };
