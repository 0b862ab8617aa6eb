import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { shellWord } from '../../base/shell-word.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { commandAt } from '../../cli/declare/tree.js';
import { askText, askYes } from '../../cli/resolve/prompts.js';
import { showPlan } from '../../cli/run/confirm-plan.js';
import type { NamedId } from '../../cli/run/named-ids.js';
import { hanging } from '../../document/terminal.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job } from '../../jobs/journal.js';
import { resources } from '../../model/resources.js';
import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { writeStandardError } from '../../output/standard-error.js';
import { terminalWidth } from '../../output/terminal.js';
import { jobOfPlan } from '../../plans/applied.js';
import { ageText, checkPlanItself, defaultMaxAgeMs } from '../../plans/check.js';
import { loadPlan } from '../../plans/file.js';
import type { Plan } from '../../plans/plan.js';
import { refusal } from '../../plans/reasons.js';
import { sends } from '../../plans/show/summary.js';
import {
  type Approval,
  approvalVersion,
  type Statement,
  statementBytes,
} from '../../policy/approval/approval.js';
import { addApproval, approvalsPath, readApprovals } from '../../policy/approval/approvals-file.js';
import { type Approver, chooseKey } from '../../policy/approval/choose-key.js';
import { isMaker, verifyApprovals } from '../../policy/approval/verify.js';
import type { Asking } from '../../policy/policy.js';
import { type AsRead, planAsRead } from './as-read.js';
import { fileOf } from './print.js';
import { rehearsedPlan } from './rehearsed-plan.js';

/** `docs approve`: somebody on a terminal approves exactly one plan, as they read it. Sends nothing but reads. */

/**
 * @throws DocsError usage `not_a_terminal`, `contradiction`, `nothing_to_approve`, `not_confirmed`; as
 *   `checkPlanItself`, `chooseKey`, `planAsRead`, `rehearsedPlan`; `plan_self_approved`; `cannot_sign`; local-io
 */
