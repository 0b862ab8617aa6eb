import { defined } from '../../base/values.js';
import { changesIn } from '../../jobs/journal.js';
import { counted, safeLine } from '../../output/text.js';
import { itemsOf } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import type { Cause } from '../../policy/policy.js';
import type { Session } from '../declare/session.js';

/** What the policies in force say of a plan that is made: nobody should sign what is denied, or look for who may sign. */
export interface PlanVerdict {
  /** What no approval lets through. */
  denied: readonly (Cause & { what: string; why: string })[];
  /** Each policy that wants an approval, and who may give it. */
  asks: readonly (Cause & {
    /** Emails. */
    by?: readonly string[];
    /** Signatures of different people. */
    needed?: number;
    remote?: string;
    branch?: string;
    rehearse?: true;
  })[];
}

/** @returns undefined without policies */
export async function verdictOn({ gate }: Session, plan: Plan): Promise<PlanVerdict | undefined> {
  if (gate === undefined || gate.policies.length === 0) return undefined;
  const changes = changesIn(itemsOf(plan));
  const denied = changes.length === 0 ? [] : await gate.review(changes, plan.command);
  const isKnown = plan.by !== 'unknown' && plan.by.email !== undefined;
  const asks = (await gate.asking(plan)).map(({ policy: { approve }, by }) => {
    const people = approve?.by && [...new Set(approve.by.map(({ email }) => email))];
    const needed = people && (isKnown ? 1 : 2);
    const { remote, branch } = approve?.git ?? {};
    return { ...by, ...defined({ by: people, needed, remote, branch, rehearse: approve?.rehearse }) };
  });
  return { denied: denied.map(({ what, why, by }) => ({ what, why, ...by })), asks };
}

/** More denials are counted instead of shown. */
const mostTold = 5;

/** What is denied, as sentences. */
export function deniedLines({ denied }: PlanVerdict): string[] {
  const told = denied
    .slice(0, mostTold)
    .map(({ what, why, rule, file, line }) =>
      safeLine(`Policy denies ${what}: ${why} (${JSON.stringify(rule)}, ${file}:${line}).`),
    );
  const more = denied.length - mostTold;
  return more > 0 ? [...told, `Policy denies ${counted(more, 'more change')}.`] : told;
}
