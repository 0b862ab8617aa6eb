import type { DocsError } from '../../errors.js';
import type { Io } from '../../io.js';
import { conclude, type History, stopFailure, waitFailure } from './conclusion.js';
import type { Wait } from './contract.js';
import type { Deadline } from './deadline.js';
import type { AttemptFailure, RequestFacts, Verdict } from './failure.js';
import type { Pacing } from './pacing.js';
import type { RetryQuota } from './quota.js';
import { backoffMs, jitterMs, mayRetry } from './retry-table.js';

/** What the requests of a transport share. */
export interface RetryPolicy {
  io: Io;
  pacing: Pacing;
  quota: RetryQuota;
  maxAttempts: number;
  onWait?: ((wait: Wait) => void) | undefined;
}

/** How a request ended well; `failed` is the failure of a DELETE that found its work done. */
export type Retried<T> =
  | { type: 'value'; value: T; attempts: number }
  | { type: 'already-done'; failed: AttemptFailure; attempts: number };

/**
 * Makes attempts until one succeeds or the table says no (RELIABILITY.md, "Retries").
 * @param attempt makes the attempt of the given number, from 1; never throws for what the network does
 * @throws DocsError when the request failed for good
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  deadline: Deadline,
  facts: RequestFacts,
  attempt: (number: number) => Promise<Verdict<T>>,
): Promise<Retried<T>> {
  const history: History = { attempts: 0, unknown: false, paid: 0 };
  for (;;) {
    const held = await hold(policy, deadline, facts, history);
    if (held !== undefined) throw held;
    history.attempts += 1;
    const verdict = await attempt(history.attempts);
    if (verdict.ok) {
      policy.quota.refund(history.paid);
      return { type: 'value', value: verdict.value, attempts: history.attempts };
    }
    const { failure } = verdict;
    if (facts.method === 'DELETE' && failure.kind === 'not-found' && history.unknown) {
      policy.quota.refund(history.paid);
      return { type: 'already-done', failed: failure, attempts: history.attempts };
    }
    history.unknown ||= failure.outcome === 'unknown';
    const end = await beforeNext(policy, deadline, facts, history, failure);
    if (end !== undefined) throw conclude(end, history, facts);
  }
}

/** Waits for the common pace; gives the error of a request that cannot go on. */
async function hold(
  { pacing }: RetryPolicy,
  deadline: Deadline,
  facts: RequestFacts,
  history: History,
): Promise<DocsError | undefined> {
  if (!pacing.isOpen) {
    const tooLong = await pacing.ready(deadline, history.attempts);
    if (tooLong !== undefined) return conclude(waitFailure(tooLong), history, facts);
  }
  if (deadline.stop === undefined) return undefined;
  const outcome = history.attempts === 0 ? 'not-sent' : 'refused';
  return conclude(stopFailure(deadline.stop, deadline, outcome), history, facts);
}

/** Waits as the failure asks; gives the failure to end with where there is to be no further attempt. */
async function beforeNext(
  policy: RetryPolicy,
  deadline: Deadline,
  facts: RequestFacts,
  history: History,
  failure: AttemptFailure,
): Promise<AttemptFailure | undefined> {
  const { io, pacing, quota, maxAttempts } = policy;
  const { floorMs } = failure;
  const limited = failure.status === 429;
  if (limited && floorMs !== undefined) pacing.pause(floorMs, 0.1 * floorMs);
  if (deadline.stop !== undefined) return failure;
  if (!mayRetry(failure.condition, facts.effect, history.attempts, maxAttempts)) return failure;
  const remainingMs = deadline.remainingMs();
  if (floorMs !== undefined && floorMs >= remainingMs) {
    return waitFailure({ waitMs: floorMs, remainingMs }, failure);
  }
  const retries = history.attempts - 1;
  const ms = limited ? jitterMs(retries, io.random) : backoffMs(retries, floorMs, io.random);
  if (floorMs === undefined && ms >= remainingMs) return failure;
  const paid = quota.take(failure.timedOut ?? false);
  if (paid === undefined) return failure;
  history.paid += paid;
  if (limited) {
    pacing.pause(Math.max(floorMs ?? 0, ms), 0.1 * (floorMs ?? 0));
    return undefined;
  }
  await sleep(policy, deadline, {
    ms: Math.min(ms, remainingMs),
    reason: failure.reason,
    attempt: history.attempts,
  });
  return deadline.stop === undefined ? undefined : stopped(deadline, failure);
}

async function sleep({ io, onWait }: RetryPolicy, deadline: Deadline, wait: Wait): Promise<void> {
  onWait?.(wait);
  await io.sleep(wait.ms, deadline.signal).catch(() => {});
}

/** Stopped between two attempts: the time is over, or the run is to end. The last failure tells more. */
function stopped(deadline: Deadline, failure: AttemptFailure): AttemptFailure {
  const { stop } = deadline;
  if (stop === undefined || stop.by === 'deadline') return failure;
  return stopFailure(stop, deadline, failure.outcome);
}
