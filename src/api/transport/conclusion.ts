import { DocsError, type ExitName, type Failure, type Outcome } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { Deadline, Stop } from './deadline.js';
import { type AttemptFailure, type RequestFacts, seconds, showHint, whatOf } from './failure.js';
import type { TooLong } from './pacing.js';

/** The attempts of a request so far. */
export interface History {
  attempts: number;
  /** Whether the outcome of any attempt is unknown. */
  unknown: boolean;
  /** What was taken from the retry quota. */
  paid: number;
}

/** Kinds that say nothing about the effect of a write; exit 16 says more (exit-codes.ts). */
const silentKinds: ReadonlySet<ExitName> = new Set([
  'network',
  'deadline',
  'interrupted',
  'terminated',
  'rate-limited',
]);

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
    silentKinds.has(failure.kind) || (failure.condition === 'unavailable' && facts.effect === 'other');
  if (write && outcome === 'unknown' && silent) return unknownOutcome(failure, common, facts);
  const { kind, code, message, retryable, hint, details } = failure;
  return new DocsError(kind, code, message, { ...common, ...defined({ retryable, hint, details }) });
}

/** The failure of a request that had to stop. @param outcome of the attempt in flight */
export function stopFailure(stop: Stop, deadline: Deadline, outcome: Outcome): AttemptFailure {
  const base = { condition: 'final', outcome, reason: 'stopped', retryable: true } as const;
  if (stop.by === 'deadline') {
    const message = `Timed out after ${seconds(deadline.limitMs)}.`;
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
  const message = 'The request was cancelled.';
  return { ...base, kind, code: 'aborted', message, hint: 'docs doctor', cause: reason };
}

/** The failure of a request that would have to wait longer than the time left. */
export function waitFailure({ waitMs, remainingMs }: TooLong, last?: AttemptFailure): AttemptFailure {
  const left = remainingMs === 0 ? 'no time is left' : `only ${seconds(remainingMs)} are left`;
  return {
    ...(last && observed(last)),
    kind: 'rate-limited',
    code: 'rate_limited',
    message: `The platform asks to wait ${seconds(waitMs)}, but ${left}.`,
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
  const message = `${failure.message} The outcome is unknown: ${whatOf(facts)}.`;
  return new DocsError('unknown-outcome', 'outcome_unknown', message, {
    ...common,
    retryable: facts.effect === 'idempotent',
    hint: showHint(facts),
    details: { ...failure.details, reason: failure.code },
  });
}

function observed({ status, requestId, cause }: AttemptFailure) {
  return defined({ status, requestId, cause });
}
