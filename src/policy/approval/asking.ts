import { forecasts } from '../../jobs/outlook.js';
import { requestsOf } from '../../jobs/step.js';
import type { Plan } from '../../plans/plan.js';
import { stepsOf } from '../../plans/steps.js';
import type { CommandTable } from '../command-table.js';
import { decide } from '../decide.js';
import type { Asking, Policy, Subject } from '../policy.js';
import { subjectOf } from '../subject.js';

/**
 * The policies that want an approval of a plan: those with a rule of `ask` that covers one of its requests. Who may
 * give it says `approve`, which by itself asks for nothing.
 *
 * What a plan says of itself is taken only where it asks for more: the command that made it, and what undo can do.
 * Reads nothing, so that a plan can be approved and shown offline; a gate, which does, asks for no more than this.
 * @param owner the command that made the plan as a whole, where there still is one
 */
export function policiesThatAsk(
  policies: readonly Policy[],
  plan: Plan,
  table: CommandTable,
  owner?: Subject,
): readonly Asking[] {
  const told = plan.operations.filter(({ request }) => request !== undefined).map(({ undo }) => undo);
  const requests = requestsOf(stepsOf(plan));
  const foreseen = forecasts(requests);
  const own = requests.flatMap((request, at) =>
    [plan.command, 'apply'].flatMap((command) => [
      subjectOf(request, table, { command }),
      subjectOf(request, table, { command, undo: foreseen[at]?.undo ?? 'none' }),
      subjectOf(request, table, { command, undo: told[at] ?? 'none' }),
    ]),
  );
  const subjects = owner === undefined || own.length === 0 ? own : [owner, ...own];
  return policies.flatMap((policy) => {
    for (const subject of subjects) {
      const verdict = decide([policy], subject);
      if (verdict.is === 'ask') return [{ policy, by: verdict.by }];
    }
    return [];
  });
}
