import { groupBy } from '../base/values.js';
import type { Plan, PlanOperation } from './plan.js';
import { actions } from './schema.js';

/** How many operations there are of each action, in the order of actions. */
export function countActions(operations: readonly PlanOperation[]): Plan['counts'] {
  const found = groupBy(operations, ({ action }) => action);
  const counts = actions.map((action) => [action, found.get(action)?.length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined));
}
