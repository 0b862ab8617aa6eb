import type { Command, GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { resolveIds } from '../../cli/resolve/resolve-ids.js';
import { factsOf } from '../../cli/run/apply-plan.js';
import { assemble, refuseWrongFlags } from '../../cli/run/assemble.js';
import { findJob } from '../../cli/run/find-job.js';
import { lookAt } from '../../cli/run/guard.js';
import { approvalOf, approvalOfJob, savedFile } from '../../cli/run/plan-approval.js';
import { refuseOtherJournal } from '../../cli/run/resume-job.js';
import { requestOf } from '../../cli/run/typed-request.js';
import type { Change } from '../../jobs/change.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { changesIn, jobItem } from '../../jobs/journal.js';
import { restOf } from '../../jobs/outlook.js';
import { certainReadsOf } from '../../jobs/reads.js';
import { loadRules } from '../../jobs/rule-book.js';
import { checkPlan, refuseGuarded } from '../../plans/check.js';
import { loadPlan } from '../../plans/file.js';
import { itemsOf } from '../../plans/operation.js';
import type { ApprovalStanding } from '../../policy/approval/standing.js';
import { mapRequest, type Unmapped, unmappedVerdict } from '../../policy/mapping.js';
import type { Asked, Gate, JobUse } from '../../policy/policy.js';
import { denial, isTyped, madePlan, programsOf, type Row, type TestedLine } from './trial.js';

/** The job that a tested command line would begin, and the verdicts on what it sends and reads for it. */

/** The job that a command line would begin. */
export interface TestedJob extends JobUse {
  /** Of `docs api` one that may be unknown. */
  requests: readonly Change[] | (Unmapped & { text: string });
  /** Whether states are read before the changes: of one change fewer; default: those of many. */
  reads?: 'one' | 'nothing';
  /** Of a plan that is applied: for what an approval is wanted that it does not have. */
  unapproved?: readonly Asked[];
}

/**
 * Finds them without sending any but GET: of a command over operations as it assembles them, of others by their plan.
 * @param session of the command that is tested
 * @param line of a command that changes something on the platform
 * @returns undefined where nothing tells; a row where a read for it is denied
 * @throws DocsError as the command itself, where it could not begin
 */
export async function testedJob(
  session: Session,
  gate: Gate,
  line: TestedLine & { holdsReads: boolean },
  groups: readonly GroupEntry[],
): Promise<TestedJob | Row | undefined> {
  const { command, input, path } = line;
  // A text that a person would write in an editor is not known, and no program is run to know it.
  if (programsOf(line).length > 0) return undefined;
  if (command.anyRequest === true) {
    const request = await requestOf(session, input);
    const found = mapRequest(request);
    const text = `${request.method} ${request.path}`;
    if ('unmapped' in found) return { requests: { ...found, text } };
    const denied = line.holdsReads ? await guardRow(session, undefined, [found]) : undefined;
    return denied ?? { requests: [found], reads: 'nothing' };
  }
  if (command.spec !== undefined) {
    const named = await resolveIds(session, command, input, refuseWrongFlags);
    const { calls, many } = await assemble(named.session, command, named.input);
    const denied = line.holdsReads ? await guardRow(named.session, command, calls) : undefined;
    return denied ?? { requests: calls, ...(!many && { reads: 'one' }) };
  }
  if (path === 'apply' && typeof input.args.plan === 'string')
    return appliedJob(session, input, input.args.plan);
  if (path === 'apply') {
    const plan = await madePlan({ ...line, path: 'plan' }, groups);
    const asking = plan === undefined ? [] : await gate.asking(plan);
    return plan && { requests: changesIn(itemsOf(plan)), unapproved: asking.flatMap((one) => one.asked()) };
  }
  if (path === 'jobs resume') return resumedJob(session, gate, String(input.args.job));
  const plans = command.options.some(({ name }) => name === 'save-plan');
  const plan = plans && !excludesPlan(line) ? await madePlan(line, groups) : undefined;
  return plan && { requests: changesIn(itemsOf(plan)) };
}

/** Whether what was typed makes no plan. The flags of output only say how it is printed. */
function excludesPlan(line: TestedLine): boolean {
  const { options, plansWith } = line.command;
  const excludes = options.some(
    ({ name, conflicts = [], standing }) =>
      standing !== true && conflicts.includes('save-plan') && isTyped(line, name),
  );
  return excludes || (plansWith !== undefined && !isTyped(line, plansWith));
}

/** @throws DocsError as applying it, unless it is for lack of an approval */
async function appliedJob(session: Session, input: ManualInput, path: string): Promise<TestedJob> {
  const { plan, bytes, reasons } = await loadPlan(session.io, path);
  const facts = factsOf(session, plan, input, { reasons, path });
  checkPlan(session.io, plan, facts);
  refuseGuarded(plan);
  const standing = await approvalOf(session, plan, await savedFile(session, path, bytes), facts);
  return { requests: changesIn(itemsOf(plan)), command: plan.command, ...consentOf(standing) };
}

/** What is left of a job. */
async function resumedJob(session: Session, gate: Gate, name: string): Promise<TestedJob> {
  const job = findJob(session, new JobFolder(session.io), name);
  if (session.gate !== undefined) await refuseOtherJournal(session, job);
  const { planFile, command } = job.header;
  const standing = planFile && session.gate && (await approvalOfJob(session, { job, gate }));
  return { requests: restOf(job), command, ...consentOf(standing) };
}

/** @param standing of the plan that is applied; undefined where no policy asks */
function consentOf(standing: ApprovalStanding | undefined): Pick<TestedJob, 'approved' | 'unapproved'> {
  if (standing === undefined) return {};
  if (standing.reasons.length === 0) return { approved: true };
  const open = standing.policies.filter(({ reasons }) => reasons.length > 0);
  return { unapproved: (open.length > 0 ? open : standing.policies).flatMap((one) => one.asked()) };
}

/** The verdicts on its requests. */
export async function jobRows(gate: Gate, { requests, unapproved = [], ...use }: TestedJob): Promise<Row[]> {
  if ('unmapped' in requests)
    return [{ what: requests.text, verdict: unmappedVerdict(gate.policies, requests) }];
  const asked = new Map(unapproved.map(({ what, by }) => [what, by]));
  return (await gate.verdicts(requests, use)).map(({ what, verdict }) => {
    const by = verdict.is === 'allow' ? asked.get(what) : undefined;
    return { what, verdict: by === undefined ? verdict : { is: 'ask', by } };
  });
}

/** What a job reads right before each change, of each operation once: a row where that is denied. */
export async function stateRow(session: Session, { requests, reads }: TestedJob): Promise<Row | undefined> {
  if ('unmapped' in requests || reads === 'nothing') return undefined;
  const single = reads === 'one' && requests.length === 1;
  const states = certainReadsOf(await session.client({ timeoutPerRequest: true }));
  const rules = await loadRules(requests.map(({ op }) => op.id));
  for (const op of new Set(requests.map((request) => request.op))) {
    const request = requests.find((one) => one.op === op && !isOpen(one));
    const { before, read } = rules.ruleOf(op);
    const rests = request?.expect !== undefined || before === 'always' || (before === 'many' && !single);
    const denied = rests && request && (await denial(async () => read?.(states, request.input)));
    if (denied) return denied;
  }
  return undefined;
}

/** Whether an earlier change makes what it is about. */
function isOpen({ input: { path = {} } }: Change): boolean {
  return Object.values(path).some((id) => typeof id !== 'string' || id.startsWith('{'));
}

/** What the guards of a command read before it asks. @returns a row where that is denied */
function guardRow(
  session: Session,
  command: Command | undefined,
  calls: readonly Change[],
): Promise<Row | undefined> {
  const steps = calls.map((call, at) => jobItem(call, at));
  const connect = () => session.client({ timeoutPerRequest: true });
  return denial(() => lookAt(session, connect, { steps, by: command }, 'question'));
}
