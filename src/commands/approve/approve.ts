import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { sameEmail } from '../../base/name.js';
import { shellWord } from '../../base/shell-word.js';
import { asText } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { askToGoOn } from '../../cli/resolve/prompts.js';
import { recordingRefusals } from '../../cli/run/refusals.js';
import { actorIn } from '../../cli/run/session-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { changesIn, type Job } from '../../jobs/journal.js';
import { writeStandardError } from '../../output/terminal.js';
import { counted, safeLine } from '../../output/text.js';
import { checkPlan, defaultMaxAgeMs, jobOfPlan, refusal } from '../../plans/check.js';
import { type Loaded, loadPlan } from '../../plans/file.js';
import { itemsOf, sends } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import { makerText } from '../../plans/show/summary.js';
import {
  type Approval,
  addApproval,
  approvalsPath,
  approvalVersion,
  isKnown,
  isOwnPlan,
  readApprovals,
  type Statement,
  statementBytes,
  verifyApprovals,
} from '../../policy/approval/approvals.js';
import { type Approver, chooseKey } from '../../policy/approval/choose-key.js';
import { refuseUsed } from '../../policy/approval/used.js';
import { recordApproval, recordDenial } from '../../policy/audit/append.js';
import type { Asking } from '../../policy/policy.js';
import { showAll } from './picture.js';
import { planAsRead } from './reading.js';
import { rehearsedPlan } from './rehearsal.js';

/** `docs plan approve`: somebody on a terminal approves exactly one plan, as they read it. Sends nothing but reads. */

/**
 * @throws DocsError usage `not_a_terminal`, `contradiction`, `nothing_to_approve`, `not_confirmed`; as
 *   `checkPlan`, `chooseKey`, `planAsRead`, `rehearsedPlan`; `plan_self_approved`; `cannot_sign`; local-io
 */
export async function approvePlan(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { io } = session;
  refuseUnattended(session);
  const path = String(input.args.plan);
  const loaded = await loadPlan(io, path);
  await recordingRefusals(session, 'plan approve', loaded.plan, () =>
    approveLoaded(session, input, groups, loaded),
  );
}

async function approveLoaded(
  session: Session,
  { args, options }: ManualInput,
  groups: readonly GroupEntry[],
  { plan, reasons }: Loaded,
): Promise<void> {
  const { io } = session;
  const path = String(args.plan);
  const file = resolve(io.cwd, path);
  const begun = begunJob(io, plan);
  checkPlan(io, plan, { reasons, maxAgeMs: defaultMaxAgeMs, begun: begun !== undefined });
  const asking = await wantedBy(session, plan);
  refuseApplied(io, plan, asking, begun);
  const policies = session.gate?.policies.filter(({ approve }) => approve?.by !== undefined) ?? [];
  const approver = await chooseKey(io, policies, { key: asText(options.key), email: asText(options.email) });
  refuseUseless(asking, approver);
  refuseMaker(plan, approver, asking);
  const known = standingApproval(session, plan, file, approver, asking);
  const facts = { begun, asking, file };
  if (known !== undefined) return tell(session, plan, path, known, { ...facts, status: 'already-approved' });
  // What was sent may have had its effect, whether its answer came or not.
  const done = begun?.items
    .filter(({ state }) => state !== 'planned')
    .flatMap((one) => one.change.operation ?? []);
  const read = await planAsRead(session, plan, new Set(done));
  await refuseDenied(session, plan, new Set(done));
  const signatures = needsText(missingFor(session, plan, file, asking), plan);
  await showAll(session, read, { asking, approver, begun, signatures });
  const rehearsed = wantsRehearsal(asking, approver);
  if (rehearsed) await rehearsedPlan(session, plan, path, begun);
  await ask(session, read.plan, await isGrave(read.plan, groups));
  const approval = await signed(session, plan, approver, rehearsed);
  const { email, key } = approval;
  await recordApproval(io, { actor: actorIn(session), plan: plan.id, hash: plan.hash, approver: email, key });
  await addApproval(file, approval);
  await tell(session, plan, path, approval, { ...facts, status: 'approved' });
}

