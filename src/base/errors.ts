import { type ExitName, exitCodes } from './exit-codes.js';
import { redactQuery, redactStrings, redactText } from './redaction.js';
import { defined } from './values.js';

/** What is known about the effect of a failed request. */
export type Outcome = 'not-sent' | 'refused' | 'unknown' | 'done';

/** A command that can be run after a failure. */
export interface NextCommand {
  /** As it is typed, with all its flags. */
  command: string;
  /** What it is for, as the end of a sentence: `to list the teams of an organization`. */
  when: string;
}

/** The facts of a failure besides its kind and message. All are optional and shown if known. */
export interface Failure {
  status?: number;
  method?: string;
  /** Path and query of the request, as sent. */
  path?: string;
  requestId?: string;
  attempts?: number;
  /** Whether the same command may succeed when run again. */
  retryable?: boolean;
  outcome?: Outcome;
  /** Lines of a list for a person, below the message; `details` has it for programs. */
  lines?: readonly string[];
  /** One command to run next. */
  hint?: string;
  /** For programs, the commands that may be run next, the likeliest first; the hint need not be among them. */
  next?: readonly NextCommand[];
  /** Further facts for programs: JSON values only, never a secret. */
  details?: Record<string, unknown>;
  /** Of a program that docs ran: the code that docs exits with, instead of that of the kind. */
  exitCode?: number;
  cause?: unknown;
}

/**
 * The only error type; any other error is a bug (exit 1). `kind` determines the exit code; `code` is a
 * stable, finer name for scripts, such as `unknown_flag`; `message` says what happened in one sentence.
 * What looks secret is taken out here, so it is neither printed nor written into a journal or a report.
 */
export class DocsError extends Error {
  override readonly name = 'DocsError';
  readonly kind: ExitName;
  readonly code: string;
  readonly failure: Readonly<Failure>;

  constructor(kind: ExitName, code: string, message: string, failure: Failure = {}) {
    super(
      redactText(punctuated(message)),
      failure.cause === undefined ? undefined : { cause: failure.cause },
    );
    this.kind = kind;
    this.code = code;
    const { path, details, lines } = failure;
    // Without keys that are undefined: those of another failure take their place (`with`).
    this.failure = defined({
      ...failure,
      lines: lines?.map(redactText),
      path: path && redactQuery(path),
      details: details && redactStrings(details),
    });
  }

  get exitCode(): number {
    return this.failure.exitCode ?? exitCodes[this.kind].code;
  }

  /** Whether the user has read what happened: another program printed it, and only the exit code is left. */
  get isTold(): boolean {
    return false;
  }

  /** What follows the message for a person: kind and exit code, or nothing. */
  get label(): string {
    return this.failure.exitCode === undefined ? ` (${this.kind}, exit ${this.exitCode})` : '';
  }

  /** The same failure with more facts; existing facts take precedence. */
  with(more: Failure): DocsError {
    return new DocsError(this.kind, this.code, this.message, { ...more, ...this.failure });
  }

  /** The same failure with other facts in place of its own, and with another message. */
  changed(facts: Failure, message = this.message): DocsError {
    return new DocsError(this.kind, this.code, message, { ...this.failure, ...facts });
  }

  /** The object that `--json` prints (DESIGN.md, "Errors"), without absent facts. */
  toJSON(): Record<string, unknown> {
    const { code, exitCode, message } = this;
    const { status, method, path, requestId, attempts, retryable = false, ...rest } = this.failure;
    const { outcome, hint, next, details } = rest;
    const request = { status, method, path, requestId, attempts, retryable, outcome };
    return defined({ code, exitCode, message, ...request, hint, next, details });
  }
}

/** A message of one sentence has no full stop, since it often ends with an id or a path; of several, each has its own. */
function punctuated(message: string): string {
  if (hasStopWithin(message)) return sentences(message);
  return message.length > 1 && message.endsWith('.') && !message.endsWith('..')
    ? message.slice(0, -1)
    : message;
}

/** Whether a stop is within a text, and is not that of a title in quotes or of `e.g.` */
function hasStopWithin(text: string): boolean {
  // Properties of Unicode take long to look up, and most messages are one sentence.
  if (!/[.?!]["')]*\s/.test(text)) return false;
  return /[\p{L}\p{N})\]"'`]{2}[.?!]["')]*\s/u.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
}

/** Sentences after one another, each with its stop: what failed, and what else is to be said of it. */
export function sentences(...all: readonly string[]): string {
  return all.map((text) => (/[.?!…]["')]*$/.test(text) ? text : `${text}.`)).join(' ');
}

/** A failure before anything was sent. */
export function notSent(kind: ExitName, code: string, message: string, failure: Failure = {}): DocsError {
  return new DocsError(kind, code, message, { outcome: 'not-sent', ...failure });
}

/** A usage error: exit 2, nothing was sent. */
export function usageError(code: string, message: string, failure: Failure = {}): DocsError {
  return notSent('usage', code, message, failure);
}

/** Made on a failure alone: every start loads this file. */
const reasons = (): Readonly<Record<string, readonly [code: string, reason: string]>> => ({
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'the disk quota is exceeded'],
  EFBIG: ['disk_full', 'the file would be larger than allowed'],
  EACCES: ['permission_denied', 'permission denied'],
  EPERM: ['permission_denied', 'operation not permitted'],
  EROFS: ['permission_denied', 'the file system is read-only'],
  ENOENT: ['no_such_file', 'no such file or directory'],
  ENOTDIR: ['no_such_file', 'part of the path is not a directory'],
  EISDIR: ['is_a_folder', 'it is a directory'],
  EEXIST: ['file_exists', 'it already exists'],
  ELOOP: ['unsafe_link', 'it is a symbolic link, or its links form a loop'],
  ENAMETOOLONG: ['bad_file_name', 'the name is too long'],
  EMFILE: ['io_error', 'too many open files'],
  ENFILE: ['io_error', 'too many open files'],
  EIO: ['io_error', 'an input/output error'],
});

/**
 * Runs a step on the disk.
 * @throws DocsError its own, else that of `localIoError`
 */
export async function onDisk<T>(doing: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof DocsError ? error : localIoError(error, doing);
  }
}

/** The same for a step that does not wait. */
export function onDiskSync<T>(doing: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof DocsError ? error : localIoError(error, doing);
  }
}

/** A command that this one ran ended with a code of its own, and has said why: only the code is left to tell. */
export class CommandEnded extends DocsError {
  constructor(exitCode: number) {
    super('partial', 'command_failed', `the command exited with code ${exitCode}`, { exitCode });
  }

  override get isTold(): boolean {
    return true;
  }
}

/** What a system error such as `ENOSPC` means, as the end of a sentence; the code itself if unknown. */
export function diskReason(system: string): string {
  return reasons()[system]?.[1] ?? system;
}

/**
 * A failure of the local machine (exit 13): `disk_full`, `permission_denied`, `io_error`, …
 * @param doing what failed, as the beginning of a sentence: `Cannot write settings.json`
 */
export function localIoError(error: unknown, doing: string): DocsError {
  const system = systemCode(error);
  const code = reasons()[system ?? '']?.[0] ?? 'io_error';
  const reason = system === undefined ? 'unknown error' : diskReason(system);
  return new DocsError('local-io', code, `${doing}: ${reason}`, { cause: error });
}

/** The system's code of a failed call (`ENOENT`, …); undefined for every other failure. */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || cause instanceof DocsError || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

/** How a signal ended the command, as the kind of its failure. */
export function endedBy({ reason }: AbortSignal): 'terminated' | 'interrupted' {
  return String(reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
}
