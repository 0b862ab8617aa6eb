import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { formatDuration } from '../settings/duration.js';
import type { JobChange } from './change.js';
import type { Reads } from './reads.js';

/**
 * Waits for what an earlier item of the job made: for a while the platform may answer that it does not exist, or that
 * the token may not touch it. Both answers mean that nothing was done, so a repetition does nothing twice.
 */

/** The pauses between attempts, in milliseconds: each twice as long as the one before, up to the longest. */
const firstMs = 250;
const longestMs = 5000;

/** What waiting takes. */
export interface Patient extends Pick<Io, 'sleep' | 'signal'> {
  /** Called before each pause, with the id of what is not there yet. */
  onPause?(id: string): void;
}

type Waiting = Pick<JobChange, 'id' | 'waitMs'>;

/**
 * Does a piece of work, again while it meets something that is not there yet. Lines without a wait try once.
 * @param isThere whether what was found is more than that nothing is there yet
 * @throws DocsError as `work`; the last refusal, as `not_available`, once the pauses add up to the wait
 */
export async function patiently<T>(
  io: Patient,
  { id, waitMs }: Waiting,
  work: () => Promise<T>,
  isThere: (found: T) => boolean = () => true,
): Promise<T> {
  if (waitMs === undefined) return work();
  let [pauseMs, leftMs] = [firstMs, waitMs];
  for (;;) {
    const found = await work().then(
      (value): { value: T } | { cause: unknown } => (isThere(value) ? { value } : { cause: missing(id) }),
      (cause: unknown) => ({ cause }),
    );
    if ('value' in found) return found.value;
    if (!isLag(found.cause)) throw found.cause;
    if (leftMs <= 0) throw late(id, waitMs, found.cause);
    const ms = Math.min(pauseMs, leftMs);
    io.onPause?.(id);
    await io.sleep(ms, io.signal);
    leftMs -= ms;
    pauseMs = Math.min(pauseMs * 2, longestMs);
  }
}

/** Reads in which what does not exist fails, for lines that wait for it. */
export function expecting(reads: Reads, { id, waitMs }: Waiting): Reads {
  if (waitMs === undefined) return reads;
  const found = <T>(value: T | null): T => {
    if (value === null) throw missing(id);
    return value;
  };
  return {
    one: async (op, input) => found(await reads.one(op, input)),
    all: async (op, input) => found(await reads.all(op, input)),
  };
}

function missing(id: string): DocsError {
  return new DocsError('not-found', 'not_found', `the platform does not show ${id}`, {
    outcome: 'not-sent',
  });
}

/** A policy denies for good; the platform may change its mind. */
function isLag(cause: unknown): cause is DocsError {
  if (!(cause instanceof DocsError)) return false;
  if (cause.code === 'not_verified') return true;
  return (cause.kind === 'not-found' || cause.kind === 'forbidden') && cause.code !== 'policy_denied';
}

function late(id: string, waitMs: number, cause: DocsError): DocsError {
  // What was compared says itself what is missing.
  if (cause.code === 'not_verified') return cause;
  const message = `${id} is not available after ${formatDuration(waitMs)}: ${cause.message}`;
  return new DocsError(cause.kind, 'not_available', message, { ...cause.failure, retryable: true });
}