/** A signature under a plan that is denied would say that it can be applied. @throws DocsError forbidden `policy_denied` */
async function refuseDenied(session: Session, plan: Plan, done: ReadonlySet<string>): Promise<void> {
  const { io, gate } = session;
  const left = itemsOf(plan).filter(({ change }) => !done.has(change.operation ?? ''));
  const [first, ...others] = (await gate?.review(changesIn(left), plan.command)) ?? [];
  if (first === undefined) return;
  const { what, why, by } = first;
  const denial = {
    actor: actorIn(session),
    command: 'plan approve',
    request: what,
    cause: by,
    plan: plan.id,
  };
  await recordDenial(io, denial);
  const more = others.length === 0 ? '' : `; so are ${counted(others.length, 'other')}`;
  const message = `policy denies ${what}: ${why} (${JSON.stringify(by.rule)}, ${by.file}:${by.line})${more}; no approval helps, and nothing was signed`;
  const details = { ...by, verdict: 'deny' };
  throw new DocsError('forbidden', 'policy_denied', message, {
    outcome: 'not-sent',
    hint: 'docs policy explain',
    details,
  });
}

/** A policy under which a plan is not approved yet. */
interface Missing {
  asking: Asking;
  /** Who may still sign, of those who did not. */
  others: readonly string[];
  /** Signatures that are missing. */
  count: number;
}

/** What is missing under the policies that take signatures; those that take a merge count none. */
function missingFor({ io }: Session, plan: Plan, file: string, asking: readonly Asking[]): Missing[] {
  const age = { nowMs: io.now(), maxAgeMs: defaultMaxAgeMs };
  const text = readApprovals(file);
  return asking.flatMap((one) => {
    const { by, judged } = verifyApprovals(plan, text, one.policy, age);
    if (by.length > 0 || one.policy.approve?.by === undefined) return [];
    const given = judged.filter(({ is }) => is === 'alone').map(({ approval }) => approval.email);
    const named = one.policy.approve.by.map(({ email }) => email);
    const mayNot = (email: string) =>
      isOwnPlan(plan, one.policy, email) || given.some((other) => sameEmail(other, email));
    const others = [...new Set(named)].filter((email) => !mayNot(email));
    return [{ asking: one, others, count: isKnown(plan) ? 1 : 2 - Math.min(1, given.length) }];
  });
}

/** Before the question, where one signature is not enough. */
function needsText(missing: readonly Missing[], plan: Plan): string {
  const two = missing.filter(({ count }) => count > 1);
  if (isKnown(plan) || missing.length === 0) return '';
  const why = 'its maker is unknown, so two people must approve it';
  return two.length > 0 ? `${why}; no one has yet` : `${why}; one has`;
}

/** What was applied once is not approved again, but for what is left of its job. @throws DocsError usage `plan_applied` */
function refuseApplied(io: Io, plan: Plan, asking: readonly Asking[], begun: Job | undefined): void {
  const policies = asking.map(({ policy }) => policy);
  const reasons = refuseUsed(io, policies, { plan, job: begun?.header.job });
  if (reasons.length > 0) throw refusal(reasons);
}

/** The unfinished job of a plan, which needs an approval to be resumed where the one that it began with expired. */
function begunJob(io: Io, { id }: Plan): Job | undefined {
  const name = jobOfPlan(io, String(id));
  const [job] =
    name === undefined
      ? []
      : new JobFolder(io).readAll(
          () => {},
          (one) => one.job === name,
        );
  return job?.items.some(({ state }) => state !== 'ok') ? job : undefined;
}

