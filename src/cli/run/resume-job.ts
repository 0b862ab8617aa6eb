import { pathParameters } from '../../api/operation-facts.js';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { version } from '../../base/version.js';
import { reopenJob } from '../../jobs/create-job.js';
import { idsOf, traceOf } from '../../jobs/creations.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { changesIn, type Job, type JobItem } from '../../jobs/journal.js';
import { refuseDamaged } from '../../jobs/journal-folder.js';
import { sourceIssue } from '../../jobs/look.js';
import { madeBy } from '../../jobs/made.js';
import { restOf } from '../../jobs/outlook.js';
import { readableDigest } from '../../jobs/trail.js';
import { withReads } from '../../jobs/undo.js';
import { allRules, ruleOf } from '../../jobs/undo-rules.js';
import { resourceOfField, resources } from '../../model/resources.js';
import { counted } from '../../output/text.js';
import type { GroupEntry, ManualInput } from '../declare/command.js';
import { commandAt } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { carryOut } from './carry-out.js';
import { concurrencyOf } from './gather.js';
import { looksAgain } from './guard.js';
import type { Proposal } from './proposal.js';
import { recordingRefusals } from './refusals.js';
import { refuseElsewhere, trailOf } from './session-job.js';

/** Resuming a job in a session, by `docs jobs resume` and by commands that began it. */

/** Refuses to resume a job elsewhere, by another version or with another input. @throws usage `job_mismatch` */
export function refuseOther(session: Session, job: Job): void {
  const { header } = job;
  refuseElsewhere(session, header, `docs jobs resume ${header.job}`);
  refuseDamaged(job, 'resumed');
  const issue =
    header.version === version
      ? sourceIssue(header.source)
      : `It was created by docs ${header.version}, and this is ${version}`;
  if (issue === undefined) return;
  const message = `job ${header.job} cannot be resumed. ${issue}; nothing was sent.`;
  throw usageError('job_mismatch', message, { hint: `docs jobs show ${header.job}` });
}

/** Whether a job undoes another, so that its results say what was restored. */
export function undoes({ header }: Job): boolean {
  return header.undoes !== undefined;
}

/**
 * Works on the rest of a job and prints its results.
 * @param groups all commands: the one that began the job may have to look again
 * @throws DocsError as `resumeAs`
 */
export async function resumeJob(
  session: Session,
  job: Job,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  // Jobs of an undo and of the organization as code belong to no command that has a guard.
  const found = undoes(job) ? undefined : await commandAt(groups, job.header.command).catch(() => undefined);
  const applies = await found?.command.applies?.();
  return resumeAs(session, input, job, {
    by: found !== undefined && looksAgain(found.command) ? found.command : undefined,
    applies: applies?.resumes ? applies : undefined,
  });
}

/**
 * Sends the rest of a job, or shows it. A job that was chosen from a list is asked about.
 * @param more what its command does beside
 * @throws DocsError as `passJob`, `reopenJob`, `carryOut`
 */
export async function resumeAs(
  session: Session,
  input: ManualInput,
  job: Job,
  more: Pick<Proposal, 'by' | 'applies' | 'isSilent' | 'doing' | 'blame'>,
): Promise<void> {
  const { job: name, command } = job.header;
  const left = leftOf(job);
  const which = `${counted(left.length, 'item')} ${left.length === 1 ? 'is' : 'are'} left`;
  await carryOut(session, input, {
    command,
    steps: left,
    looks: { dryRun: [], question: [] },
    question: {
      what: `Resume job ${name} (${command}), of which ${which}`,
      isGrave: input.chosen?.includes('job') === true,
      forecasts: [],
    },
    show: () => showRest(session, left),
    agreed: async () => ({ ...(await reopen(session, input, job)), ...more }),
  });
}

/** The items of a job that are not done. */
export function leftOf({ items }: Job): JobItem[] {
  return items.filter(({ state }) => state !== 'ok');
}

/** `--dry-run`: the requests of all items that are left; a lookup may find some of them done. */
async function showRest(session: Session, left: readonly JobItem[]): Promise<void> {
  const { preview } = await import('./preview.js');
  await preview(session, changesIn(left), true);
  const sent = left.filter(({ state }) => state === 'started' || state === 'unknown').length;
  if (sent > 0)
    session.printer.note(`${counted(sent, 'request')} may have been sent before; each is looked up first.`);
}

