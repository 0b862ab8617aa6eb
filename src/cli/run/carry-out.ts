import { DocsError, sentences, usageError } from '../../base/errors.js';
import { derivedIo } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { createJob, type OpenJob } from '../../jobs/create-job.js';
import { withoutSecretUrls } from '../../jobs/environment.js';
import { changesIn, type ItemResult, type JobItem } from '../../jobs/journal.js';
import { JournalFolder } from '../../jobs/journal-folder.js';
import { rulesOfSteps } from '../../jobs/rule-book.js';
import { JobRun } from '../../jobs/run-job.js';
import type { Trail } from '../../jobs/trail.js';
import { OutputFailed } from '../../output/printer.js';
import type { Applying, ManualInput } from '../declare/command.js';
import type { PreviewName, Session } from '../declare/session.js';
import { concurrencyOf } from './gather.js';
import {
  type AnyProposal,
  applyingOf,
  type Connect,
  lookAt,
  looksAgain,
  type Precautions,
  tellExposed,
} from './guard.js';
import { noteAlreadyDone } from './output.js';
import type { AgreedTo, Proposal, Sent, Warnings } from './proposal.js';
import { actorIn, jobFactsOf, keepsJournal, trailOf } from './session-job.js';

/**
 * The one road of changes to the platform, from what is to be done to done. A rule that is added here holds for all:
 * plain commands, bulk, `docs api`, plans, undo, resume, offboarding, reviews, linking, publishing.
 */

/** What can be refused of changes before anything is read for them. */
interface Beginning {
  /** The results that are printed, whose fields are checked; none where a command prints its own. */
  results?: { undoes?: boolean; plan?: boolean };
  /** What would be asked, where nothing is sent without an answer. */
  asks?: string | undefined;
  /** Why nothing is sent while the journal is off, as a sentence. */
  journal?: string;
}

/**
 * Refuses what no read can mend; a dry run and a plan send nothing.
 * @throws DocsError usage `unknown_field`, `not_confirmed`; configuration `journal_required`
 */
export async function beginChange(session: Session, { results, asks, journal }: Beginning): Promise<void> {
  const { globals, interactive, savePlan } = session;
  if (savePlan !== undefined || globals.dryRun) return;
  if (journal !== undefined && !keepsJournal(session))
    throw usageError('journal_off', journal, { hint: 'docs config set journal on' });
  if (results !== undefined) await (await import('./job-results.js')).checkResults(session, results);
  if (asks !== undefined && !globals.yes && !interactive) throw notAsked(asks);
}

/**
 * Carries out what a command proposes: saves it as a plan, shows it, or asks, sends it as a job, and prints.
 * @param input whose `--concurrency`, `--fail-fast` and `--again` hold
 * @returns what the proposal made of it; undefined where nothing was sent
 * @throws DocsError usage `not_confirmed`; as the guard, `createJob`, `claimPlan`, `printResults`; forbidden
 *   `policy_denied`; local-io `lock_unwritten`
 */
export async function carryOut<T>(
  session: Session,
  input: ManualInput,
  proposal: Proposal<T>,
): Promise<T | undefined> {
  const isMany = proposal.isSingle !== true;
  const concurrency = concurrencyOf(input);
  // An answer takes time, so --timeout then applies to each request, as it does in a job of many.
  const timeoutPerRequest = isMany || session.interactive;
  const connections = isMany ? concurrency : undefined;
  const connect = () => session.client({ timeoutPerRequest, connections, series: !isMany });
  if (session.savePlan !== undefined) {
    await saveProposal(session, connect, proposal);
    await notePreviewed(session, proposal, '--save-plan');
    return undefined;
  }
  if (session.globals.dryRun) {
    await refuseTokenIfKnown(session, connect, proposal);
    await (await import('./preview.js')).previewProposal(session, connect, proposal);
    await notePreviewed(session, proposal, '--dry-run');
    return undefined;
  }
  const looked = await agree(session, connect, proposal, concurrency);
  const agreed: Proposal<T> = { ...proposal, ...(await proposal.agreed?.()) };
  const { open } = agreed;
  const applying = open === undefined ? looked : await lookUnder(open, session, connect, agreed, concurrency);
  if (agreed.send === undefined)
    return sendProposal(session, input, agreed, applying, async (sent) => agreed.done?.(sent));
  return agreed.send((part) =>
    sendProposal(session, input, { ...agreed, ...part }, applying, async (sent) => sent),
  );
}