/** A person must be there: an approval is theirs, and nothing on the command line gives it for them. */
function refuseUnattended({ interactive, globals }: Session): void {
  if (!interactive) {
    const message =
      'docs plan approve needs a terminal, where a person reads the plan and answers; --yes does not replace that. ' +
      'Nothing was signed.';
    throw usageError('not_a_terminal', message, { hint: 'docs plan approve --help' });
  }
  if (globals.yes)
    throw usageError(
      'contradiction',
      '--yes cannot approve a plan: docs plan approve always asks. Nothing was signed.',
    );
  if (globals.dryRun)
    throw usageError(
      'contradiction',
      '--dry-run does not fit: docs plan approve sends nothing. Nothing was signed.',
      {
        hint: 'docs plan show --help',
      },
    );
}

/** The policies that want an approval. @throws DocsError usage `nothing_to_approve` */
async function wantedBy({ gate }: Session, plan: Plan): Promise<readonly Asking[]> {
  const nothing = (why: string, hint: string) =>
    usageError('nothing_to_approve', `${why}; nothing was signed`, { hint });
  if (gate === undefined || gate.policies.length === 0)
    throw nothing('no policy is in force, so no plan needs an approval', 'docs policy init --reviewed');
  if (!plan.operations.some(sends)) throw nothing('the plan changes nothing', 'docs plan');
  const asking = await gate.asking(plan);
  if (asking.length > 0) return asking;
  const files = gate.policies.map(({ file }) => file).join(' and ');
  throw nothing(`${files} requires no approval of this plan`, 'docs policy explain');
}

/** An approval by somebody whom none of the policies that ask names changes nothing. */
function refuseUseless(asking: readonly Asking[], { signer, policies }: Approver): void {
  if (asking.some(({ policy }) => policies.includes(policy))) return;
  const files = asking.map(({ policy }) => policy.file).join(' and ');
  const message = `${files} requires the approval, and does not name the key ${signer.fingerprint}; nothing was signed`;
  throw usageError('key_not_named', message, { hint: 'docs plan approve --help' });
}

function refuseMaker(plan: Plan, { emails, email, policies }: Approver, asking: readonly Asking[]): void {
  const counting = asking.filter(({ policy }) => policies.includes(policy));
  const isOwn = ({ policy }: Asking) => emails.some((one) => isOwnPlan(plan, policy, one));
  if (!counting.every(isOwn)) return;
  const named = asking.flatMap(({ policy }) => policy.approve?.by ?? []);
  const others = [...new Set(named.map((one) => one.email))].filter((one) => !emails.includes(one));
  const files = asking.map(({ policy }) => policy.file).join(' and ');
  const who =
    others.length === 0 ? `, and ${files}names no one else` : ` (${others.map(safeLine).join(' or ')})`;
  const { by } = plan;
  const maker = by !== 'unknown' && by.kind === 'agent' ? `${makerText(by)},` : email;
  const isHint = by !== 'unknown' && by.kind === 'agent' && by.via === undefined;
  const why = isHint ? ' Only the environment named an agent; what counts is a plan made through MCP.' : '';
  const message = `${maker} made the plan ${plan.id}; someone else must approve it${who}.${why}`;
  throw refusal([{ code: 'plan_self_approved', message, hint: 'docs plan approve --help' }]);
}

/** An approval with this key that holds already under all that ask and name the key. */
function standingApproval(
  { io }: Session,
  plan: Plan,
  file: string,
  { signer, policies }: Approver,
  asking: readonly Asking[],
): Approval | undefined {
  const text = readApprovals(file);
  const age = { nowMs: io.now(), maxAgeMs: defaultMaxAgeMs };
  const own = asking.filter(({ policy }) => policies.includes(policy));
  const each = own.map(({ policy }) =>
    verifyApprovals(plan, text, policy, age).judged.find(
      ({ is, approval }) => (is === 'holds' || is === 'alone') && approval.key === signer.fingerprint,
    ),
  );
  return each.every((one) => one !== undefined) ? each[0]?.approval : undefined;
}