/** Opens a job again, and reads what is left of it under its lock. */
async function reopen(
  session: Session,
  input: ManualInput,
  job: Job,
): ReturnType<NonNullable<Proposal['agreed']>> {
  await session.client({ connections: concurrencyOf(input), timeoutPerRequest: true });
  const still = await passJob(session, job);
  const jobs = new JobFolder(session.io);
  const open = await reopenJob(session.io, jobs, job, { trail: trailOf(session) });
  await still(job).catch(async (cause) => {
    await open.close();
    throw cause;
  });
  const { folder, undoes: undone } = job.header;
  return {
    open,
    steps: withReads(leftOf(job), job.items),
    folder,
    undoes: undone,
    doing: 'Resuming',
    made: madeBy(job.items, allRules),
    claimed: claimedIn(jobs, job),
    byHand: (record, candidates) => byHandCommand(session, job.header.job, record, candidates),
  };
}

/** Refuses a job whose journal has changed since the policies let it through. @throws DocsError `policy_denied` */
type Still = (job: Job) => Promise<void>;

/**
 * Holds what is left of a job against the policies of now; a job that applies a plan, with its approvals.
 * @returns what is to be asked again once the journal was read again
 * @throws DocsError forbidden `policy_denied`; usage `plan_unapproved`, `plan_policy_changed`, …, as `passPlan`
 */
export async function passJob(session: Session, job: Job): Promise<Still> {
  const { gate } = session;
  const { header } = job;
  if (gate === undefined) return async () => {};
  await refuseOtherJournal(session, job);
  const { planFile, plan = '' } = header;
  if (planFile !== undefined) {
    const { passPlan } = await import('./plan-approval.js');
    const of = { id: plan, hash: planFile.hash };
    return recordingRefusals(session, 'jobs resume', of, () => passPlan(session, { job, gate }));
  }
  await gate.job(restOf(job), { command: header.command });
  return async () => {};
}

/**
 * Refuses a journal that is not as the audit chain has it since the job ended last.
 * @throws DocsError usage `journal_changed`: nothing was sent
 */
export async function refuseOtherJournal(session: Session, { header: { job }, path }: Job): Promise<void> {
  const known = (await endInChain(session, job))?.sha256;
  if (known === undefined || readableDigest(path)?.sha256 === known) return;
  const message = `the journal of job ${job} was changed after the job ended: the audit chain has another digest of it; nothing was sent`;
  throw usageError('journal_changed', message, { hint: 'docs audit verify' });
}

async function endInChain({ io }: Session, job: string) {
  return (await import('../../policy/audit/last-end.js')).lastEnd(io, job);
}

/**
 * Of an unfinished job of a plan: on what it rests that requests were done, as the end of a sentence. Call it before the
 * job goes on. Nothing but the journal says so; the audit chain confirms it unless the process was killed.
 */
export async function groundsOf(session: Session, { header: { job }, path }: Job): Promise<string> {
  const { sha256, interrupted } = (await endInChain(session, job)) ?? {};
  const isConfirmed = sha256 !== undefined && interrupted !== true && readableDigest(path)?.sha256 === sha256;
  return isConfirmed
    ? 'by its journal, which is as the audit chain has it'
    : 'by its journal alone: the audit chain does not confirm the journal of a killed process';
}

/** Ids of what a job, and others with the same input, are known to have created. */
export function claimedIn(folder: JobFolder, { header }: Job): Map<string, string> {
  const claimed = new Map<string, string>();
  for (const { header: own, items } of folder.withInput(header.input)) {
    for (const { state, answer, change } of items) {
      const [id] = state === 'ok' ? idsOf(answer) : [];
      if (id !== undefined) claimed.set(id, `item ${change.item} of job ${own.job}`);
    }
  }
  return claimed;
}

/** The command by which a person settles an item, or the one that lists what it may have created. */
function byHandCommand(
  { io }: Session,
  job: string,
  { change: { item, id, op, input } }: JobItem,
  candidates: readonly string[],
): string {
  const [first = traceOf(op, allRules) === undefined ? id : undefined] = candidates;
  const settle = `docs jobs settle ${job} ${item}`;
  if (first !== undefined) return `${settle} --is ${shellWord(first, io.platform)}`;
  const back = ruleOf(op).back?.({ input, before: undefined, answer: { id: 'x', name: 'x', slug: 'x' } });
  const request = back && 'request' in back ? back.request : undefined;
  const kind = resourceOfField(request && pathParameters(request.op.path).at(-1));
  return kind === undefined ? `${settle} --not-done` : `docs ${resources[kind].command.words}`;
}