/** What is shown of a change: its steps, or its plan where that is made already. */
type Shown = Pick<Proposal, 'plan' | 'unplannable'> & Partial<Pick<Proposal, 'steps' | 'question'>>;

/** Remembers what was shown; what would change nothing has no other previews. */
export async function notePreviewed(session: Session, shown: Shown, how: PreviewName): Promise<void> {
  const { plan, question, unplannable } = shown;
  const steps =
    plan === undefined ? (shown.steps ?? []) : (await import('../../plans/operation.js')).itemsOf(plan);
  if (steps.length === 0) return;
  const changes = steps.map(({ change }) => change).filter(({ partOf }) => partOf === undefined);
  session.previewed?.push({ shown: how, changes, asks: question?.isGrave, unplannable });
}

/**
 * A body with the token is never sent. Refused here, it gets into no plan, journal or audit chain either.
 * @throws DocsError usage `token_in_body`; as `Session.client`
 */
async function refuseToken(
  session: Session,
  connect: Connect,
  { steps }: Pick<AnyProposal, 'steps'>,
): Promise<void> {
  await connect();
  const [{ prepare }, { tokenInBody }] = await Promise.all([
    import('../../api/client.js'),
    import('../../api/transport.js'),
  ]);
  for (const { op, input } of changesIn(steps.filter(({ change }) => change.op.body !== undefined))) {
    const { method, path, body } = prepare(op, input);
    if (body !== undefined && session.hasToken(JSON.stringify(body))) throw tokenInBody({ method, path });
  }
}

/** For a dry run, which needs no token. */
async function refuseTokenIfKnown(...of: Parameters<typeof refuseToken>): Promise<void> {
  await refuseToken(...of).catch((cause: unknown) => {
    const needsSignIn =
      cause instanceof DocsError && ['unauthenticated', 'configuration'].includes(cause.kind);
    if (!needsSignIn) throw cause;
  });
}

/** Looks at what is left of a job that was opened again: what it depended on may no longer hold. */
async function lookUnder(
  open: OpenJob,
  session: Session,
  connect: Connect,
  proposal: AgreedTo,
  concurrency: number,
): Promise<Applying> {
  try {
    await lookAt(session, connect, proposal, 'again');
    return await applyingOf(session, connect, proposal, concurrency);
  } catch (cause) {
    await open.close();
    throw cause;
  }
}

/** Makes the plan of a proposal, where it is not made already, and writes it. Sends nothing but reads. */
async function saveProposal<T>(session: Session, connect: Connect, proposal: Proposal<T>): Promise<void> {
  const { keepPlan, planOf } = await import('./save-plan.js');
  const { risks = [], by, question } = proposal;
  const look = await lookAt(session, connect, proposal, 'plan');
  await refuseToken(session, connect, proposal);
  const deletes = question.typed === 'title' ? by : undefined;
  const { steps, names } = withoutSecretUrls(session.io.env, proposal.steps);
  const planning = { ...proposal, steps, deletes, risks: [...look.caution.risks, ...risks] };
  await keepPlan(session, proposal.plan ?? (await planOf(session, planning)));
  if (names.length > 0 && proposal.plan === undefined)
    session.printer.note(
      `The plan has ${names.join(', ')} in place of an address with a password or token: set it to apply the plan.`,
    );
  await proposal.agreed?.();
}

/**
 * Sends a proposal that was agreed to as one job: begins it, sends, closes its journal whatever happens, and writes the
 * lock of its folder.
 * @param done called where all was sent
 * @throws DocsError as `createJob`, `claimPlan`, `printResults`; local-io `lock_unwritten`
 */
async function sendProposal<T>(
  session: Session,
  input: ManualInput,
  proposal: AgreedTo,
  applying: Applying,
  done: (sent: Sent) => Promise<T>,
): Promise<T> {
  const { left, folder } = proposal;
  const { sent, open, release } = await beginRun(session, input, proposal);
  const { job = '' } = sent;
  let failure: unknown;
  try {
    await applying.begin?.(job);
    await sendSteps(session, proposal, sent);
  } catch (cause) {
    failure = cause ?? new Error('failed');
  } finally {
    await open?.close();
  }
  const lock = folder === undefined || open === undefined ? undefined : await import('./job-lock.js');
  const unkept = await lock?.keepLock(session, sent.job ?? '');
  const isDone = failure === undefined || failure instanceof OutputFailed;
  const unfinished = await causeOf(async () => applying.end?.(job, isDone));
  if (!isDone) await proposal.failed?.(job);
  if (!isDone && isRefusedWhole(sent)) failure = (await release?.(failure)) ?? failure;
  const other = failure ?? unfinished ?? left;
  if (other !== undefined) lock?.tellLock(session, unkept, other);
  if (failure !== undefined) throw proposal.blame?.(failure) ?? failure;
  const made = await done(sent);
  if (unfinished !== undefined) throw unfinished;
  if (left !== undefined) throw left;
  lock?.tellLock(session, unkept, undefined);
  return made;
}

