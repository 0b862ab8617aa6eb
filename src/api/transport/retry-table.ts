import type { Method } from '../operation.js';

/** What sending a request twice does to the platform. */
export type Effect = 'read' | 'idempotent' | 'other';

/** Why an attempt failed: the rows of the retry table in RELIABILITY.md. */
export type Condition =
  | 'not-connected'
  | 'name-unknown'
  | 'refused-on-loopback'
  | 'unsafe'
  | 'no-answer'
  | 'broken-body'
  | 'refused-for-now'
  | 'unavailable'
  | 'server-error'
  | 'final';

type Answer = 'yes' | 'once' | 'no';

/** RELIABILITY.md, "Retries". For writes `broken-body` is read again by GET, never resent. */
const table: Record<Condition, Record<Effect, Answer>> = {
  'not-connected': { read: 'yes', idempotent: 'yes', other: 'yes' },
  'name-unknown': { read: 'once', idempotent: 'once', other: 'once' },
  'refused-on-loopback': { read: 'no', idempotent: 'no', other: 'no' },
  unsafe: { read: 'no', idempotent: 'no', other: 'no' },
  'no-answer': { read: 'yes', idempotent: 'yes', other: 'no' },
  'broken-body': { read: 'yes', idempotent: 'no', other: 'no' },
  'refused-for-now': { read: 'yes', idempotent: 'yes', other: 'yes' },
  unavailable: { read: 'yes', idempotent: 'yes', other: 'no' },
  'server-error': { read: 'yes', idempotent: 'no', other: 'no' },
  final: { read: 'no', idempotent: 'no', other: 'no' },
};

/** @param idempotent the caller's word; default: true for all but POST and PATCH */
export function effectOf(method: Method, idempotent?: boolean): Effect {
  if (method === 'GET') return 'read';
  return (idempotent ?? (method === 'PUT' || method === 'DELETE')) ? 'idempotent' : 'other';
}

/** Whether another attempt is allowed after `attempts` of at most `maxAttempts`. */
export function mayRetry(
  condition: Condition,
  effect: Effect,
  attempts: number,
  maxAttempts: number,
): boolean {
  if (attempts >= maxAttempts) return false;
  const answer = table[condition][effect];
  return answer === 'yes' || (answer === 'once' && attempts === 1);
}

/** @param hasRetryAfter whether the response has `Retry-After` */
export function conditionOf(status: number, hasRetryAfter: boolean): Condition {
  if (status === 429 || (status === 503 && hasRetryAfter)) return 'refused-for-now';
  if (status === 500) return 'server-error';
  const transient = [408, 425, 502, 503, 504];
  return transient.includes(status) ? 'unavailable' : 'final';
}

/** Full jitter in milliseconds: 0 to min(20 s, 0.5 s × 2ⁿ) for n retries so far. @param random from [0, 1) */
export function jitterMs(retries: number, random: () => number): number {
  return random() * Math.min(20_000, 500 * 2 ** retries);
}

/**
 * The wait before the next attempt, in milliseconds: the jitter, but at least what the platform asks for
 * plus up to 10 %.
 * @param floorMs what the platform asks for
 */
export function backoffMs(retries: number, floorMs: number | undefined, random: () => number): number {
  const ms = jitterMs(retries, random);
  return floorMs === undefined ? ms : Math.max(ms, floorMs * (1 + 0.1 * random()));
}
