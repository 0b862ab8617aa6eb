import type { Outcome } from '../../errors.js';
import type { ExitName } from '../../exit-codes.js';
import type { Method } from '../operation.js';
import type { Subject } from './contract.js';
import type { Condition, Effect } from './retry-table.js';

/** What errors say of a request. */
export interface RequestFacts {
  method: Method;
  /** Path and query as sent, secrets removed. */
  path: string;
  /** Path as the caller gave it, without query; for hints. */
  resource: string;
  /** Scheme, host and port it goes to. */
  origin: string;
  /** Whether that is this machine. */
  loopback: boolean;
  /** The proxy on the way, without credentials. */
  proxy?: string;
  effect: Effect;
  subject?: Subject;
}

/** An attempt that failed: what to say, and what it means for trying again. */
export interface AttemptFailure {
  kind: ExitName;
  code: string;
  message: string;
  hint: string;
  condition: Condition;
  /** What this attempt alone may have done. */
  outcome: Outcome;
  /** In words, for the line that announces a wait. */
  reason: string;
  retryable: boolean;
  /** It took the time of a timeout. */
  timedOut?: boolean;
  /** The wait the platform asks for, in milliseconds. */
  floorMs?: number;
  status?: number;
  requestId?: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** How an attempt ended: with a value, or not. */
export type Verdict<T> = { ok: true; value: T } | { ok: false; failure: AttemptFailure };

/** The command that shows what a request was about. */
export function showHint(facts: RequestFacts): string {
  return facts.subject?.showCommand ?? `docs api GET ${shellWord(facts.resource)}`;
}

/** What a request was about, in words. */
export function whatOf(facts: RequestFacts): string {
  return facts.subject?.what ?? `${facts.method} ${facts.path}`;
}

/** Where a request went, in words. */
export function whereOf(facts: RequestFacts): string {
  return facts.proxy === undefined ? facts.origin : `${facts.origin} (by the proxy ${facts.proxy})`;
}

/** Milliseconds as people read them: `0.4 s`, `95 s`. */
export function seconds(ms: number): string {
  return `${ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000)} s`;
}

/** A path as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w./%~:@+=-]*$/.test(path) ? path : `'${path.replaceAll("'", '%27')}'`;
}
