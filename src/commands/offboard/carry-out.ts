import { createJob } from '../../jobs/create-job.js';
import type { ItemRecord } from '../../jobs/job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { JobRun, type Step } from '../../jobs/run-job.js';
import type { Printer } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { concurrencyOf } from '../change.js';
import type { ManualInput } from '../command.js';
import { factsOf } from '../job-facts.js';
import { printResults } from '../job-results.js';
import type { Session } from '../session.js';
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
  const requests = steps.map(({ op, record }) => ({ op, input: record.plan.input, id: record.plan.id }));
  const facts = factsOf(session, 'members offboard', requests, { evidence });
  const again = input.options.again === true;
  const open = await createJob(session.io, new JobFolder(session.io), facts, steps, again);
  try {
    await onBegun(open.job);
    const parts = { io: session.io, client, steps, journal: open.journal, concurrency };
    const run = new JobRun({ ...parts, failFast: input.options.failFast === true });
    const printing = { job: open.job, total: steps.length, doing: 'Offboarding' };
    const failure = await printResults(unprinted(session), run, printing).then(nothing, told);
    return { job: open.job, failure };
  } finally {
    await open.close();
  }
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
    async list(list, _view, { work } = {}) {
      if (!(Symbol.asyncIterator in list)) return { printed: list.length, cut: false };
      const { text = '', total } = work ?? {};
      const progress = startProgress(io, {
        ...{ text, quiet: globals.quiet ?? false },
        ...(total !== undefined && { total }),
      });
      work?.watch((done, failed) => progress.count(done, failed));
      let printed = 0;
      try {
        for await (const { items } of list) printed += items.length;
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
