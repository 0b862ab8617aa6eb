import { DocsError, type Failure, type Outcome, sentences } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import type { Io } from '../../base/io.js';
import type { Wait } from './contract.js';
import {
  type AttemptFailure,
  backoffMs,
  jitterMs,
  mayRetry,
  type RequestFacts,
  seconds,
  showHint,
  type Verdict,
  whatOf,
} from './failure.js';
import type { Deadline, Pacing, Stop, TooLong } from './pacing.js';

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

/** The attempts of a request so far. */
interface History {
  attempts: number;
  /** Whether the outcome of any attempt is unknown. */
  unknown: boolean;
  /** What was taken from the retry quota. */
  paid: number;
}

/** Kinds that say nothing about the effect of a write; exit 16 says more. */
const silentKinds: readonly ExitName[] = ['network', 'deadline', 'interrupted', 'terminated', 'rate-limited'];

/**
 * The error of a request that finally failed. A write with an unknown outcome becomes exit 16, with the
 * command that shows the resource; a 5xx to PUT or DELETE stays what it is.
 */
export function conclude(failure: AttemptFailure, history: History, facts: RequestFacts): DocsError {
  const write = facts.effect !== 'read';
  const lost = write && history.unknown && failure.outcome !== 'done';
  const outcome: Outcome = lost ? 'unknown' : failure.outcome;
  const { method, path } = facts;
  const common = { method, path, attempts: history.attempts, outcome, ...observed(failure) };
  const silent =
    silentKinds.includes(failure.kind) || (failure.condition === 'unavailable' && facts.effect === 'other');
  if (write && outcome === 'unknown' && silent) return unknownOutcome(failure, common, facts);
  const { kind, code, message, retryable, hint, details } = failure;
  return new DocsError(kind, code, message, { ...common, retryable, hint, details });
}

/** The failure of a request that had to stop. @param outcome of the attempt in flight */
export function stopFailure(stop: Stop, deadline: Deadline, outcome: Outcome): AttemptFailure {
  const base = { condition: 'final', outcome, reason: 'stopped', retryable: true } as const;
  if (stop.by === 'deadline') {
    const message = `timed out after ${seconds(deadline.limitMs)}`;
    return {
      ...base,
      kind: 'deadline',
      code: 'deadline',
      message,
      hint: longerTimeout(2 * deadline.limitMs),
    };
  }
  const { reason } = stop;
  if (reason instanceof DocsError) {
    const { kind, code, message, failure } = reason;
    return { ...base, kind, code, message, hint: failure.hint ?? 'docs doctor', cause: reason };
  }
  const terminated = reason instanceof Error && reason.message === 'SIGTERM';
  const kind = terminated ? 'terminated' : 'interrupted';
  const message = 'the request was cancelled';
  return { ...base, kind, code: 'aborted', message, hint: 'docs doctor', cause: reason };
}

/** The failure of a request that would have to wait longer than the time left. */
function waitFailure({ waitMs, remainingMs }: TooLong, last?: AttemptFailure): AttemptFailure {
  const left = remainingMs === 0 ? 'no time is left' : `only ${seconds(remainingMs)} are left`;
  return {
    ...(last && observed(last)),
    kind: 'rate-limited',
    code: 'rate_limited',
    message: `the platform asks to wait ${seconds(waitMs)}, but ${left}`,
    hint: longerTimeout(waitMs),
    condition: 'final',
    outcome: last?.outcome ?? 'not-sent',
    reason: 'rate limit',
    retryable: true,
    details: { waitMs: Math.ceil(waitMs), remainingMs: Math.ceil(remainingMs) },
  };
}

const minuteMs = 60_000;

/** The command that sets a time limit in which a request that takes or waits so long succeeds. */
function longerTimeout(neededMs: number): string {
  // A wait that the platform asks for is up to 10 % longer.
  const minutes = Math.ceil((1.1 * neededMs + minuteMs) / minuteMs);
  return `docs config set timeout ${Math.max(5, minutes)}m`;
}

function unknownOutcome(failure: AttemptFailure, common: Failure, facts: RequestFacts): DocsError {
  const message = sentences(failure.message, `The outcome is unknown: ${whatOf(facts)}`);
  return new DocsError('unknown-outcome', 'outcome_unknown', message, {
    ...common,
    retryable: facts.effect === 'idempotent',
    hint: showHint(facts),
    details: { ...failure.details, reason: failure.code },
  });
}

function observed({ status, requestId, cause }: AttemptFailure) {
  return { status, requestId, cause };
}