/** Connects, and begins the job, where the changes have one. */
async function beginRun(
  session: Session,
  input: ManualInput,
  proposal: AgreedTo,
): Promise<{ sent: Sent; open: OpenJob | undefined; release?: Release | undefined }> {
  const { printer } = session;
  const { isSingle = false, unread, made, claimed, byHand } = proposal;
  // A job that goes on, or a plan, has its requests as they stand there.
  const isNew = proposal.open === undefined && proposal.plan === undefined;
  const own = { steps: proposal.steps, env: session.io.env };
  const { steps, env } = isNew ? withoutSecretUrls(own.env, own.steps) : own;
  const io = env === own.env ? session.io : derivedIo(session.io, { env });
  const concurrency = concurrencyOf(input);
  const client = await session.client(
    isSingle ? { series: true } : { connections: concurrency, timeoutPerRequest: true },
  );
  await refuseToken(session, async () => client, proposal);
  const rules = await rulesOfSteps(steps);
  const again = proposal.again ?? input.options.again === true;
  const begins = proposal.open === undefined && steps.length > 0 && keepsJournal(session);
  const begun = begins ? await beginJob(session, proposal, steps, again) : { open: proposal.open };
  const { open } = begun;
  printer.changed();
  const failFast = input.options.failFast === true;
  const how = { client, concurrency, failFast, single: isSingle, unread, made, claimed, byHand };
  try {
    const run = new JobRun({ ...how, io, steps, rules, journal: open?.journal });
    return { sent: { run, job: open?.job }, ...begun };
  } catch (cause) {
    await open?.close();
    throw cause;
  }
}

/**
 * Begins the job of changes; of a plan, one that nobody else applies.
 * @param steps as its journal has them
 * @param again whether the same input may start a second job
 * @throws DocsError as `createJob`, `claimPlan`; forbidden `policy_denied`, before a journal is made
 */
async function beginJob(
  session: Session,
  proposal: AgreedTo,
  steps: readonly JobItem[],
  again: boolean,
): Promise<{ open: OpenJob; release?: Release }> {
  const { plan, approvals } = proposal;
  if (plan === undefined) return { open: await createdJob(session, proposal, steps, again) };
  const { claimPlan } = await import('../../plans/check.js');
  const claim = await claimPlan(session.io, plan.id);
  try {
    const open = await createdJob(session, proposal, steps, again);
    claim.begun(open.job);
    if (approvals === undefined) return { open };
    const release: Release = async (failure) => {
      // A plan that nobody approved is resumed instead: its job needs no approval either.
      await approvals.giveBack(open.job);
      claim.release();
      return keptFor(failure);
    };
    return { open, release };
  } catch (cause) {
    claim.release();
    throw cause;
  }
}

/** Gives an approved plan back of which nothing was done. @returns what is thrown in place of the failure */
type Release = (failure: unknown) => Promise<unknown>;

function keptFor(failure: unknown): unknown {
  if (!(failure instanceof DocsError)) return failure;
  const next = 'Nothing was changed, so the approval still holds: apply the plan with an account that may';
  return failure.changed({}, sentences(failure.message, next));
}

/** Whether the platform refused all that was sent to whoever sent it, so that nothing was changed. */
function isRefusedWhole({ run: { tally, failures } }: Sent): boolean {
  const isRefused = failures.every(({ kind }) => kind === 'forbidden');
  return failures.length > 0 && isRefused && tally.ok === 0 && tally.unknown === 0;
}

async function createdJob(
  session: Session,
  proposal: AgreedTo,
  steps: readonly JobItem[],
  again: boolean,
): Promise<OpenJob> {
  const { command, approved, plan, org, folder, settled, undoes, evidence, planFile, source } = proposal;
  await session.gate?.job(changesIn(proposal.steps), { command, approved: approved !== undefined });
  const actor = actorIn(session, { plan: plan?.id, approval: approved });
  const more = defined({ plan: plan?.id, org, folder, settled, undoes, evidence, planFile, source });
  const facts = jobFactsOf(session, command, steps, { ...more, actor });
  const trail = usingUp(trailOf(session, proposal.isSingle), proposal.approvals);
  return createJob(session.io, new JournalFolder(session.io), facts, steps, again, trail);
}

