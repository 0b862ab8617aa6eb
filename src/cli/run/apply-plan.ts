import { resolve } from 'node:path';
import type { Client } from '../../api/client.js';
import { DocsError, sentences } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Header, JobItem } from '../../jobs/journal.js';
import { wasSent } from '../../jobs/look.js';
import { readsOf } from '../../jobs/reads.js';
import type { View } from '../../output/printer.js';
import { colorLevel, writeStandardError } from '../../output/terminal.js';
import { counted } from '../../output/text.js';
import { type CheckFacts, checkPlan, refuseGuarded } from '../../plans/check.js';
import { checkLock, readLock, updateLock } from '../../plans/lock.js';
import { draftsLeft, itemsOf, sends } from '../../plans/operation.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { changesSomething } from '../../plans/show/summary.js';
import { type PlanLook, planText } from '../../plans/show/text.js';
import type { ApprovalStanding, PlanFile } from '../../policy/approval/standing.js';
import { parseDuration, parseSpan } from '../../settings/duration.js';
import type { GroupEntry, ManualInput } from '../declare/command.js';
import { commandAt } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { beginChange, carryOut } from './carry-out.js';
import { concurrencyOf } from './gather.js';
import { leftError, printUnsent } from './job-results.js';
import { noteRestore, undoSentence } from './operation-proposal.js';
import { originOf } from './origin.js';
import { noteSaid, warnReader } from './output.js';
import { approvalOf, usedUpOf } from './plan-approval.js';
import { undoSummary } from './preview.js';
import type { Proposal, Question, Warnings } from './proposal.js';
import { recordingRefusals } from './refusals.js';
import { keepsJournal } from './session-job.js';

/** `docs apply`: makes exactly the requests of a plan, once, as one job (PLANS.md, 1). */

/** Where a plan is applied. */
interface PlanSource extends Pick<CheckFacts, 'reasons' | 'path'> {
  /** The file that it was read from; none where it was made now. */
  saved?: PlanFile;
  /** Of the organization as code, absolute, where the plan has a lock. */
  folder?: string;
  /** All commands: the one that made the plan looks again at what it would refuse. */
  groups?: readonly GroupEntry[];
  /** The file that an operation comes from, where there is one. */
  file?: PlanLook['file'];
  /** What to do once it is agreed to, before anything is sent, or saved. */
  agreed?: () => Promise<void>;
  /** What follows once it was applied, as a whole or in part. */
  after?: (() => Promise<void>) | undefined;
  /** Of a plan that was made now: what a dry run shows. */
  show?: () => Promise<void>;
  /** Of a plan that was made now: what is said where it sends nothing. */
  tellNothing?: () => Promise<void>;
}

/**
 * Applies a plan as one job: refuses what does not fit, shows and asks, claims the plan, sends, writes the lock. One
 * that was made now may be saved instead.
 * @returns whether it was applied
 * @throws DocsError usage `plan_applied`, `plan_foreign`, `plan_expired`, …, all reasons at once; configuration
 *   `journal_off`; `guarded`; conflict `stale` where nothing was applied for that; as `printResults`
 */
export async function applyPlan(
  session: Session,
  plan: Plan,
  input: ManualInput,
  at: PlanSource,
): Promise<boolean> {
  const { globals, savePlan } = session;
  const isNew = at.path === undefined;
  const base = planProposal(session, plan, at);
  if (isNew && (savePlan !== undefined || globals.dryRun)) {
    await carryOut(session, input, base);
    return false;
  }
  if (isNew && !plan.operations.some(sends)) {
    await at.tellNothing?.();
    return false;
  }
  // With --yes no prompt shows a plan that was made now, so it is printed for the log.
  if (isNew && globals.yes && !globals.quiet) showPlan(session, plan, lookOf(input, at));
  const approval = await recordingRefusals(session, 'apply', plan, () =>
    checkedPlan(session, plan, input, at),
  );
  await beginChange(session, { results: { plan: true } });
  if (globals.dryRun) {
    await carryOut(session, input, base);
    return false;
  }
  await andAfter(at, async () => {
    if (!plan.operations.some(sends)) return applyNothing(session, plan, at);
    await beginChange(session, { asks: whatOf(plan) });
    const proposal = await appliedProposal(session, plan, input, at);
    const approvals = approval && usedUpOf(session, plan, approval);
    return carryOut(session, input, { ...proposal, approved: approvedBy(approval), approvals });
  });
  return true;
}

/** What follows an apply, also one of which a part failed; not one that was refused. */
async function andAfter({ after }: PlanSource, apply: () => Promise<void>): Promise<void> {
  try {
    await apply();
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'partial') await after?.();
    throw cause;
  }
  await after?.();
}

function approvedBy(approval: ApprovalStanding | undefined): string | undefined {
  return approval?.by.join(', ');
}

