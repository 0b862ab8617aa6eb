import { resolve } from 'node:path';
import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Header, JobItem } from '../../jobs/journal.js';
import { wasSent } from '../../jobs/look.js';
import { changesIn } from '../../jobs/outlook.js';
import { readsOf } from '../../jobs/reads.js';
import { OutputFailed, type View } from '../../output/printer.js';
import { colorLevel, writeStandardError } from '../../output/terminal.js';
import { counted } from '../../output/text.js';
import { type CheckFacts, checkPlan, refuseGuarded } from '../../plans/check.js';
import { checkLock, readLock, updateLock } from '../../plans/lock.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { changesSomething } from '../../plans/show/summary.js';
import { type PlanLook, planText } from '../../plans/show/text.js';
import { stepsOf } from '../../plans/steps.js';
import type { PlanFile } from '../../policy/approval/standing.js';
import { parseDuration } from '../../settings/duration.js';
import type { Applying, GroupEntry, ManualInput } from '../declare/command.js';
import { commandAt } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { askToGoOn } from '../resolve/prompts.js';
import { cautionOf, looksAgain, notAsked, undoSummary } from './confirm.js';
import { concurrencyOf } from './gather.js';
import { checkResults, leftError, printUnsent } from './job-results.js';
import { noteSaid, warnReader } from './output.js';
import { approvalOf } from './plan-approval.js';
import { causeOf, type Sending, sendAll, tellLock } from './runner.js';
import { noteRestore, undoSentence } from './send-changes.js';
import { keepsJournal, originOf } from './session-job.js';

/** `docs apply`: makes exactly the requests of a plan, once, as one job (PLANS.md, 1). */

/** Where a plan is applied. */
interface PlanSource extends Pick<CheckFacts, 'reasons' | 'path'> {
  /** The file that it was read from; none where it was made now. */
  saved?: PlanFile;
  folder?: string;
  groups?: readonly GroupEntry[];
  file?: ShownPlan['file'];
  /** What to do once it is agreed to, before anything is sent. */
  agreed?: () => Promise<void>;
}

/** A plan at work. */
interface Work {
  session: Session;
  plan: Plan;
  input: ManualInput;
  client: Client;
  /** The operations that send something, and their steps. */
  operations: readonly PlanOperation[];
  steps: readonly JobItem[];
  /** Of the organization as code, whose lock it changes. */
  folder?: string;
  /** The file of `--replan`. */
  replanTo?: string;
  /** Who approved the plan, where a policy asks for it. */
  approved?: string;
  /** Where it was read from, for those who resume its job. */
  planFile?: Header['planFile'];
}

/**
 * Applies a plan as one job: refuses what does not fit, shows and asks, claims the plan, sends, writes the lock.
 * @param at.folder of the organization as code, absolute, where the plan has a lock
 * @param at.file the file that an operation comes from, where there is one
 * @param at.groups all commands: the one that made the plan looks again at what it would refuse
 * @param at.reasons what is wrong with its file, to be told together with all else
 * @throws DocsError usage `plan_applied`, `plan_foreign`, `plan_expired`, …, all reasons at once; configuration
 *   `journal_off`; `guarded`; conflict `stale` where nothing was applied for that; as `printResults`
 */
