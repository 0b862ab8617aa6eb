import { type DocsError, usageError } from '../base/errors.js';
import type { Plan } from './plan.js';

/** Guards that applying a plan would break: each is a finding with this code, so that a saved plan carries it. */
export const guardCode = 'guarded';

/** Why a plan must not be applied: a sentence for each guard. */
export function brokenGuards({ operations }: Pick<Plan, 'operations'>): string[] {
  return operations.flatMap(({ finding }) => (finding?.code === guardCode ? [finding.message] : []));
}

/** Why `docs apply` refuses a plan that would break guards; undefined where it would break none. */
export function refusedText(plan: Pick<Plan, 'operations'>): string | undefined {
  const reasons = brokenGuards(plan);
  const [first] = reasons;
  if (first === undefined) return undefined;
  const why = reasons.length === 1 ? first : `${reasons.length} guards would be broken (see Findings).`;
  return `"docs apply" refuses this plan: ${why}`;
}

/**
 * Refuses a plan that would break guards, with all of them at once; nothing was sent.
 * @throws DocsError usage `guarded`, with `details.reasons`
 */
export function refuseGuarded(plan: Pick<Plan, 'operations'>): void {
  const reasons = brokenGuards(plan);
  if (reasons.length > 0) throw guarded(reasons);
}

function guarded(reasons: readonly string[]): DocsError {
  const [first] = reasons;
  const isOne = reasons.length === 1;
  const message = isOne
    ? `${first} Nothing was changed.`
    : `${reasons.length} guards would be broken; nothing was changed.`;
  return usageError(guardCode, message, {
    hint: 'docs help org-as-code',
    ...(!isOne && { lines: reasons }),
    details: { reasons: [...reasons] },
  });
}