/** @returns the approvals of the plan, where a policy asks for them @throws DocsError why it cannot be applied */
async function checkedPlan(
  session: Session,
  plan: Plan,
  input: ManualInput,
  at: PlanSource,
): Promise<ApprovalStanding | undefined> {
  if (!keepsJournal(session)) throw journalOff(session);
  const facts = factsOf(session, plan, input, at);
  const approval = await approvalOf(session, plan, at.saved, facts);
  const reasons = [...(facts.reasons ?? []), ...(approval?.reasons ?? [])];
  checkPlan(session.io, plan, { ...facts, reasons });
  refuseGuarded(plan);
  return approval;
}

/** A plan as it is saved and shown. */
function planProposal(session: Session, plan: Plan, { agreed, show }: PlanSource): Proposal {
  const { command, organization: org, undoes, evidence } = plan;
  return {
    ...{ command, plan, org, undoes, evidence, again: true, doing: 'Applying' },
    steps: [],
    question: questionOf(plan),
    looks: { plan: [], dryRun: [], question: ['guard'] },
    show: show ?? (() => previewPlan(session, plan)),
    async agreed() {
      await agreed?.();
      return {};
    },
  };
}

/** Its operations as the steps of a job, with what its command looks at again: the plan may be a day old. */
async function appliedProposal(
  session: Session,
  plan: Plan,
  input: ManualInput,
  at: PlanSource,
): Promise<Proposal> {
  // Plans of an undo and of the organization as code are made by no command that has a guard.
  const found = await commandAt(at.groups ?? [], plan.command).catch(() => undefined);
  const replanTo = await replanFile(session, input);
  // Where nobody is signed in, nothing is asked.
  const client = await session.client({ connections: concurrencyOf(input), timeoutPerRequest: true });
  const folder = folderOf(session, plan, at);
  const steps = itemsOf(plan, folder === undefined ? undefined : readLock(folder)?.items);
  return {
    ...planProposal(session, plan, at),
    steps,
    by: found?.command,
    applies: await found?.command.applies?.(),
    folder,
    // Its ids are known: only operations make new ones.
    settled: folder === undefined ? undefined : (plan.lock as Header['settled']),
    planFile: at.path === undefined ? undefined : { path: resolve(session.io.cwd, at.path), hash: plan.hash },
    tell: ({ risks }, attended) => tellPlan(session, plan, risks, attended ? lookOf(input, at) : undefined),
    failed: (job) => saveRest(session, plan, replanTo, job),
    blame: replanTo === undefined ? usedUp : undefined,
    left: leftError(session, plan, plan.operations.filter(sends).length),
    done: ({ job = '' }) => noteApplied(session, plan, { steps, client, job }),
  };
}

/** A plan that sends nothing may still refresh the lock; it may be applied again. */
async function applyNothing(session: Session, plan: Plan, at: PlanSource): Promise<void> {
  const folder = folderOf(session, plan, at);
  const { lock = [], organization: org = '', origin } = plan;
  if (folder !== undefined && lock.length > 0) updateLock(folder, { org, origin }, lock);
  await printUnsent(session, plan);
  const left = leftError(session, plan, 0);
  if (left !== undefined) throw left;
  session.printer.note('The plan changes nothing on the platform; nothing was sent.');
}

/** Where the plan is applied. Whose profile that is does not matter: a plan may be applied by somebody else. */
export function factsOf(
  session: Session,
  plan: Plan,
  { options }: ManualInput,
  { reasons, path }: Pick<PlanSource, 'reasons' | 'path'>,
): CheckFacts {
  const organization = session.settings.org?.value ?? plan.organization;
  const { olderThan } = options;
  const age = typeof olderThan === 'string' ? (parseSpan(olderThan) ?? parseDuration(olderThan)) : undefined;
  const maxAgeMs = age === 'none' ? Number.POSITIVE_INFINITY : age;
  return { origin: originOf(session), profile: plan.profile, organization, maxAgeMs, reasons, path };
}

/** The folder whose lock the plan changes. @throws DocsError usage `lock_foreign` */
function folderOf(session: Session, plan: Plan, { folder }: PlanSource): string | undefined {
  const hasLock = plan.lock !== undefined || plan.operations.some(({ lock }) => lock !== undefined);
  if (!hasLock || folder === undefined) return undefined;
  checkLock(folder, readLock(folder), { org: plan.organization ?? '', origin: originOf(session) });
  return folder;
}

/** The file of `--replan`, checked. @throws DocsError as `checkNewFile` */
async function replanFile(session: Session, { options }: ManualInput): Promise<string | undefined> {
  const { replan } = options;
  if (typeof replan !== 'string') return undefined;
  const { checkNewFile } = await import('./written-files.js');
  await checkNewFile(session, replan, '--replan');
  return replan;
}

/** Configuration, exit 14: nothing was sent. */
function journalOff(session: Session): DocsError {
  const where = session.settings.journal?.source === 'environment';
  const message =
    'the journal is off, and it is what keeps a plan from being applied twice; nothing was sent';
  const hint = where ? 'unset DOCS_JOURNAL' : 'docs config set journal on';
  return new DocsError('configuration', 'journal_off', message, { outcome: 'not-sent', hint });
}

