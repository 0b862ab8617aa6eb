import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { printResults } from '../../cli/run/job-results.js';
import { beginJournaledJob, runJob } from '../../cli/run/session-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { ItemRecord } from '../../jobs/journal.js';
import type { Step } from '../../jobs/step.js';
import type { Printer } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { type EvidenceFiles, writeEvidence } from './evidence.js';
import type { Reading } from './holdings.js';
import type { Action, Offboarding } from './report.js';
import { isComplete, readAfter } from './verify.js';

/** Sends the requests as a job, and completes the evidence with what came of them. */

/** Begins the job and works on it to its end. @returns its name, and why not all was done */
export async function runLeaving(
  session: Session,
  steps: readonly Step[],
  input: ManualInput,
  evidence: string,
  onBegun: (job: string) => Promise<void>,
): Promise<{ job: string; failure: unknown }> {
  const concurrency = concurrencyOf(input);
  const client = await session.client();
  const facts = { evidence, again: input.options.again === true };
  const open = await beginJournaledJob(session, 'members offboard', steps, facts);
  const { job } = open;
  const parts = { client, steps, concurrency, failFast: input.options.failFast === true };
  return runJob(session, open, parts, async (run) => {
    await onBegun(job);
    const printed = printResults(unprinted(session), run, { job, doing: 'Offboarding' });
    return { job, failure: await printed.then(nothing, told) };
  });
}

const nothing = (): undefined => undefined;
const told = (cause: unknown): unknown => cause;

/** The session without the results of items: here they are part of what is printed in the end. */
export function unprinted(session: Session): Session {
  const { printer, io, globals } = session;
  const silent: Printer = {
    ...{ check: (view) => printer.check(view), one: async () => {}, done: async () => {} },
    ...{ text: async () => {}, value: async () => {}, whole: () => silent },
    note: () => {},
    warn: (line) => printer.warn(line),
    async list(pages, _view, { work } = {}) {
      const { text = '', total } = work ?? {};
      const progress = startProgress(io, {
        ...{ text, quiet: globals.quiet ?? false },
        ...(total !== undefined && { total }),
      });
      work?.watch((done, failed) => progress.count(done, failed));
      let printed = 0;
      try {
        for await (const { items } of pages) printed += items.length;
      } finally {
        progress.stop();
      }
      return { printed, cut: false };
    },
  };
  return { ...session, printer: silent };
}

/**
 * Completes the evidence: what came of each request, as the journal tells, and how it stands now. Where
 * the run is to end there is no time to look: the evidence says what is known, and stays open.
 */
export async function complete(
  session: Session,
  reading: Reading,
  { files, report }: { files: EvidenceFiles; report: Offboarding },
  job: string,
): Promise<Offboarding> {
  const { io, globals } = session;
  const known = withOutcomes(report, recordsOf(new JobFolder(io), job), job);
  const { people } = known;
  if (io.signal.aborted) {
    await writeEvidence(files, known);
    return known;
  }
  const progress = startProgress(io, { text: 'Looking again', quiet: globals.quiet ?? false });
  const after = await readAfter(reading, people, io.now).finally(() => progress.stop());
  const looked = people.map((leaver) => {
    const own = after.get(leaver.user.id);
    return own === undefined ? leaver : { ...leaver, after: own };
  });
  const state = looked.every(isComplete) ? ('complete' as const) : ('incomplete' as const);
  const finished = { ...known, state, finishedAt: new Date(io.now()).toISOString(), people: looked };
  await writeEvidence(files, finished);
  return finished;
}

/** The items of a job; none where it ended before anything was sent, and so has no journal. */
export function recordsOf(folder: JobFolder, job: string): readonly ItemRecord[] {
  const entry = folder.entries().find((one) => one.job === job);
  return (entry && folder.read(entry))?.items ?? [];
}

/** The report with what the journal says of each action. */
export function withOutcomes(report: Offboarding, items: readonly ItemRecord[], job: string): Offboarding {
  const records = new Map(items.map((record) => [record.plan.item, record]));
  const people = report.people.map((leaver) => ({
    ...leaver,
    actions: leaver.actions.map((action) => withOutcome(action, records.get(action.item))),
  }));
  return { ...report, job, people };
}

function withOutcome(action: Action, record: ItemRecord | undefined): Action {
  if (record === undefined) return action;
  const { state, at, requestId, error } = record;
  const refused = (error as { requestId?: unknown } | undefined)?.requestId;
  const id = requestId ?? (typeof refused === 'string' ? refused : undefined);
  const { error: _, ...rest } = action;
  return {
    ...rest,
    status: state === 'started' ? 'unknown' : state,
    ...(at !== undefined && { at }),
    ...(id !== undefined && { requestId: id }),
    ...(error !== undefined && state !== 'ok' && { error }),
  };
}