/** A trail whose jobs use approvals up as they begin; a job that ends without a journal sent nothing. */
function usingUp(trail: Trail, approvals: AgreedTo['approvals']): Trail {
  if (approvals === undefined) return trail;
  return {
    async record(events, use) {
      const isWritten = await trail.record(events, use);
      for (const one of events) {
        if (one.event === 'job-begun') await approvals.use(one.job);
        if (one.event === 'job-ended' && one.sha256 === undefined) await approvals.giveBack(one.job);
      }
      return isWritten;
    },
  };
}

/** Sends the changes of a job: a single one, or all with a result each. @throws why not all was done */
function sendSteps(session: Session, proposal: AgreedTo, sent: Sent): Promise<void> {
  const [step] = proposal.steps;
  if (proposal.isSingle !== true || step === undefined)
    return import('./job-results.js').then(({ printResults }) => printResults(session, sent, proposal));
  return sent.run.item(step).then((result) => {
    sent.result = result;
    noteUnrecorded(session, sent);
    noteAlreadyDone(session, sent.run);
  });
}

function noteUnrecorded({ printer }: Session, { run, result }: Sent): void {
  if (run.journalFailure === undefined || result?.status !== 'ok') return;
  printer.warn(`The change was made but not recorded in the journal: ${run.journalFailure.message}`);
}

/** The answer of a single change that was not refused. @throws DocsError why it was, or `interrupted` */
export function answerOf(result: ItemResult | undefined): unknown {
  if (result?.status === 'ok' || result?.answer !== undefined) return result.answer;
  throw failureOfOne(result);
}

/** Why a single change was not made. */
export function failureOfOne(result: ItemResult | undefined): DocsError {
  const facts = { outcome: 'not-sent' } as const;
  return (
    result?.failure ?? new DocsError('interrupted', 'interrupted', 'interrupted; nothing was sent', facts)
  );
}

/** What a piece of work throws, for those who have more to do before they tell. */
export async function causeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (cause) {
    return cause ?? new Error('failed');
  }
}

/** What stands between a proposal and its first request: its guard, and whether somebody is asked. */

/** Nobody can be asked, so `--yes` is needed. */
export function notAsked(what: string, risks: readonly string[] = []): Error {
  const question = what.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const needed = `confirmation required to ${question}, and prompts are off here; nothing was sent`;
  const way = 'Add --yes to go ahead; --dry-run shows the requests.';
  return usageError('not_confirmed', sentences(needed, ...risks, way));
}

/**
 * Looks at changes right before they are sent, and asks where they are grave or a risk is seen: yes or no for what is
 * easily mended; else the number of items is typed, or the title of the only one.
 * @param concurrency requests under way at once
 * @returns what happens beside the changes
 * @throws DocsError usage `not_confirmed`; why the guard refuses them: nothing was sent
 */
async function agree(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
  concurrency: number,
): Promise<Applying> {
  const { by, question, tell } = proposal;
  const { globals, interactive } = session;
  const isRefused = question.isGrave && !globals.yes && !interactive;
  if (isRefused && tell === undefined) throw notAsked(question.what);
  const look = await lookAt(session, connect, proposal, 'question');
  const applying = await applyingOf(session, connect, proposal, concurrency);
  const isAsked = await ask(session, connect, proposal, look);
  if (isAsked && by !== undefined && looksAgain(by)) await lookAt(session, connect, proposal, 'again');
  if (!isAsked && question.isChosen) await (await import('./question.js')).confirmLasting(session, proposal);
  return applying;
}

/** Asks where the changes are grave, or where a risk is seen. @returns whether somebody was asked */
async function ask(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
  { caution, exposed }: Precautions,
): Promise<boolean> {
  const { interactive, globals } = session;
  const { question, tell } = proposal;
  const { risks, needsYes } = caution;
  const seen: Warnings = { risks, exposed, question: caution.question };
  const left = tell === undefined ? seen : tell(seen, interactive && !globals.yes);
  const isRisky = risks.length > 0 ? needsYes || interactive : exposed.length > 0 && interactive;
  if (globals.yes || !(question.isGrave || isRisky)) {
    tellExposed(session, left.exposed);
    return false;
  }
  if (!interactive) throw notAsked(question.what, [...left.risks, ...left.exposed]);
  // Loaded here: most changes are sent without a question.
  await (await import('./question.js')).askAbout(session, connect, proposal, left);
  return true;
}
