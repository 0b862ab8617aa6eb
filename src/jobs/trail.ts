import { prepare } from '../api/client.js';
import { sha256 } from '../base/hash.js';
import { readOwnFile } from '../base/own-files.js';
import { defined, isObject, jsonIn } from '../base/values.js';
import type { Actor } from './actor.js';
import { shownChange } from './change.js';
import { type Counts, countStates, type Header, type JobItem } from './journal.js';
import { held } from './state.js';

/** What the audit chain of this machine keeps of jobs and their journals. */
type JobEvent = JobOpened | JobEnded | JournalRemoved;

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
export function begunEvent(header: Header, steps: readonly JobItem[]): JobEvent {
  const event = openedEvent(header);
  return header.plan === undefined ? event : { ...event, ...{ requests: steps.map(requestOf) } };
}

function requestOf({ change }: JobItem): TrailRequest {
  const { op, input } = shownChange(change);
  const { path, body } = input;
  return {
    method: op.method,
    path: prepare(op, { path: path ?? {} }).path,
    ...defined({ body: held(body) }),
  };
}

/** The end of a job, with the hash of its journal as it stands. */
export function endedEvent(job: string, path: string): JobEvent {
  return { event: 'job-ended', job, ...readableDigest(path) };
}

export function removedEvent(event: JournalRemoved['event'], job: string, path: string): JobEvent {
  return { event, job, ...defined({ sha256: readableDigest(path)?.sha256 }) };
}

/** The digest of a journal, where it can be read; what cannot be is left to `docs audit verify`, which says so. */
export function readableDigest(path: string): Digest | undefined {
  try {
    return digestOf(path);
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}

/** What a journal comes to: the SHA-256 of its bytes and, where its header is whole, how its items stand. */
interface Digest {
  sha256: string;
  counts?: Counts;
}

/** How each event of an item begins, as `writeLine` writes it. */
const itemEvent = /^\{"item":(\d+),"is":"(\w+)"/gm;

/**
 * Reads a journal as it stands, also one that is damaged.
 * @returns undefined where there is none, or an empty one: its process ended before anything was sent
 * @throws DocsError configuration `unsafe_path`; the system's error
 */
export function digestOf(path: string): Digest | undefined {
  const bytes = readOwnFile(path);
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = bytes.toString('latin1');
  // A crash may have torn the last line.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const total = totalIn(lines.slice(0, lines.indexOf('\n')));
  const states = new Map([...lines.matchAll(itemEvent)].map(([, item, is = '']) => [item, is]));
  const counts = total === undefined ? undefined : countStates([...states.values()], total);
  return { sha256: sha256(bytes), ...defined({ counts }) };
}

function totalIn(header: string): number | undefined {
  const value = jsonIn(header);
  return isObject(value) && typeof value.total === 'number' ? value.total : undefined;
}
