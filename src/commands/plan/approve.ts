import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { sameName } from '../../base/name.js';
import { ownProgram } from '../../base/own-program.js';
import { shellWord } from '../../base/shell-word.js';
import { asText } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { askToGoOn } from '../../cli/resolve/prompts.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { showPlan } from '../../cli/run/apply-plan.js';
import { type NamedId, namedBy, namesOf } from '../../cli/run/names.js';
import { originOf } from '../../cli/run/session-job.js';
import { openCopy } from '../../copy/open.js';
import { hanging } from '../../document/terminal.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Job } from '../../jobs/journal.js';
import { readsOf } from '../../jobs/reads.js';
import { resources } from '../../model/resources.js';
import { startProgress } from '../../output/progress.js';
import { terminalWidth, writeStandardError } from '../../output/terminal.js';
import { counted, safeLine, safeText } from '../../output/text.js';
import { ageText, checkPlan, defaultMaxAgeMs, jobOfPlan, refusal } from '../../plans/check.js';
import { loadPlan } from '../../plans/file.js';
import { makePlan } from '../../plans/make.js';
import { differences } from '../../plans/misdescribed.js';
import { draftsOf, itemsOf, sends } from '../../plans/operation.js';
import type { ChangeDraft, Plan, PlanOperation } from '../../plans/plan.js';
import {
  type Approval,
  addApproval,
  approvalsPath,
  approvalVersion,
  isMaker,
  readApprovals,
  type Statement,
  statementBytes,
  verifyApprovals,
} from '../../policy/approval/approvals.js';
import { type Approver, chooseKey } from '../../policy/approval/choose-key.js';
import { refuseUsed } from '../../policy/approval/used.js';
import type { Asking } from '../../policy/policy.js';
import { type Rehearsed, reportOf, reportText } from '../../rehearsal/report.js';
import { openStage } from '../../rehearsal/stage.js';
import { rememberingClient } from '../../snapshot/organization.js';
import { fileOf } from '../shared/print-plan.js';

/** `docs approve`: somebody on a terminal approves exactly one plan, as they read it. Sends nothing but reads. */

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
  const { plan, reasons } = await loadPlan(io, path);
  const begun = begunJob(io, plan);
  checkPlan(io, plan, { reasons, maxAgeMs: defaultMaxAgeMs, begun: begun !== undefined });
  const asking = await wantedBy(session, plan);
  refuseApplied(io, plan, asking, begun);
  const { key, email } = input.options;
  const typed = { key: asText(key), email: asText(email) };
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
    .flatMap((one) => one.change.operation ?? []);
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

/**
 * Rehearses a plan on a copy, for a policy that wants an approval of what was seen to work, and shows what came of it.
 * @param path of the plan, as typed
 * @param begun the unfinished job of the plan: what is left of it is rehearsed
 * @throws DocsError usage `rehearsal_failed`: nothing is signed; as `openStage`
 */
async function rehearsedPlan(
  session: Session,
  plan: Plan,
  path: string,
  begun: Job | undefined,
): Promise<void> {
  const { io } = session;
  const progress = startProgress(io, { text: 'Rehearsing the plan on a copy', quiet: false });
  const said: Buffer[] = [];
  const onError = (bytes: Buffer) => void said.push(bytes);
  const report = await rehearse(session, plan, path, begun, onError).finally(() => progress.stop());
  writeStandardError(io, safeText(Buffer.concat(said).toString()));
  writeStandardError(io, `${safeText(reportText(report))}\n`);
  const { exitCode, failed } = report;
  if (exitCode === 0 && failed.length === 0) return;
  const what =
    failed.length > 0 ? `${counted(failed.length, 'request')} failed` : `it exited with ${exitCode}`;
  const message = `The plan did not pass its rehearsal: ${what}; nothing was signed.`;
  throw usageError('rehearsal_failed', message, { hint: `docs plan show ${shellWord(path, io.platform)}` });
}

async function rehearse(
  session: Session,
  plan: Plan,
  path: string,
  begun: Job | undefined,
  onError: (bytes: Buffer) => void,
): Promise<Rehearsed> {
  const { io, settings } = session;
  const organizationId = plan.organization ?? (await contextId(session, 'org'));
  const platform = await session.client({ readOnly: true, timeoutPerRequest: true });
  const origin = originOf(session);
  const stage = await openStage(io, { origin, profile: settings.profile.value }, (file) =>
    openCopy({ source: { platform, organizationId }, file, io }),
  );
  const words =
    begun === undefined ? ['apply', path, '--yes'] : ['jobs', 'resume', begun.header.job, '--yes'];
  try {
    const { program, args } = ownProgram();
    const performed = { program, args: [...args, ...words, '--quiet'] };
    const exitCode = await stage.run({ ...performed, silent: true, onError });
    const facts = {
      command: ['docs', ...words],
      exitCode,
      origin,
      source: 'platform' as const,
      watched: 'all' as const,
    };
    return await reportOf(stage, { ...facts, plan: path, limit: platform.rateLimit, nowMs: io.now() });
  } finally {
    await stage.close();
  }
}