/** Where all was stale, the plan cannot be applied again although nothing was sent. */
function usedUp(failure: unknown): unknown {
  if (!(failure instanceof DocsError) || failure.code !== 'stale') return failure;
  const next = 'The plan is used up; make a new one, which docs apply --replan <file> does at once';
  return failure.changed({}, sentences(failure.message, next));
}

/** `--replan`: what is left of the plan becomes a new one. */
async function saveRest(
  session: Session,
  plan: Plan,
  replanTo: string | undefined,
  name: string,
): Promise<void> {
  const { io, printer } = session;
  if (replanTo === undefined || io.signal.aborted) return;
  const job = new JobFolder(io).find(name);
  if (job.items.some(wasSent))
    return printer.warn(
      `${replanTo} was not written: the outcome of some changes is unknown; resume the job first.`,
    );
  const [{ planDrafts, planFacts }, { savedText }, { writePlan }] = await Promise.all([
    import('./make-plan.js'),
    import('./save-plan.js'),
    import('../../plans/file.js'),
  ]);
  const { organization, evidence, undoes, risks } = plan;
  const facts = await planFacts(session, plan.command, defined({ organization, evidence, undoes }));
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const planned = { drafts: draftsLeft(plan, job), risks, foretold: { lines: [] } };
  const rest = await planDrafts(session, readsOf(client), facts, planned);
  await writePlan(io, replanTo, rest);
  printer.note(await savedText(session, rest, replanTo));
}

async function noteApplied(
  session: Session,
  plan: Plan,
  { steps, client, job }: { steps: readonly JobItem[]; client: Client; job: string },
): Promise<void> {
  const undoable = plan.operations.filter(sends).some(({ undo }) => undo !== 'none');
  const undo = undoable ? undoSentence(session, job) : '';
  const count = counted(changesOf(plan).length, 'change');
  await noteSaid(session, `${count} applied.${undo}`, `Applied ${count}.${undo}`);
  const calls = steps.map(({ change }) => change);
  if (new Set(calls.map(({ op }) => op)).size === 1) await noteRestore(session, client, calls, job);
}

/** `docs apply <plan> --dry-run`: the requests as the plan holds them. */

const shown = ['operation', 'kind', 'key', 'method', 'path', 'body', 'undo', 'why'];
const view: View = {
  columns: shown.map((path) => ({ path })),
  fields: ['id', ...shown],
  open: ['body'],
};

async function previewPlan({ printer }: Session, plan: Plan): Promise<void> {
  await printer.check(view);
  const operations = plan.operations.filter(sends);
  const rows = operations.map(({ id, kind, key, request, undo, why }) => {
    const { method, path, body } = request ?? {};
    return defined({ id, operation: id, kind, key, method, path, body, undo, why });
  });
  await printer.list(rows, view);
  printer.note(`Dry run: nothing was sent. ${undoSummary(operations)}`);
}

/** How the picture of a plan looks beside width and colour. */
type ShownPlan = Pick<PlanLook, 'full' | 'made' | 'file'>;

function lookOf({ options }: ManualInput, { file, path }: PlanSource): ShownPlan {
  return { full: options.full === true, made: path !== undefined, file };
}

/** What is asked before a plan is applied: yes or no where all of it can be undone, else its number of changes is typed. */
function questionOf(plan: Plan): Question {
  const changes = changesOf(plan);
  const typed = changes.some(({ undo }) => undo === 'none') ? changes.length : undefined;
  return { what: whatOf(plan), isGrave: true, typed, forecasts: [] };
}

/**
 * Shows a plan on a terminal; elsewhere its risks.
 * @param risks what was found since it was made
 * @param look how it is shown, where somebody is asked
 */
function tellPlan(
  session: Session,
  plan: Plan,
  risks: readonly string[],
  look: ShownPlan | undefined,
): Warnings {
  if (look === undefined) {
    warnReader(session, [...plan.risks, ...risks]);
    return { risks: [], exposed: [] };
  }
  showPlan(session, plan, look);
  // The picture tells the risks of the plan.
  return { risks: risks.filter((risk) => !plan.risks.includes(risk)), exposed: [] };
}

/** The picture of a plan, on standard error: standard output is for what comes of it. */
function showPlan(session: Session, plan: Plan, look: ShownPlan): void {
  writeStandardError(session.io, `${pictureOfPlan(session, plan, look)}\n`);
}

export function pictureOfPlan({ io, globals }: Session, plan: Plan, look: ShownPlan): string {
  const colour = colorLevel(io, globals, 'stderr') > 0;
  return planText(plan, { columns: io.stderr.columns || 80, colour, ...look });
}

function whatOf(plan: Plan): string {
  return `Apply ${counted(changesOf(plan).length, 'change')}`;
}

function changesOf({ operations }: Plan): PlanOperation[] {
  return operations.filter(changesSomething);
}
