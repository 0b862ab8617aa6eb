import type { Plan } from '../../plans/plan.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/**
 * Applies a plan as one job: refuses what does not fit, shows and asks, claims the plan, sends, writes the lock.
 * @param at.folder of the organization as code, absolute, where the plan has a lock
 * @throws DocsError usage `plan_applied`, `plan_foreign`, `plan_expired`, …, all reasons at once; conflict `stale`
 */
export async function applyPlan(
  _session: Session,
  _plan: Plan,
  _input: ManualInput,
  _at: { folder?: string },
): Promise<void> {
  throw new Error('not built yet');
}
