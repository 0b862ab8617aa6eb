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

/**
 * Makes attempts until one succeeds or the table says no (RELIABILITY.md, "Retries").
 * @param attempt sends the request once; never throws for what the network does
 * @param alreadyDone gives the value of a repeated DELETE that finds nothing, once an attempt of
 *   unknown outcome came before
 * @throws DocsError when the request failed for good
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
  let last: AttemptFailure | undefined;
  for (;;) {
    const held = await hold(policy, deadline, history.attempts, last);
    if (held !== undefined) throw conclude(held, history, facts);
    history.attempts += 1;
    const verdict = await attempt();
    if (verdict.ok) return succeed(verdict.value);
    last = verdict.failure;
    const gone = facts.method === 'DELETE' && last.kind === 'not-found' && history.unknown;
    if (gone && alreadyDone !== undefined) return succeed(alreadyDone(last));
    history.unknown ||= last.outcome === 'unknown';
    const end = await beforeNext(policy, deadline, facts, history, last);
    if (end !== undefined) throw conclude(end, history, facts);
  }
}

/** Waits for the common pace; gives the failure of a request that cannot go on. */
async function hold(
  { pacing }: RetryPolicy,
  deadline: Deadline,
  attempts: number,
  last: AttemptFailure | undefined,
): Promise<AttemptFailure | undefined> {
  if (!pacing.isOpen) {
    const tooLong = await pacing.ready(deadline, attempts);
    if (tooLong !== undefined) return waitFailure(tooLong, last);
  }
  return stopped(deadline, last);
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
  return stopped(deadline, failure);
}

async function sleep({ io, onWait }: RetryPolicy, deadline: Deadline, wait: Wait): Promise<void> {
  onWait?.(wait);
  await io.sleep(wait.ms, deadline.signal).catch(() => {});
}

/**
 * The failure of a request that has to stop between two attempts. Where its time is over, the last
 * failure tells more than the clock.
 */
function stopped(deadline: Deadline, last: AttemptFailure | undefined): AttemptFailure | undefined {
  const { stop } = deadline;
  if (stop === undefined) return undefined;
  if (stop.by === 'deadline' && last !== undefined) return last;
  return stopFailure(stop, deadline, last?.outcome ?? 'not-sent');
}
