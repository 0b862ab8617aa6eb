import type { Plan } from '../plan.js';
import type { PlanLook } from './text.js';
import { nothing, titleOf } from './title.js';

/** The text of a plan. What prints operations is loaded for those alone. */
export async function planTextOf(plan: Plan, look: PlanLook): Promise<string> {
  return emptyText(plan, look) ?? (await import('./text.js')).planText(plan, look);
}

/** All that is said of most plans; undefined for others, and where it has colours or more than one line. */
function emptyText(plan: Plan, { columns, colour, drawn, made, approval }: PlanLook): string | undefined {
  const isLong = plan.operations.length > 0 || plan.notes !== undefined || plan.risks.length > 0;
  if (isLong || colour || drawn !== undefined || made === true || approval !== undefined) return undefined;
  const line = `${titleOf(plan)}: ${nothing}`;
  return /^[ -~]*$/.test(line) && line.length <= Math.max(40, columns) ? `${line}\n` : undefined;
}
