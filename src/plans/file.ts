import type { Io } from '../io.js';
import type { Plan } from './plan.js';

/**
 * Writes a plan (0600), atomically, with its bodies over 32 KB beside it as `<file>.bodies/<hash>`.
 * @throws DocsError local-io
 */
export async function writePlan(_io: Io, _path: string, _plan: Plan): Promise<void> {
  throw new Error('not built yet');
}

/**
 * Reads a plan and checks that it is whole.
 * @throws DocsError usage `plan_edited`, `plan_version`, `not_a_plan`; local-io
 */
export async function readPlan(_io: Io, _path: string): Promise<Plan> {
  throw new Error('not built yet');
}
