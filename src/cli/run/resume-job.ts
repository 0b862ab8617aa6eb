import type { Client } from '../../api/client.js';
import { pathParameters } from '../../api/operation.js';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { version } from '../../base/version.js';
import { reopenJob } from '../../jobs/create-job.js';
import { idsOf, traceOf } from '../../jobs/creations.js';
import { type JobFolder, refuseDamaged } from '../../jobs/job-folder.js';
import type { Job, JobItem } from '../../jobs/journal.js';
import { sourceIssue } from '../../jobs/look.js';
import { madeBy } from '../../jobs/made.js';
import { restOf } from '../../jobs/outlook.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { withReads } from '../../jobs/undo-steps.js';
import { resourceOfField, resources } from '../../model/resources.js';
import type { Applying, GroupEntry, ManualInput } from '../declare/command.js';
import { commandAt } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { cautionOf, looksAgain } from './confirm.js';
import { concurrencyOf } from './gather.js';
import { printResults } from './job-results.js';
import { causeOf, keepLock, runJob, tellLock } from './runner.js';
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
  const message = `Job ${header.job} cannot be resumed. ${issue}; nothing was sent.`;
  throw usageError('job_mismatch', message, { hint: `docs jobs show ${header.job}` });
}

/** Whether a job undoes another, so that its results say what was restored. */
export function undoes({ header }: Job): boolean {
  return header.undoes !== undefined;
}

/**
 * Works on the rest of a job and prints its results.
 * @param groups all commands: the one that began the job may have to look again
 * @throws DocsError as `printResults`, `reopenJob`, `lookAgain`
 */
export async function resumeJob(
  session: Session,
  folder: JobFolder,
  job: Job,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const still = await passJob(session, job);
  const open = await reopenJob(session.io, folder, job, { trail: trailOf(session) });
  let applying: Applying;
  try {
    // It was read again under its lock.
    await still(job);
    applying = await lookAgain(session, client, job, { groups, concurrency });
  } catch (cause) {
    await open.close();
    throw cause;
  }
  const left = job.items.filter(({ state }) => state !== 'ok');
  const parts = {
    client,
    steps: withReads(left, job.items),
    made: madeBy(job.items),
    concurrency,
    failFast: input.options.failFast === true,
    claimed: claimedIn(folder, job),
    byHand: (record: JobItem, candidates: readonly string[]) =>
      byHandCommand(session, open.job, record, candidates),
  };
  const printing = { job: open.job, doing: 'Resuming', undoes: undoes(job), resumed: true };
  const failure = await causeOf(() =>
    runJob(session, open, parts, (run) => printResults(session, run, printing)),
  );
  const unkept = await keepLock(session, open.job);
  if (failure !== undefined) {
    tellLock(session, unkept, failure);
    throw failure;
  }
  await applying.end?.(open.job, true);
  tellLock(session, unkept, undefined);
}

/**
 * What flags of the command made the job depend on may no longer hold.
 * @returns what happens beside its requests
 * @throws DocsError why what is left is refused; nothing was sent
 */
async function lookAgain(
  session: Session,
  client: Client,
  job: Job,
  { groups, concurrency }: { groups: readonly GroupEntry[]; concurrency: number },
): Promise<Applying> {
  // Jobs of an undo and of the organization as code belong to no command that has a guard.
  const found = await commandAt(groups, job.header.command).catch(() => undefined);
  const command = undoes(job) ? undefined : found?.command;
  const calls = restOf(job);
  const guarding = command !== undefined && looksAgain(command) ? command : undefined;
  await cautionOf(session, async () => client, guarding, calls);
  const applies = await command?.applies?.();
  return applies?.resumes ? applies({ session, client, calls, concurrency }) : {};
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
  if (header.planFile !== undefined)
    return (await import('./plan-approval.js')).passPlan(session, { job, gate });
  await gate.job(restOf(job), { command: header.command });
  return async () => {};
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
  const [first = traceOf(op) === undefined ? id : undefined] = candidates;
  const settle = `docs jobs settle ${job} ${item}`;
  if (first !== undefined) return `${settle} --is ${shellWord(first, io.platform)}`;
  const back = ruleOf(op).back?.({ input, before: undefined, answer: { id: 'x', name: 'x', slug: 'x' } });
  const request = back && 'request' in back ? back.request : undefined;
  const kind = resourceOfField(request && pathParameters(request.op.path).at(-1));
  return kind === undefined ? `${settle} --not-done` : `docs ${resources[kind].command.words}`;
}
