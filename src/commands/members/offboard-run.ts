import { dirname, resolve } from 'node:path';
import { ownerReasons, refusal, type TokenOwner } from '../../access/guards.js';
import { type Leaver, type Offboarding, withOutcomes } from '../../access/members.js';
import { lookUp, type Name, namesIn, wrongNames } from '../../access/names.js';
import {
  type LeavingRequest,
  type Prepared,
  plannedReport,
  prepareOffboarding,
  unseenRefusal,
} from '../../access/offboarding.js';
import {
  beginEvidence,
  checkEvidenceFolder,
  dropEvidence,
  type Evidence,
  evidenceOf,
  makeEvidenceFolder,
  standingFiles,
  standingFolder,
  writeEvidence,
} from '../../access/offboarding-evidence.js';
import { nameOf } from '../../access/person.js';
import { DocsError, usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readIds, readSource } from '../../cli/parse/typed-text.js';
import { beginChange, carryOut } from '../../cli/run/carry-out.js';
import { ownerOf } from '../../cli/run/member-guard.js';
import { failureToPrint, noteSaid, refuse, warnReader } from '../../cli/run/output.js';
import type { Proposal } from '../../cli/run/proposal.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { leftOf, refuseOther, resumeAs } from '../../cli/run/resume-job.js';
import { jobFactsOf } from '../../cli/run/session-job.js';
import { readRowsFile } from '../../cli/run/typed-files.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { JobItem } from '../../jobs/journal.js';
import type { Rows } from '../../jobs/rows.js';
import { type Progress, showProgress } from '../../output/progress.js';
import { counted, safeLine } from '../../output/text.js';
import type { Reading } from '../../snapshot/unread.js';
import { complete, jobOf, notComplete, resumeHint } from './offboard-execute.js';
import {
  checkPrinting,
  evidenceSentence,
  leaverLines,
  type OffboardingPage,
  offboardingPage,
  printOffboarding,
} from './offboard-page.js';

/**
 * `docs members offboard`.
 * @throws DocsError usage (exit 2) where it is refused; not-found where a member is unknown; partial
 *   (exit 3) where something could not be read, or was not done; as `createJob`
 */
export async function runOffboard(session: Session, input: ManualInput): Promise<void> {
  const page = await offboardingPage(session, input);
  const names = await namesOf(session, input);
  const plans = session.savePlan !== undefined;
  await beginChange(session, {
    asks: `Offboard ${counted(names.length, 'member')}`,
    journal: 'the journal is off, and an offboarding requires it for resume and evidence',
  });
  if (!plans) await checkPrinting(session);
  const folder = resolve(session.io.cwd, String(input.options.evidence ?? '.'));
  await checkEvidenceFolder(folder);
  if (names.length === 0 && !plans) return session.printer.note('No members given; nothing was changed.');
  if (names.length === 0) return carryOut(session, input, offboardProposal(session, [], []));
  const request = await requestOf(session, input, names);
  const prepared = await readFirst(session, request);
  const proposal = offboardProposal(session, prepared.people, prepared.steps);
  if (session.globals.dryRun) {
    const show = () => rehearse(session, prepared, input, page);
    return carryOut(session, input, { ...proposal, show });
  }
  const owner = await ownerOf(session, request.reading, request.members);
  const owned = owner === undefined ? [] : ownerReasons(owner, request.members, prepared.organization);
  refuse(session, refusal([...prepared.reasons, ...owned]));
  refuseUnseen(session, prepared.people, input);
  const work = { session, input, proposal, reading: prepared.reading, page };
  const report = reportOf(session, prepared, owner);
  await (plans ? planOffboarding(work, report, folder) : offboard(work, report, folder));
}

/** The words of the command, for its job and its plan. */
const command = 'members offboard';

/** Requests of an offboarding: what guards and impact would tell is in its report. */
function offboardProposal(session: Session, people: readonly Leaver[], steps: readonly JobItem[]): Proposal {
  return {
    command,
    steps,
    looks: { plan: ['impact'], dryRun: [], question: [] },
    risks: people.flatMap(({ user, warnings }) =>
      warnings.map((one) => `${safeLine(nameOf(user))}: ${one}.`),
    ),
    titles: Object.fromEntries(people.map(({ user }) => [user.id, nameOf(user)])),
    question: {
      what: `Offboard ${peopleWords(people)}`,
      isGrave: true,
      typed: people.length > 1 ? people.length : undefined,
      forecasts: [],
      refused: 'changed',
    },
    tell(_, attended) {
      if (attended) session.printer.warn(people.flatMap(leaverLines).join('\n'));
      return { risks: [], exposed: [] };
    },
  };
}

/** What an offboarding is done with. */
interface Work {
  session: Session;
  input: ManualInput;
  proposal: Proposal;
  reading: Reading;
  page: OffboardingPage | undefined;
}