/**
 * A plan as the platform shows it to whoever approves it: names, states and undo are read with their token, and what
 * the plan says of them is believed nowhere.
 */

/** Commands whose plans call things by keys of their own: of files, of backups, of versions. */
const ownKeys: ReadonlySet<string> = new Set([
  ...['plan', 'apply', 'drift', 'backup restore', 'change-requests stale', 'links fix', 'release cut'],
  'sites arrange',
]);

interface AsRead {
  /** With undo and risks as they are found now. */
  plan: Plan;
  /** Every id that its requests hold. */
  names: readonly NamedId[];
}

/**
 * Reads what a plan is about. Sends nothing but reads.
 * @param done operations that its job did already
 * @throws DocsError usage `plan_misdescribed` where the platform shows something else than the plan says; where the
 *   platform is out of reach, or nobody is signed in
 */
async function planAsRead(session: Session, plan: Plan, done: ReadonlySet<string>): Promise<AsRead> {
  const { io } = session;
  const client = rememberingClient(await session.client({ readOnly: true, timeoutPerRequest: true }));
  const progress = startProgress(io, { text: 'Reading what the plan is about', quiet: false });
  try {
    const drafts = draftsOf(itemsOf(plan)).map(unbelieved);
    const requests = drafts.map(({ change }) => change);
    const names = await namesOf(client, requests, plan.organization);
    const fresh = await made(io.now(), client, plan, drafts);
    const sent = plan.operations.filter(sends);
    const faults = sent.flatMap((operation, at) => {
      if (done.has(operation.id)) return [];
      const own = itemFault(plan, operation, drafts[at], names);
      return [...own, ...differences(operation, fresh[at])].map((fault) => `${operation.id}: ${fault}`);
    });
    if (faults.length > 0) throw notAsSaid(faults);
    const now = new Map(sent.map(({ id }, at) => [id, fresh[at]]));
    const operations = plan.operations.map((one) => withFound(one, now.get(one.id)));
    return { plan: { ...plan, operations }, names: [...names.values()] };
  } finally {
    progress.stop();
  }
}

/** Only the requests: what they must find is read. */
function unbelieved({ change }: ChangeDraft): ChangeDraft {
  return { change: { ...change, expect: undefined } };
}

async function made(
  nowMs: number,
  client: Parameters<typeof readsOf>[0],
  { plan: _, id: __, hash: ___, madeAt: ____, counts: _____, operations: ______, ...facts }: Plan,
  drafts: readonly ChangeDraft[],
): Promise<readonly PlanOperation[]> {
  try {
    return (await makePlan(readsOf(client), { ...facts, nowMs }, drafts)).operations;
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.code !== 'not_found') throw cause;
    throw notAsSaid([`o1: ${drafts[0]?.change.id} does not exist on the platform`]);
  }
}

/** What a plan calls an item must be what people call it. */
function itemFault(
  { command }: Plan,
  { key, lock }: PlanOperation,
  draft: ChangeDraft | undefined,
  names: ReadonlyMap<string, NamedId>,
): string[] {
  if (lock !== undefined || ownKeys.has(command) || draft === undefined) return [];
  const parts = namedBy(draft).map(({ id }) => [id, ...(names.get(id)?.names ?? [])]);
  const calls = parts.reduce<string[]>(
    (all, own) => (all.length === 0 ? own : all.flatMap((one) => own.map((name) => `${one}/${name}`))),
    [],
  );
  const last = parts.at(-1) ?? [];
  if (calls.length === 0 || [...calls, ...last].some((call) => sameName(call, key))) return [];
  const [id = '', name] = last;
  return [`the plan says ${key}, and ${id} is ${name ?? 'not readable with this token'}`];
}

function withFound(operation: PlanOperation, found: PlanOperation | undefined): PlanOperation {
  if (found === undefined) return operation;
  const { why: _, risk, ...rest } = operation;
  const risks = [risk, found.risk].filter((one) => one !== undefined);
  const told = risks.filter((one, at) => !risks.some((other, place) => place < at && other.includes(one)));
  return {
    ...rest,
    undo: found.undo,
    ...(found.why !== undefined && { why: found.why }),
    ...(told.length > 0 && { risk: told.join(' ') }),
  };
}

/** Faults that are told; the others are counted. */
const most = 5;

function notAsSaid(faults: readonly string[]): DocsError {
  const more = faults.length > most ? `; and ${faults.length - most} more` : '';
  const message = `The platform does not show what the plan says: ${faults.slice(0, most).join('; ')}${more}.`;
  const hint = 'docs plan --help';
  const details = { reasons: [{ code: 'plan_misdescribed', message, hint }] };
  return usageError('plan_misdescribed', `${message} Nothing was signed.`, { hint, details });
}
