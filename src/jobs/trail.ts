import { prepare } from '../api/client.js';
import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import type { Actor } from './actor.js';
import { held } from './held.js';
import type { Counts, Header } from './journal.js';
import { digestOf } from './journal-digest.js';
import { shownLine } from './references.js';
import type { Step } from './step.js';

/** What happens to jobs and their journals, as the audit chain of this machine is told. */
export type JobEvent = JobOpened | JobEnded | JournalRemoved;

/** From here on the journal changes, until the job has ended. */
interface JobOpened extends Pick<Header, 'job' | 'command' | 'org' | 'plan' | 'undoes'> {
  event: 'job-begun' | 'job-resumed' | 'settled';
  /** The item that a person settles. */
  item?: number;
  /** Who began it, where the journal says so. */
  actor?: Actor;
  /** Of a plan: what it sends; whatever it says of that, nobody can tell later that it was something else. */
  requests?: readonly TrailRequest[];
}

/** A request as the chain has it: long values of its body as their SHA-256. */
export interface TrailRequest {
  method: string;
  path: string;
  body?: unknown;
}

interface JobEnded {
  event: 'job-ended';
  job: string;
  counts?: Counts;
  /** Of the bytes of the journal; absent where nothing was sent, so that there is none. */
  sha256?: string;
}

interface JournalRemoved {
  event: 'journal-pruned' | 'discarded';
  job: string;
  /** Absent where the journal could not be read. */
  sha256?: string;
}

export interface Trail {
  /**
   * Records events, in this order; they are on the disk when this resolves, but for the end of a job.
   * @param use.quiet says nothing where they cannot be written
   * @returns false where they could not be written, and nothing demands that they are
   * @throws DocsError local-io `audit_unwritable` under a policy, but for the end of a job
   */
  record(events: readonly JobEvent[], use?: { quiet?: true }): Promise<boolean>;
}

/** A job that begins, or goes on. */
export function openedEvent(
  header: Header,
  event: JobOpened['event'] = 'job-begun',
  item?: number,
): JobEvent {
  const { job, command, org, plan, undoes } = header;
  // Those who go on are those of the session, whoever began it.
  const actor = event === 'job-begun' ? header.actor : undefined;
  return { event, job, command, ...defined({ org, plan, undoes, item, actor }) };
}

/** The beginning of a job; of one that applies a plan with all that it sends. */
export function begunEvent(header: Header, steps: readonly Pick<Step, 'op' | 'record'>[]): JobEvent {
  const event = openedEvent(header);
  return header.plan === undefined ? event : { ...event, ...{ requests: steps.map(requestOf) } };
}

function requestOf({ op, record }: Pick<Step, 'op' | 'record'>): TrailRequest {
  const { path, body } = shownLine(record.plan).input;
  return {
    method: op.method,
    path: prepare(op, { path: path ?? {} }).path,
    ...defined({ body: held(body) }),
  };
}

/** The end of a job, with the hash of its journal as it stands. */
export function endedEvent(job: string, path: string): JobEvent {
  return { event: 'job-ended', job, ...digested(path) };
}

export function removedEvent(event: JournalRemoved['event'], job: string, path: string): JobEvent {
  return { event, job, ...defined({ sha256: digested(path)?.sha256 }) };
}

/** A journal that cannot be read does not keep it from being removed. */
function digested(path: string): ReturnType<typeof digestOf> {
  try {
    return digestOf(path);
  } catch (cause) {
    if (cause instanceof DocsError || cause instanceof Error) return undefined;
    throw cause;
  }
}