/** `--save-plan`: writes the evidence of what is held now, which applying the plan completes, and the plan. */
async function planOffboarding(
  { session, input, proposal, page }: Work,
  planned: Offboarding,
  folder: string,
): Promise<void> {
  const { files, report } = await beginEvidence(session.io, folder, planned);
  try {
    await carryOut(session, input, { ...proposal, evidence: files.json });
  } catch (cause) {
    await dropEvidence(files);
    throw cause;
  }
  session.printer.note(`Evidence of their current access: ${files.json} and ${files.csv}.`);
  await page?.write({ files, report });
}

/** Sends the requests as a job, reads again, and writes the evidence before and after, with the page of `--html`. */
async function offboard(work: Work, planned: Offboarding, folder: string): Promise<void> {
  const { session, input, proposal, page } = work;
  const { io } = session;
  let begun: Evidence | undefined;
  let isSending = false;
  try {
    await carryOut(session, input, {
      ...proposal,
      async agreed() {
        begun = await beginEvidence(io, standingFolder(io, folder), { ...planned, state: 'begun' });
        return { evidence: begun.files.json };
      },
      applies: async () => ({
        async begin(job) {
          isSending = true;
          if (begun === undefined) return;
          const named = { ...begun, report: { ...begun.report, job } };
          await writeEvidence(io, named);
          await page?.write(named, { quiet: true });
        },
        end: async (job, isDone) => begun && concludeWith(work, begun, job, isDone),
      }),
      ...reporting(session, () => begun?.files.json ?? ''),
    });
  } catch (cause) {
    if (begun !== undefined && !isSending) await dropEvidence(begun.files);
    throw cause;
  }
}

/** Nothing is printed until the end, and what failed names the command that goes on. */
function reporting(session: Session, json: () => string): Pick<Proposal, 'isSilent' | 'doing' | 'blame'> {
  return {
    isSilent: true,
    doing: 'Offboarding',
    blame(cause) {
      // A bug has no way on.
      return cause instanceof DocsError ? cause.changed({ hint: resumeHint(session, json()) }) : cause;
    },
  };
}

async function readFirst(session: Session, request: LeavingRequest): Promise<Prepared> {
  const { length } = request.members;
  const prepare = (progress: Progress) => prepareOffboarding(request, (done) => progress.count(done));
  return showProgress(session, 'Reading their access', prepare, length);
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

function peopleWords(people: readonly Leaver[]): string {
  if (people.length > 1) return counted(people.length, 'member');
  return people.map(({ user }) => safeLine(nameOf(user))).join();
}

/** Why the page could not be written once all was done. */
function unlessBug(cause: unknown): DocsError {
  if (cause instanceof DocsError) return cause.with({ outcome: 'done' });
  throw cause;
}

/**
 * Reads again, completes the evidence, and tells what came of it. The page is written also where it was interrupted.
 * @throws DocsError partial `not_complete` where all was done, and does not show; local-io where the page was not written
 */
async function concludeWith(
  { session, reading, page }: Pick<Work, 'session' | 'reading' | 'page'>,
  evidence: Evidence,
  job: string,
  isDone: boolean,
): Promise<void> {
  const { io, printer } = session;
  const ended = await complete(session, reading, evidence, job);
  const { report, files } = ended;
  const isComplete = report.state === 'complete';
  const unwritten = await page?.write(ended).then(() => undefined, unlessBug);
  if (unwritten !== undefined && !isComplete) warnReader(session, [unwritten.message]);
  if (io.signal.aborted && isDone) throw io.signal.reason;
  if (io.signal.aborted) return;
  printer.changed();
  const unprinted = await failureToPrint(() => printOffboarding(session, { ...report, files }));
  if (unprinted !== undefined) printer.warn(unprinted.message);
  if (!isComplete) {
    printer.note(evidenceSentence(session, files, false));
    if (!isDone) return;
    throw notComplete(session, files.json);
  }
  const said = `Offboarded ${peopleWords(report.people)}, and reading again confirms it.`;
  await noteSaid(session, `${said} ${evidenceSentence(session, files, true)}`);
  const untold = unprinted ?? unwritten;
  if (untold !== undefined) throw untold;
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
    throw usageError('no_items', 'no members given; add --allow-empty if that is intended');
  const message = 'no members given; pass <user...>, or --from with a file';
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
  const message = `line ${first.line}: the decision is not remove (${others.length} of ${rows.length} rows). Keep only the rows to remove, or apply the whole review with docs members review --apply.`;
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
export async function resumeOffboarding(session: Session, input: ManualInput): Promise<void> {
  const { io, printer } = session;
  if (input.args.user !== undefined && input.args.user.length > 0)
    throw usageError('contradiction', '--resume and <user...> contradict each other');
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
    session.previewed?.push({ shown: '--dry-run' });
    return printer.note(
      `Dry run: nothing was sent. Job ${job.header.job} has ${counted(left, 'request')} left; those sent without an answer are looked up first.`,
    );
  }
  const reading = await readingOf(session, input, report.organization.id);
  await makeEvidenceFolder(dirname(files.json));
  const end = (name: string, isDone: boolean) =>
    concludeWith({ session, reading, page }, evidence, name, isDone);
  if (left === 0) return end(job.header.job, true);
  await resumeAs(session, input, job, {
    applies: async () => ({ end }),
    ...reporting(session, () => files.json),
  });
}
