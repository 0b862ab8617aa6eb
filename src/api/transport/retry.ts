import type { Io } from '../../base/io.js';
import { conclude, type History, stopFailure, waitFailure } from './conclusion.js';
import type { Wait } from './contract.js';
import type { Deadline } from './deadline.js';
import type { AttemptFailure, RequestFacts, Verdict } from './failure.js';
import type { Pacing } from './pacing.js';
import { backoffMs, jitterMs, mayRetry } from './retry-table.js';

const capacity = 500;
const costOfRetry = 5;
const costOfTimeout = 10;
/** Refund of a success without retries, so that a long job survives a few bad items. */
const reward = 1;

/** Shared by all requests, so that a large job stops hammering a dead server (RELIABILITY.md, "Retries"). */
export class RetryQuota {
  #tokens = capacity;

  /** Pays for a retry, twice as much after a timeout. @returns the cost; undefined if the quota is exhausted */
  take(afterTimeout: boolean): number | undefined {
    const cost = afterTimeout ? costOfTimeout : costOfRetry;
    if (cost > this.#tokens) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Refunds what a successful request paid. */
  refund(paid: number): void {
    this.#tokens = Math.min(capacity, this.#tokens + Math.max(paid, reward));
  }
}

/** What all requests of a transport share. */
export interface RetryPolicy {
  io: Io;
  pacing: Pacing;
  quota: RetryQuota;
  maxAttempts: number;
  onWait?: ((wait: Wait) => void) | undefined;
}

/**
 * Makes attempts until one succeeds or the table says no (RELIABILITY.md, "Retries").
 * @param attempt sends the request once; never throws for what the network does
 * @param alreadyDone the value of a repeated DELETE that finds nothing after an attempt of unknown outcome
 * @throws DocsError when the request finally failed
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  deadline: Deadline,
  facts: RequestFacts,
  attempt: () => Promise<Verdict<T>>,
  alreadyDone?: (failure: AttemptFailure) => T,
): Promise<{ value: T; attempts: number }> {
  const history: History = { attempts: 0, unknown: false, paid: 0 };
  const succeed = (value: T) => {
    policy.quota.refund(history.paid);
    return { value, attempts: history.attempts };
  };
  let end = await hold(policy, deadline, 0, undefined);
  while (end === undefined) {
    history.attempts += 1;
    const verdict = await attempt();
    if (verdict.ok) return succeed(verdict.value);
    const { failure } = verdict;
    const gone = facts.method === 'DELETE' && failure.kind === 'not-found' && history.unknown;
    if (gone && alreadyDone !== undefined) return succeed(alreadyDone(failure));
    history.unknown ||= failure.outcome === 'unknown';
    end = await waitForNext(policy, deadline, facts, history, failure);
  }
  throw conclude(end, history, facts);
}

/** Waits until another attempt may start; gives the failure to end with where none may. */
export async function waitForNext(
  policy: RetryPolicy,
  deadline: Deadline,
  facts: RequestFacts,
  history: History,
  failure: AttemptFailure,
): Promise<AttemptFailure | undefined> {
  const { io, pacing, quota, maxAttempts, onWait } = policy;
  const { floorMs } = failure;
  const limited = failure.status === 429;
  if (limited && floorMs !== undefined) pacing.pause(floorMs, 0.1 * floorMs);
  if (deadline.stop !== undefined) return failure;
  if (!mayRetry(failure.condition, facts.effect, history.attempts, maxAttempts)) return failure;
  const remainingMs = deadline.remainingMs();
  if (floorMs !== undefined && floorMs >= remainingMs)
    return waitFailure({ waitMs: floorMs, remainingMs }, failure);
  const retries = history.attempts - 1;
  const waitMs = limited ? jitterMs(retries, io.random) : backoffMs(retries, floorMs, io.random);
  if (floorMs === undefined && waitMs >= remainingMs) return failure;
  const paid = quota.take(failure.timedOut ?? false);
  if (paid === undefined) return failure;
  history.paid += paid;
  if (limited) {
    pacing.pause(Math.max(floorMs ?? 0, waitMs), 0.1 * (floorMs ?? 0));
  } else {
    const ms = Math.min(waitMs, remainingMs);
    onWait?.({ ms, reason: failure.reason, attempt: history.attempts });
    await io.sleep(ms, deadline.signal).catch(() => {});
  }
  return hold(policy, deadline, history.attempts, failure);
}

/** Waits while all requests are paused; gives the failure of a request that has to stop. */
async function hold(
  { pacing }: RetryPolicy,
  deadline: Deadline,
  attempts: number,
  last: AttemptFailure | undefined,
): Promise<AttemptFailure | undefined> {
  const paused = deadline.stop === undefined && !pacing.isOpen;
  if (paused) {
    const tooLong = await pacing.ready(deadline, attempts);
    if (tooLong !== undefined) return waitFailure(tooLong, last);
  }
  // The first attempt had its turn before its deadline began; after a pause all would be sent at once.
  if (deadline.stop === undefined && (paused || attempts > 0))
    await pacing.turn(deadline.signal, deadline.remainingMs());
  const { stop } = deadline;
  if (stop === undefined) return undefined;
  // The last failure says more than the clock.
  if (stop.by === 'deadline' && last !== undefined) return last;
  return stopFailure(stop, deadline, last?.outcome ?? 'not-sent');
}
