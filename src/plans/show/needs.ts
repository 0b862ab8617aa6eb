import type { Need, Severity } from '../../document/document.js';
import { sends } from '../operation.js';
import type { Plan, PlanOperation } from '../plan.js';
import { exposedBy, isConflict, nameOf, riskOf } from './summary.js';

/** What to look at in a plan before it is applied: the same on its page and on a terminal. */

/** The parts of the page that these lines lead to. */
export const changesTitle = 'Changes';
export const conflictsTitle = 'Conflicts';

/** What cannot be undone, what gives or takes access, and what else the plan names a risk; conflicts before all. */
export function needsOf({ operations }: Pick<Plan, 'operations'>): Need[] {
  const clashes = operations.filter(isConflict).map(
    (one): Need => ({
      severity: 'attention',
      text: `${nameOf(one)}: files and platform both changed`,
      part: conflictsTitle,
    }),
  );
  const lines = operations.filter(sends).flatMap((one): Need[] => {
    const severity = severityOf(one);
    if (severity === undefined) return [];
    const name = nameOf(one);
    const text = riskOf(one) ?? undoText(one);
    return [{ severity, text: text.includes(name) ? text : `${name}: ${text}`, part: changesTitle }];
  });
  const findings = operations.flatMap((one): Need[] =>
    one.finding === undefined || isConflict(one)
      ? []
      : [{ severity: 'attention', text: `${nameOf(one)}: ${one.finding.message}` }],
  );
  return [...clashes, ...lines, ...findings];
}

export function severityOf(operation: PlanOperation): Severity | undefined {
  if (operation.undo === 'none') return 'irreversible';
  if (exposedBy(operation).length > 0) return 'widening';
  return riskOf(operation) === undefined ? undefined : 'attention';
}

/** What undo does not restore. */
export function undoText({ undo, why }: PlanOperation): string {
  const reason = (why ?? 'the API cannot do it').replace(/\.$/, '');
  return undo === 'none' ? `Cannot be undone: ${reason}.` : `Can be undone only in part: ${reason}.`;
}
