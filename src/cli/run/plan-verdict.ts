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
  asks: readonly RequiredApproval[];
}

interface RequiredApproval extends Cause {
  /** What it is wanted for, with the rule on each. */
  requests: readonly (Cause & { what: string })[];
  /** Emails. */
  by?: readonly string[];
  /** Signatures of different people. */
  needed?: number;
  remote?: string;
  branch?: string;
  rehearse?: true;
  fourEyes?: true;
}

/** @returns undefined without policies */
export async function verdictOn({ gate }: Session, plan: Plan): Promise<PlanVerdict | undefined> {
  if (gate === undefined || gate.policies.length === 0) return undefined;
  const changes = changesIn(itemsOf(plan));
  const denied = changes.length === 0 ? [] : await gate.review(changes, plan.command);
  const isKnown = plan.by !== 'unknown' && plan.by.email !== undefined;
  const asks = (await gate.asking(plan)).map(({ policy: { approve }, by, asked }) => {
    const people = approve?.by && [...new Set(approve.by.map(({ email }) => email))];
    const needed = people && (isKnown ? 1 : 2);
    const { remote, branch } = approve?.git ?? {};
    const { rehearse, fourEyes } = approve ?? {};
    const requests = asked().map(({ what, by: rule }) => ({ what, ...rule }));
    return { ...by, requests, ...defined({ by: people, needed, remote, branch, rehearse, fourEyes }) };
  });
  return { denied: denied.map(({ what, why, by }) => ({ what, why, ...by })), asks };
}

/** More denials, or requests of one policy that need an approval, are counted instead of shown. */
const mostTold = 5;

/** What is denied, what needs an approval, and which one, as sentences. */
export function verdictLines({ denied, asks }: PlanVerdict): string[] {
  const denials = denied.map(({ what, why, ...by }) => `Policy denies ${what}: ${why} ${at(by)}.`);
  return [
    ...first(denials, (more) => `Policy denies ${more}.`),
    ...asks.flatMap((one) => [
      ...first(
        one.requests.map(({ what, ...by }) => `Policy requires an approval of ${what} ${at(by)}.`),
        (more) => `Policy requires an approval of ${more}.`,
      ),
      requiredLine(one),
    ]),
  ].map(safeLine);
}

function at({ rule, file, line }: Cause): string {
  return `(${JSON.stringify(rule)}, ${file}:${line})`;
}

function first(lines: readonly string[], rest: (more: string) => string): string[] {
  const more = lines.length - mostTold;
  return [...lines.slice(0, mostTold), ...(more > 0 ? [rest(counted(more, 'more change'))] : [])];
}

/** Which approval a policy takes: `/etc/docs/policy.yaml takes one signature of ada@acme.example.` */
function requiredLine({
  file,
  by = [],
  needed,
  remote,
  branch,
  rehearse,
  fourEyes,
}: RequiredApproval): string {
  const signatures = needed === 1 ? 'one signature' : 'two signatures of different people';
  const others = fourEyes ? ', and not of who made the plan' : '';
  const ways = [
    ...(by.length > 0 ? [`${signatures} of ${by.join(' or ')}${others}`] : []),
    ...(branch === undefined ? [] : [`a merge into ${branch} of ${remote}`]),
  ];
  if (ways.length === 0) return `${file} names no one who may approve it.`;
  return `${file} takes ${ways.join(', or ')}${rehearse ? ', after a rehearsal' : ''}.`;
}