/** Whether one of the policies that ask, and that this approver counts for, wants the plan rehearsed. */
function wantsRehearsal(asking: readonly Asking[], { policies }: Approver): boolean {
  return asking.some(({ policy }) => policies.includes(policy) && policy.approve?.rehearse === true);
}

/** Whether an approval is more than a yes: for deletions, and for what cannot be undone. */
async function isGrave({ operations, command }: Plan, groups: readonly GroupEntry[]): Promise<boolean> {
  const lost = operations.some(
    (one) =>
      sends(one) && (one.undo === 'none' || one.action === 'delete' || one.request?.method === 'DELETE'),
  );
  if (lost) return true;
  const made = await commandAt(groups, command).catch(() => undefined);
  return made?.command.danger === 'type-title';
}

/** @throws DocsError usage `not_confirmed` */
async function ask(session: Session, plan: Plan, grave: boolean): Promise<void> {
  const { title, organization, operations } = plan;
  const count = operations.filter(sends).length;
  const what = `Approve ${counted(count, 'change')}`;
  if (grave) {
    const names = [title, organization].filter((name) => name !== undefined && name.trim() !== '');
    const wanted = names.length === 0 ? [String(count)] : names.map((name) => safeLine(String(name)).trim());
    const which = title !== undefined ? 'the title' : organization !== undefined ? 'the id' : undefined;
    const typed = which === undefined ? wanted[0] : `${which} of the organization, ${wanted[0]},`;
    await askToGoOn(session, `${what}. Type ${typed} to approve:`, 'signed', wanted);
  } else await askToGoOn(session, `${what}?`, 'signed');
}

async function signed(
  { io }: Session,
  plan: Plan,
  { signer, email, policies }: Approver,
  rehearsed: boolean,
): Promise<Approval> {
  const statement: Statement = {
    approval: approvalVersion,
    nonce: randomBytes(16).toString('hex'),
    plan: plan.id,
    hash: plan.hash,
    email,
    when: new Date(io.now()).toISOString(),
    host: hostname(),
    policies: policies.map(({ hash }) => hash),
    ...(rehearsed && { rehearsed }),
    key: signer.fingerprint,
  };
  if (signer.needsTouch) writeStandardError(io, 'Touch your security key to sign.\n');
  return { ...statement, signature: await signer.sign(statementBytes(statement)) };
}

async function tell(
  session: Session,
  plan: Plan,
  path: string,
  { approval: _, nonce: ____, plan: __, signature: ___, ...facts }: Approval,
  at: {
    status: 'approved' | 'already-approved';
    begun: Job | undefined;
    asking: readonly Asking[];
    file: string;
  },
): Promise<void> {
  const { io, globals, printer } = session;
  const { status, begun, asking, file } = at;
  const run = (words: string) => atPlace(words, globals, io.platform);
  const word = shellWord(path, io.platform);
  const missing = missingFor(session, plan, file, asking);
  const next =
    begun === undefined
      ? `Apply it with "${run(`docs apply ${word}`)}".`
      : `Finish it with "${run(`docs jobs resume ${begun.header.job}`)}".`;
  const left = missing.map((one) => leftText(one, run(`docs plan approve ${word}`)));
  const sentence =
    status === 'approved'
      ? `✓ Approved plan ${plan.id} as ${facts.email}. ${missing.length === 0 ? next : left.join(' ')}`
      : [`Plan ${plan.id} is already approved by ${facts.email}; nothing was added.`, ...left].join(' ');
  const counts = { missing: missing.reduce((sum, { count }) => sum + count, 0) };
  await printer.done({ id: plan.id, status, file: approvalsPath(path), ...counts, ...facts }, sentence);
}

/** What follows where one signature is not enough. */
function leftText({ asking: { policy }, others, count }: Missing, command: string): string {
  const wanted = `It cannot be applied yet: ${policy.file} requires ${counted(count, 'more approval')}`;
  if (others.length === 0) return `${wanted}, andnames no one else who may give it.`;
  return `${wanted}, by ${others.map(safeLine).join(' or ')}: they run "${command}".`;
}
