import { dirname, resolve } from 'node:path';
import { findTokenOwner, ownerReasons, refusal, type TokenOwner } from '../../access/guards.js';
import { lookUp, type Name, namesIn, wrongNames } from '../../access/names.js';
import { nameOf } from '../../access/person.js';
import type { Member } from '../../api/resources/members.js';
import { DocsError, usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import { shellWord } from '../../base/shell-word.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readIds, readSource } from '../../cli/parse/typed-text.js';
import { askToGoOn } from '../../cli/resolve/prompts.js';
import { cautionOf, notAsked } from '../../cli/run/confirm.js';
import { readRowsFile } from '../../cli/run/gather.js';
import { failureOf } from '../../cli/run/job-results.js';
import { failureToPrint, noteSaid, refuse, warnReader } from '../../cli/run/output.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { passJob, refuseOther } from '../../cli/run/resume-job.js';
import { runJob, sendSteps } from '../../cli/run/runner.js';
import { savePlan } from '../../cli/run/save-plan.js';
import { jobFactsOf, keepsJournal, trailOf } from '../../cli/run/session-job.js';
import { reopenJob } from '../../jobs/create-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { restOf } from '../../jobs/outlook.js';
import type { Rows } from '../../jobs/rows.js';
import { startProgress } from '../../output/progress.js';
import { counted, safeLine } from '../../output/text.js';
import { findCredential } from '../../settings/credentials.js';
import {
  beginEvidence,
  checkEvidenceFolder,
  dropEvidence,
  evidenceOf,
  makeEvidenceFolder,
  standingFiles,
} from './offboard-evidence.js';
import { type Executed, type Execution, execute, jobOf, leftOf, resume } from './offboard-execute.js';
import {
  checkPrinting,
  evidenceSentence,
  leaverLines,
  type OffboardingPage,
  offboardingPage,
  printOffboarding,
} from './offboard-page.js';
import {
  type LeavingRequest,
  type Prepared,
  plannedReport,
  prepareOffboarding,
  unseenRefusal,
} from './offboard-plan.js';
import { type Leaver, type Offboarding, withOutcomes } from './shapes.js';

/**
 * `docs members offboard`.
 * @throws DocsError usage (exit 2) where it is refused; not-found where a member is unknown; partial
 *   (exit 3) where something could not be read, or was not done; as `createJob`
 */
export async function runOffboard(session: Session, input: ManualInput): Promise<void> {
  const page = await offboardingPage(session, input);
  const names = await namesOf(session, input);
  const plans = session.savePlan !== undefined;
  if (!session.globals.dryRun && !plans) refuseUnasked(session, names.length);
  if (!plans) await checkPrinting(session);
  const folder = resolve(session.io.cwd, String(input.options.evidence ?? '.'));
  await checkEvidenceFolder(folder);
  if (names.length === 0 && plans) return savePlan(session, { command, steps: [] });
  if (names.length === 0) return session.printer.note('No members given; nothing was changed.');
  const request = await requestOf(session, input, names);
  const prepared = await readFirst(session, request);
  if (session.globals.dryRun) return rehearse(session, prepared, input, page);
  if (plans) return planOffboarding(session, prepared, request.members, folder, { input, page });
  const { reading, organization, reasons, steps } = prepared;
  const owner = await findTokenOwner(reading.client, reading.organizationId);
  refuse(session, refusal([...reasons, ...ownerReasons(owner, request.members, organization)]));
  refuseUnseen(session, prepared.people, input);
  const report = reportOf(session, prepared, owner);
  await confirm(session, report);
  await showExecution(session, { total: steps.length, input, reading, page }, (execution) =>
    execute(execution, report, steps, folder),
  );
}

/** The words of the command, for its job and its plan. */
const command = 'members offboard';

/**
 * `--save-plan`: writes the evidence of what is held now, which applying the plan completes, and the plan. No ping
 * is sent, so only the member whom sign-in found is known to own the token; applying it looks again.
 */
async function planOffboarding(
  session: Session,
  prepared: Prepared,
  members: readonly Member[],
  folder: string,
  { input, page }: Pick<Shown, 'input' | 'page'>,
): Promise<void> {
  const { people, reasons, steps, organization } = prepared;
  const own = (await findCredential(session.io, session.settings))?.member;
  const member = members.find(({ id }) => id === own?.id);
  const owner: TokenOwner | undefined = member && { is: 'known', member };
  const owned = owner === undefined ? [] : ownerReasons(owner, members, organization);
  refuse(session, refusal([...reasons, ...owned]));
  refuseUnseen(session, people, input);
  const { files, report } = await beginEvidence(session.io, folder, reportOf(session, prepared, owner));
  const risks = people.flatMap(({ user, warnings }) =>
    warnings.map((one) => `${safeLine(nameOf(user))}: ${one}.`),
  );
  const titles = Object.fromEntries(people.map(({ user }) => [user.id, nameOf(user)]));
  try {
    await savePlan(session, { command, steps, risks, titles, evidence: files.json });
  } catch (cause) {
    await dropEvidence(files);
    throw cause;
  }
  session.printer.note(`Evidence of what they hold now: ${files.json} and ${files.csv}.`);
  await page?.write({ files, report });
}

function refuseUnasked(session: Session, people: number): void {
  if (!keepsJournal(session)) {
    const message = 'The journal is off, and an offboarding requires it for resume and evidence.';
    throw usageError('journal_off', message, { hint: 'docs config set journal on' });
  }
  if (!session.globals.yes && !session.interactive) throw notAsked(`Offboard ${counted(people, 'member')}`);
}

async function readFirst(session: Session, request: LeavingRequest): Promise<Prepared> {
  const text = 'Reading what they hold';
  const quiet = session.globals.quiet ?? false;
  const progress = startProgress(session.io, { text, total: request.members.length, quiet });
  return prepareOffboarding(request, (done) => progress.count(done)).finally(() => progress.stop());
}

function reportOf(session: Session, prepared: Prepared, owner?: TokenOwner): Offboarding {
  const { env, now } = session.io;
  const facts = jobFactsOf(session, command, prepared.steps);
  return plannedReport(prepared, { facts, account: env.USER ?? env.USERNAME, owner, nowMs: now() });
}

/** `--dry-run`: all reads happen, but no change is sent, nor the ping. */
async function rehearse(
  session: Session,
  prepared: Prepared,
  input: ManualInput,
  page?: OffboardingPage,
): Promise<void> {
  const report = reportOf(session, prepared);
  await printOffboarding(session, report);
  const changes = counted(prepared.steps.length, 'change');
  session.printer.note(
    `Dry run: nothing was sent, no evidence was written. The offboarding sends ${changes}, after a ping that identifies the owner of the token.`,
  );
  await page?.write({ report });
  refuse(session, refusal(prepared.reasons));
  refuseUnseen(session, prepared.people, input);
}

function refuseUnseen(session: Session, people: readonly Leaver[], { options }: ManualInput): void {
  const unseen = unseenRefusal(people);
  if (unseen === undefined) return;
  warnReader(session, unseen.reasons);
  if (options.allowUnseen !== true) throw unseen.error;
}

async function confirm(session: Session, { people }: Offboarding): Promise<void> {
  if (session.globals.yes) return;
  session.printer.warn(people.flatMap(leaverLines).join('\n'));
  const count = String(people.length);
  if (people.length === 1) return askToGoOn(session, `Offboard ${peopleWords(people)}?`, 'changed');
  await askToGoOn(session, `Offboard ${count} members. Type ${count} to go on:`, 'changed', [count]);
}

function peopleWords(people: readonly Leaver[]): string {
  if (people.length > 1) return counted(people.length, 'member');
  return people.map(({ user }) => safeLine(nameOf(user))).join();
}

/** What an execution is shown with. */
interface Shown {
  /** How many requests it sends. */
  total: number;
  input: ManualInput;
  reading: Execution['reading'];
  page: OffboardingPage | undefined;
}

/**
 * Shows the progress of an execution, then its report, and where the evidence is. The page of `--html` is written
 * with the evidence: before the first change, and after the last one, also where it was interrupted.
 * @throws DocsError why not all was done; partial `not_complete` where it was, and does not show
 */
async function showExecution(
  session: Session,
  { total, input: { options }, reading, page }: Shown,
  start: (execution: Execution) => Promise<Executed>,
): Promise<void> {
  const { io } = session;
  const quiet = session.globals.quiet ?? false;
  let progress = startProgress(io, { text: 'Offboarding', total, quiet });
  const on: Execution['on'] = (event) => {
    if (event.is === 'sending') return progress.count(event.done, event.failed);
    progress.stop();
    progress = startProgress(io, { text: 'Reading again', quiet });
  };
  const begun: Execution['begun'] = async (evidence) => page?.write(evidence, { quiet: true });
  const { client, concurrency } = reading;
  const how = { client, concurrency, failFast: options.failFast === true };
  const again = options.again === true;
  const execution: Execution = {
    ...{ io, reading, on, begun },
    send: (steps, evidence, use) =>
      sendSteps(session, { command, steps, again, evidence }, how, (run, job = '') => use(run, job)),
    async sendRest(job, steps, use) {
      const open = await reopenJob(io, new JobFolder(io), job, { trail: trailOf(session) });
      return runJob(session, open, { ...how, steps }, (run) => use(run, open.job));
    },
  };
  const executed = await start(execution).finally(() => progress.stop());
  const unwritten = page && (await failureToWrite(() => page.write(executed)));
  await conclude(session, executed, total, unwritten);
}

/** Writes what tells of a change. @returns why it could not be written */
async function failureToWrite(write: () => Promise<void>): Promise<DocsError | undefined> {
  try {
    await write();
    return undefined;
  } catch (cause) {
    if (cause instanceof DocsError) return cause.with({ outcome: 'done' });
    throw cause;
  }
}

/** @param unwritten why the page of `--html` could not be written: thrown where nothing worse is to be told */
async function conclude(
  session: Session,
  executed: Executed,
  total: number,
  unwritten: DocsError | undefined,
): Promise<void> {
  const { io, printer } = session;
  const { report, files, job, run } = executed;
  const { json } = files;
  const failed = run && failureOf(session, run, job, total);
  const hint = `docs members offboard --resume ${shellWord(json, io.platform)}`;
  const failure =
    executed.crash ??
    (failed && new DocsError(failed.kind, failed.code, failed.message, { ...failed.failure, hint }));
  if (unwritten !== undefined && executed.report.state !== 'complete')
    warnReader(session, [unwritten.message]);
  if (io.signal.aborted) throw failure ?? io.signal.reason;
  printer.changed();
  const unprinted = await failureToPrint(() => printOffboarding(session, { ...report, files }));
  if (unprinted !== undefined) printer.warn(unprinted.message);
  if (report.state === 'complete') {
    await noteSaid(
      session,
      `Offboarded ${peopleWords(report.people)}, and reading again confirms it. ${evidenceSentence(session, files, true)}`,
    );
    const untold = unprinted ?? unwritten;
    if (untold !== undefined) throw untold;
    return;
  }
  printer.note(evidenceSentence(session, files, false));
  if (failure !== undefined) throw failure;
  const message = 'All requests were sent, but reading again does not confirm all changes.';
  throw new DocsError('partial', 'not_complete', message, { hint, outcome: 'done' });
}

/** Who is to leave and who takes over, from arguments and flags. */

/** The names that were typed or read. @throws DocsError usage where there are none */
async function namesOf(session: Session, { args, options }: ManualInput): Promise<Name[]> {
  const typed = [args.user ?? []].flat();
  const names: Name[] = (await readIds(session, typed, 'user')).map((text) => ({ text }));
  if (typeof options.from === 'string') {
    const { rows } = await readRowsFile(session, options.from, '--from');
    refuseUndecided(rows);
    const { names: more, unused } = namesIn(rows);
    names.push(...more);
    if (unused.length > 0) session.printer.note(`Ignored columns: ${unused.join(', ')}.`);
  }
  if (names.length > 0 || options.allowEmpty === true) return names;
  if (typed.length > 0 || options.from !== undefined)
    throw usageError('no_items', 'No members given; add --allow-empty if that is intended.');
  const message = 'No members given; pass <user...>, or --from with a file.';
  throw usageError('missing_argument', message, { hint: 'docs members list' });
}

/** Guards against offboarding everybody in an access review: if rows have decisions, all must be `remove`. */
function refuseUndecided({ header, rows }: Rows): void {
  const isDecision = ({ name }: { name: string }) => sameName(name, 'decision');
  if (header?.cells.some(isDecision) !== true) return;
  const others = rows.filter(
    ({ cells }) => String(cells.find(isDecision)?.value).trim().toLowerCase() !== 'remove',
  );
  const [first] = others;
  if (first === undefined) return;
  const message = `Line ${first.line}: the decision is not remove (${others.length} of ${rows.length} rows). Keep only the rows to remove, or apply the whole review with docs members review --apply.`;
  throw usageError('not_leavers', message);
}

/** Looks up the members, each once. @throws DocsError as `lookUp`, `wrongNames` */
async function requestOf(
  session: Session,
  input: ManualInput,
  names: readonly Name[],
): Promise<LeavingRequest> {
  const { reassignTeamsTo } = input.options;
  const reading = await readingOf(session, input);
  const heirName = typeof reassignTeamsTo === 'string' ? [{ text: reassignTeamsTo }] : [];
  const looked = await lookUp(reading, [...names, ...heirName]);
  refuse(session, wrongNames(looked));
  const found = looked.flatMap(({ member }) => member ?? []);
  const members = [...new Map(found.slice(0, names.length).map((member) => [member.id, member])).values()];
  const twice = names.length - members.length;
  if (twice > 0) session.printer.note(`Ignored ${counted(twice, 'duplicate')} of ${names.length} members.`);
  return { reading, members, heir: heirName.length === 0 ? undefined : found.at(-1) };
}

/**
 * `docs members offboard --resume`: does what is left of the job, reads again, and completes the evidence.
 * @throws DocsError usage `contradiction`, `no_job`, `job_mismatch`; as `runOffboard`
 */
export async function resumeOffboarding(
  session: Session,
  input: ManualInput,
  _groups: readonly GroupEntry[],
): Promise<void> {
  const { io, printer } = session;
  if (input.args.user !== undefined && input.args.user.length > 0)
    throw usageError('contradiction', '--resume and <user...> contradict each other.');
  const page = await offboardingPage(session, input);
  await checkPrinting(session);
  const typed = String(input.options.resume);
  const json = resolve(io.cwd, typed);
  const read = evidenceOf(await readSource(session, json, '--resume'), json, `--resume: ${typed}`);
  const evidence = { ...read, files: standingFiles(io, read.files) };
  const { report, files } = evidence;
  if (report.state === 'complete') {
    await printOffboarding(session, { ...report, files });
    await page?.write(evidence);
    return printer.note(`${json} is already complete; nothing was sent.`);
  }
  const job = jobOf(new JobFolder(io), evidence);
  refuseOther(session, job);
  const left = leftOf(job).length;
  if (session.globals.dryRun) {
    const outcomes = withOutcomes(report, job.items, job.header.job);
    await printOffboarding(session, outcomes);
    await page?.write({ report: outcomes });
    return printer.note(
      `Dry run: nothing was sent. Job ${job.header.job} has ${counted(left, 'request')} left; those sent without an answer are looked up first.`,
    );
  }
  const reading = await readingOf(session, input, report.organization.id);
  await passJob(session, job);
  await cautionOf(session, async () => reading.client, undefined, restOf(job));
  await makeEvidenceFolder(dirname(evidence.files.json));
  await showExecution(session, { total: left, input, reading, page }, (execution) =>
    resume(execution, job, evidence),
  );
}
