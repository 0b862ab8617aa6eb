import type { ExitName, Outcome } from '../../base/errors.js';
import type { Method } from '../operation.js';
import type { Subject } from './contract.js';
import type { Condition, Effect } from './retry-table.js';

/** What errors say about a request. */
export interface RequestFacts {
  method: Method;
  /** Path and query as sent, secrets removed. */
  path: string;
  /** The caller's path, without query; for hints. */
  resource: string;
  /** Scheme, host and port. */
  origin: string;
  /** Whether the origin is this machine. */
  loopback: boolean;
  /** The proxy on the way, without credentials. */
  proxy?: string;
  effect: Effect;
  subject?: Subject;
}

/** A failed attempt: what to report, and whether to retry. */
export interface AttemptFailure {
  kind: ExitName;
  code: string;
  message: string;
  hint: string;
  condition: Condition;
  /** The effect of this attempt alone. */
  outcome: Outcome;
  /** For the line that announces a wait. */
  reason: string;
  retryable: boolean;
  /** Whether it failed by a timeout. */
  timedOut?: boolean;
  /** The wait the platform asks for, in milliseconds. */
  floorMs?: number;
  status?: number;
  requestId?: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** How an attempt ended. */
export type Verdict<T> = { ok: true; value: T } | { ok: false; failure: AttemptFailure };

/** The command that shows the subject of a request. */
export function showHint(facts: RequestFacts): string {
  return facts.subject?.showCommand ?? `docs api GET ${shellWord(facts.resource)}`;
}

/** The subject of a request, in words. */
export function whatOf(facts: RequestFacts): string {
  return facts.subject?.what ?? `${facts.method} ${facts.path}`;
}

/** Where a request went, in words. */
export function whereOf(facts: RequestFacts): string {
  return facts.proxy === undefined ? facts.origin : `${facts.origin} (through the proxy ${facts.proxy})`;
}

/** A duration for people: `0.4 s`, `95 s`. */
export function seconds(ms: number): string {
  return `${ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000)} s`;
}

/** A path quoted as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w./%~:@+=-]*$/.test(path) ? path : `'${path.replaceAll("'", '%27')}'`;
}