export async function applyPlan(
  session: Session,
  plan: Plan,
  input: ManualInput,
  at: PlanSource,
): Promise<void> {
  if (!keepsJournal(session)) throw journalOff(session);
  const facts = factsOf(session, plan, input, at);
  const approval = await approvalOf(session, plan, at.saved, facts);
  const reasons = [...(facts.reasons ?? []), ...(approval?.reasons ?? [])];
  checkPlan(session.io, plan, { ...facts, reasons });
  refuseGuarded(plan);
  const operations = plan.operations.filter(({ request }) => request !== undefined);
  if (session.globals.dryRun) return previewPlan(session, operations);
  await checkResults(session, { plan: true });
  if (operations.length === 0) return applyNothing(session, plan, at);
  refuseUnasked(session, plan);
  const replanTo = await replanFile(session, input);
  const use = { connections: concurrencyOf(input), timeoutPerRequest: true };
  const client = await session.client(use);
  const folder = folderOf(session, plan, at);
  const steps = stepsOf(plan, folder === undefined ? undefined : readLock(folder)?.items);
  const approved = approval?.by.join(', ');
  const planFile =
    at.path === undefined ? undefined : { path: resolve(session.io.cwd, at.path), hash: plan.hash };
  const work = { session, plan, input, client, operations, steps, folder, replanTo, approved, planFile };
  const { risks, applying, again } = await lookAgain(work, at.groups);
  const { file, path } = at;
  const look = { full: input.options.full === true, made: path !== undefined, file };
  await confirmPlan(session, plan, [...plan.risks, ...risks], look);
  if (session.interactive && !session.globals.yes) await again();
  await at.agreed?.();
  await send(work, applying);
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
function factsOf(
  session: Session,
  plan: Plan,
  { options }: ManualInput,
  { reasons, path }: PlanSource,
): CheckFacts {
  const organization = session.settings.org?.value ?? plan.organization;
  const { maxAge } = options;
  const age = typeof maxAge === 'string' ? parseDuration(maxAge) : undefined;
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

/** The file of `--replan`, checked. @throws DocsError as `checkPlanFile` */
async function replanFile(session: Session, { options }: ManualInput): Promise<string | undefined> {
  const { replan } = options;
  if (typeof replan !== 'string') return undefined;
  const { checkPlanFile } = await import('./save-plan.js');
  await checkPlanFile(session, replan, '--replan');
  return replan;
}

/** Configuration, exit 14: nothing was sent. */
function journalOff(session: Session): DocsError {
  const where = session.settings.journal?.source === 'environment';
  const message =
    'The journal is off, and it is what keeps a plan from being applied twice; nothing was sent.';
  const hint = where ? 'unset DOCS_JOURNAL' : 'docs config set journal on';
  return new DocsError('configuration', 'journal_off', message, { outcome: 'not-sent', hint });
}

/** The guard of the command that made the plan, and what else it looks at: the plan may be a day old. */
async function lookAgain(
  { session, plan, input, client, steps }: Work,
  groups: readonly GroupEntry[] = [],
): Promise<{ risks: readonly string[]; applying: Applying; again: () => Promise<unknown> }> {
  // Plans of an undo and of the organization as code are made by no command that has a guard.
  const command = (await commandAt(groups, plan.command).catch(() => undefined))?.command;
  const nothing = async () => {};
  if (steps.length === 0) return { risks: [], applying: {}, again: nothing };
  const calls = changesIn(steps);
  const caution = () => cautionOf(session, async () => client, command, calls);
  const { risks } = await caution();
  const applies = await command?.applies?.();
  const { evidence } = plan;
  const about = { session, client, calls, concurrency: concurrencyOf(input), evidence };
  const applying = (await applies?.(about)) ?? {};
  return { risks, applying, again: command !== undefined && looksAgain(command) ? caution : nothing };
}

/** Sends, writes the lock whatever came of it, and tells what can be done next. */
async function send(work: Work, applying: Applying): Promise<void> {
  const { session, plan, input, operations, replanTo } = work;
  const sent = await sendAll(session, input, sendingOf(work), { doing: 'Applying', plan }, async (job = '') =>
    applying.begin?.(job),
  );
  const { failure, unkept, job = '' } = sent;
  const isDone = failure === undefined || failure instanceof OutputFailed;
  const unfinished = await causeOf(async () => applying.end?.(job, isDone));
  if (!isDone) await saveRest(work, job);
  const left = leftError(session, plan, operations.length);
  if (failure !== undefined || unfinished !== undefined || left !== undefined)
    tellLock(session, unkept, failure ?? unfinished ?? left);
  if (failure !== undefined) throw replanTo === undefined ? usedUp(failure) : failure;
  await noteApplied(work, job);
  if (unfinished !== undefined) throw unfinished;
  if (left === undefined) tellLock(session, unkept, undefined);
  if (left !== undefined) throw left;
}

/** Where all was stale, the plan cannot be applied again although nothing was sent. */
function usedUp(failure: unknown): unknown {
  if (!(failure instanceof DocsError) || failure.code !== 'stale') return failure;
  const { kind, code, message } = failure;
  const next = 'The plan is used up; make a new one, which docs apply --replan <file> does at once.';
  return new DocsError(kind, code, `${message} ${next}`, failure.failure);
}

/** The changes of a plan; its job is one that nobody else has. */
function sendingOf({ plan, steps, folder, approved, planFile }: Work): Sending {
  const { id, undoes, evidence, organization: org, lock, command } = plan;
  // Its ids are known: only operations make new ones.
  const settled = folder === undefined ? undefined : (lock as Header['settled']);
  const more = defined({ org, folder, settled, undoes, evidence, approved, planFile });
  return { command, steps, again: true, plan: id, ...more };
}

/** `--replan`: what is left of the plan becomes a new one. */
async function saveRest({ session, plan, replanTo }: Work, name: string): Promise<void> {
  const { io, printer } = session;
  if (replanTo === undefined || io.signal.aborted) return;
  const job = new JobFolder(io).find(name);
  if (job.items.some(wasSent))
    return printer.warn(
      `${replanTo} was not written: the outcome of some changes is unknown; resume the job first.`,
    );
  const [{ planFacts, savedText }, { draftsLeft }, { makePlan }, { writePlan }] = await Promise.all([
    import('./save-plan.js'),
    import('../../plans/steps.js'),
    import('../../plans/make.js'),
    import('../../plans/file.js'),
  ]);
  const { organization, evidence, undoes, risks } = plan;
  const facts = await planFacts(session, plan.command, defined({ organization, evidence, undoes }));
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const rest = await makePlan(readsOf(client), { ...facts, risks }, draftsLeft(plan, job));
  await writePlan(io, replanTo, rest);
  printer.note(await savedText(session, rest, replanTo));
}

async function noteApplied({ session, operations, steps, client }: Work, job: string): Promise<void> {
  const undoable = operations.some(({ undo }) => undo !== 'none');
  const undo = undoable ? undoSentence(session, job) : '';
  const changes = operations.filter(changesSomething).length;
  const count = counted(changes, 'change');
  await noteSaid(session, `${count} applied.${undo}`, `Applied ${count}.${undo}`);
  const calls = steps.map(({ change }) => change);
  if (new Set(calls.map(({ op }) => op)).size === 1) noteRestore(session, client, calls, job);
}

/** `docs apply <plan> --dry-run`: the requests as the plan holds them. */

const shown = ['operation', 'kind', 'key', 'method', 'path', 'body', 'undo', 'why'];
const view: View = {
  columns: shown.map((path) => ({ path })),
  fields: ['id', ...shown],
  open: ['body'],
};

/** @param operations those that send something */
async function previewPlan({ printer }: Session, operations: readonly PlanOperation[]): Promise<void> {
  await printer.check(view);
  const rows = operations.map(({ id, kind, key, request, undo, why }) => {
    const { method, path, body } = request ?? {};
    return defined({ id, operation: id, kind, key, method, path, body, undo, why });
  });
  await printer.list(rows, view);
  printer.note(`Dry run: nothing was sent. ${undoSummary(operations)}`);
}

/** What is asked before a plan is applied. */

/** How the picture looks beside width and colour. */
type ShownPlan = Pick<PlanLook, 'full' | 'made' | 'file'>;

/** Refuses a plan that nobody can be asked about, before anything is read. @throws usage `not_confirmed` */
function refuseUnasked({ globals, interactive }: Session, plan: Plan): void {
  if (!globals.yes && !globals.dryRun && !interactive) throw notAsked(whatOf(plan));
}

/**
 * Shows a plan on a terminal and asks: yes or no where all of it can be undone, else its number of changes is typed.
 * @param risks those of the plan, and what was found since
 * @throws DocsError usage `not_confirmed`: nothing was sent
 */
async function confirmPlan(
  session: Session,
  plan: Plan,
  risks: readonly string[],
  look: ShownPlan,
): Promise<void> {
  const { printer, globals } = session;
  if (!globals.yes) showPlan(session, plan, look);
  // The picture tells the risks of the plan.
  const told = globals.yes ? [] : plan.risks;
  const more = risks.filter((risk) => !told.includes(risk));
  if (globals.yes) return warnReader(session, more);
  if (more.length > 0) printer.warn(more.join('\n'));
  const changes = changesOf(plan);
  const what = whatOf(plan);
  const count = String(changes.length);
  if (!changes.some(({ undo }) => undo === 'none')) await askToGoOn(session, `${what}?`, 'sent');
  else await askToGoOn(session, `${what}. Type ${count} to go on:`, 'sent', [count]);
}

/** The picture of a plan, on standard error: standard output is for what comes of it. */
export function showPlan({ io, globals }: Session, plan: Plan, look: ShownPlan): void {
  const colour = colorLevel(io, globals, 'stderr') > 0;
  writeStandardError(io, `${planText(plan, { columns: io.stderr.columns || 80, colour, ...look })}\n`);
}

function whatOf(plan: Plan): string {
  return `Apply ${counted(changesOf(plan).length, 'change')}`;
}

function changesOf({ operations }: Plan) {
  return operations.filter(changesSomething);
}