export async function approvePlan(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { io } = session;
  refuseUnattended(session);
  const path = String(input.args.plan);
  const { plan, reasons } = await loadPlan(io, path);
  const begun = begunJob(io, plan);
  checkPlanItself(io, plan, { reasons, maxAgeMs: defaultMaxAgeMs, begun: begun !== undefined });
  const asking = await wantedBy(session, plan);
  const { key, email } = input.options;
  const typed = { key: textOf(key), email: textOf(email) };
  const policies = session.gate?.policies.filter(({ approve }) => approve?.by !== undefined) ?? [];
  const approver = await chooseKey(io, policies, typed);
  refuseUseless(asking, approver);
  refuseMaker(plan, approver, asking);
  const file = resolve(io.cwd, path);
  const known = standingApproval(session, plan, file, approver, asking);
  if (known !== undefined) return tell(session, plan, path, known, { begun, status: 'already-approved' });
  // What was sent may have had its effect, whether its answer came or not.
  const done = begun?.items
    .filter(({ state }) => state !== 'planned')
    .flatMap((one) => one.plan.operation ?? []);
  const read = await planAsRead(session, plan, new Set(done));
  // All of it: what is signed is what was shown.
  showPlan(session, read.plan, { full: true, made: true, ...(plan.lock !== undefined && { file: fileOf }) });
  tellMore(session, read, { asking, approver, begun });
  const rehearsed = wantsRehearsal(asking, approver);
  if (rehearsed) await rehearsedPlan(session, plan, path, begun);
  await ask(session, read.plan, await isGrave(read.plan, groups));
  const approval = await signed(session, plan, approver, rehearsed);
  await addApproval(file, approval);
  await tell(session, plan, path, approval, { begun, status: 'approved' });
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A person must be there: an approval is theirs, and nothing on the command line gives it for them. */
function refuseUnattended({ interactive, globals }: Session): void {
  if (!interactive) {
    const message =
      'docs approve needs a terminal, where a person reads the plan and answers; --yes does not replace that. ' +
      'Nothing was signed.';
    throw usageError('not_a_terminal', message, { hint: 'docs approve --help' });
  }
  if (globals.yes)
    throw usageError(
      'contradiction',
      '--yes cannot approve a plan: docs approve always asks. Nothing was signed.',
    );
  if (globals.dryRun)
    throw usageError(
      'contradiction',
      '--dry-run does not fit: docs approve sends nothing. Nothing was signed.',
      {
        hint: 'docs plan show --help',
      },
    );
}

/** The policies that want an approval. @throws DocsError usage `nothing_to_approve` */
async function wantedBy({ gate }: Session, plan: Plan): Promise<readonly Asking[]> {
  const nothing = (why: string, hint: string) =>
    usageError('nothing_to_approve', `${why}; nothing was signed.`, { hint });
  if (gate === undefined || gate.policies.length === 0)
    throw nothing('No policy is in force, so no plan needs an approval', 'docs policy init --reviewed');
  if (!plan.operations.some(sends)) throw nothing('The plan changes nothing', 'docs plan');
  const asking = await gate.asking(plan);
  if (asking.length > 0) return asking;
  const files = gate.policies.map(({ file }) => file).join(' and ');
  throw nothing(`${files} requires no approval of this plan`, 'docs policy explain');
}

/** An approval by somebody whom none of the policies that ask names changes nothing. */
function refuseUseless(asking: readonly Asking[], { signer, policies }: Approver): void {
  if (asking.some(({ policy }) => policies.includes(policy))) return;
  const files = asking.map(({ policy }) => policy.file).join(' and ');
  const message = `${files} requires the approval, and does not name the key ${signer.fingerprint}; nothing was signed.`;
  throw usageError('key_not_named', message, { hint: 'docs approve --help' });
}

function refuseMaker(plan: Plan, { emails, email }: Approver, asking: readonly Asking[]): void {
  if (!emails.some((one) => isMaker(plan, one))) return;
  const named = asking.flatMap(({ policy }) => policy.approve?.by ?? []);
  const others = [...new Set(named.map((one) => one.email))].filter((one) => !emails.includes(one));
  const files = asking.map(({ policy }) => policy.file).join(' and ');
  const who =
    others.length === 0 ? `, and ${files} names nobody else` : ` (${others.map(safeLine).join(' or ')})`;
  const message = `${email} made the plan ${plan.id}; somebody else must approve it${who}.`;
  throw refusal([{ code: 'plan_self_approved', message, hint: 'docs approve --help' }]);
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

interface Shown {
  asking: readonly Asking[];
  approver: Approver;
  begun: Job | undefined;
}

/** Whether one of the policies that ask, and that this approver counts for, wants the plan rehearsed. */
function wantsRehearsal(asking: readonly Asking[], { policies }: Approver): boolean {
  return asking.some(({ policy }) => policies.includes(policy) && policy.approve?.rehearse === true);
}

/** What the picture of the plan does not tell: who made it, what its ids stand for, what the policies want. */
function tellMore({ io }: Session, { plan, names }: AsRead, { asking, approver, begun }: Shown): void {
  const { by } = plan;
  const maker = by === 'unknown' ? 'unknown; a second person must approve it, too' : (by.email ?? by.id);
  const rules = asking.map(({ policy: { file, approve }, by: { line, rule } }): [string, string] => {
    const valid = approve === undefined ? '' : `, valid for ${ageText(approve.validMs)}`;
    return ['Policy:', `${file}:${line} (${JSON.stringify(rule)}) requires an approval${valid}`];
  });
  const facts: [string, string][] = [
    ...(begun === undefined ? [] : [['Job:', progressOf(begun)] satisfies [string, string]]),
    ['Made by:', maker],
    ...rules,
    ['Approves:', `${approver.email}, with the key ${approver.signer.fingerprint}`],
  ];
  const columns = terminalWidth(io, { stream: 'stderr' });
  const told = facts.flatMap(([name, text]) => hanging(name.padEnd(10), safeLine(text), columns));
  const read = names.map((one) => `  ${safeLine(nameText(one))}`);
  const ids = read.length === 0 ? [] : ['Names, read with your token:', ...read];
  writeStandardError(io, `${[...told, ...ids].join('\n')}\n\n`);
}

function nameText({ id, kind, names }: NamedId): string {
  const { noun } = resources[kind];
  return `${id}  ${noun} ${names.length === 0 ? '(cannot be read)' : names.join(', ')}`;
}

function progressOf({ header: { job }, items }: Job): string {
  const done = items.filter(({ state }) => state === 'ok').length;
  return `${job} applied ${done} of ${counted(items.length, 'change')} and is unfinished`;
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
  let agreed: boolean;
  if (grave) {
    const names = [title, organization].filter((name) => name !== undefined && name.trim() !== '');
    const wanted = names.length === 0 ? [String(count)] : names.map((name) => safeLine(String(name)).trim());
    const which = title !== undefined ? 'the title' : organization !== undefined ? 'the id' : undefined;
    const typed = which === undefined ? wanted[0] : `${which} of the organization, ${wanted[0]},`;
    agreed = wanted.includes((await askText(session, `${what}. Type ${typed} to approve:`)).trim());
  } else agreed = await askYes(session, `${what}?`);
  if (!agreed) throw usageError('not_confirmed', 'Not confirmed; nothing was signed.');
}

async function signed(
  { io }: Session,
  plan: Plan,
  { signer, email, policies }: Approver,
  rehearsed: boolean,
): Promise<Approval> {
  const statement: Statement = {
    approval: approvalVersion,
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
  { approval: _, plan: __, signature: ___, ...facts }: Approval,
  { status, begun }: { status: 'approved' | 'already-approved'; begun: Job | undefined },
): Promise<void> {
  const { io, globals, printer } = session;
  const apply = atPlace(`docs apply ${shellWord(path, io.platform)}`, globals, io.platform);
  const resume = begun && atPlace(`docs jobs resume ${begun.header.job}`, globals, io.platform);
  const next = resume === undefined ? `Apply it with "${apply}".` : `Finish it with "${resume}".`;
  const sentence =
    status === 'approved'
      ? `✓ Approved plan ${plan.id} as ${facts.email}. ${next}`
      : `Plan ${plan.id} is already approved by ${facts.email}; nothing was added.`;
  await printer.done({ id: plan.id, status, file: approvalsPath(path), ...facts }, sentence);
}
