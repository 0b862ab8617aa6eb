import { type ExitName, exitCodes } from './exit-codes.js';

/** What is known of a request's effect once it failed. */
export type Outcome = 'not-sent' | 'refused' | 'unknown' | 'done';

/** The facts of a failure, beyond its kind and its sentence. All optional, all shown where known. */
export interface Failure {
  /** HTTP status, where an answer came. */
  status?: number;
  method?: string;
  /** Path and query of the request, as sent. */
  path?: string;
  requestId?: string;
  /** How many times the request was tried. */
  attempts?: number;
  /** Whether the same command may succeed when run again unchanged. */
  retryable?: boolean;
  outcome?: Outcome;
  /** One command to run next. */
  hint?: string;
  /** Further facts for machines: JSON values only, never a secret. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * The one error type. Whatever is not one of these is a bug (exit 1).
 *
 * `kind` fixes the exit code; `code` is a stable, finer name that scripts may compare
 * (`unknown_flag`, `not_json`, …); `message` is one sentence that says what happened.
 */
export class DocsError extends Error {
  override readonly name = 'DocsError';
  readonly kind: ExitName;
  readonly code: string;
  readonly failure: Readonly<Failure>;

  constructor(kind: ExitName, code: string, message: string, failure: Failure = {}) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.kind = kind;
    this.code = code;
    this.failure = failure;
  }

  get exitCode(): number {
    return exitCodes[this.kind].code;
  }

  /** The same failure with more facts; facts already known win. */
  with(more: Failure): DocsError {
    return new DocsError(this.kind, this.code, this.message, { ...more, ...this.failure });
  }

  /** The object printed by `--json` (DESIGN.md, "Errors"): absent facts are left out. */
  toJSON(): Record<string, unknown> {
    const { status, method, path, requestId, attempts, retryable, outcome, hint, details } = this.failure;
    const all = {
      code: this.code,
      exitCode: this.exitCode,
      message: this.message,
      status,
      method,
      path,
      requestId,
      attempts,
      retryable: retryable ?? false,
      outcome,
      hint,
      details,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }
}

/** A usage error: exit 2, nothing was sent. */
export function usageError(code: string, message: string, failure: Failure = {}): DocsError {
  return new DocsError('usage', code, message, { outcome: 'not-sent', ...failure });
}
