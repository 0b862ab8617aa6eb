import type { OpenApiSpec } from '../../api/resources/openapi.js';
import { defined } from '../../defined.js';
import { DocsError } from '../../errors.js';
import type { ExitName } from '../../exit-codes.js';
import type { Io } from '../../io.js';
import { formatDuration } from '../../settings/duration.js';
import { readSpec, type SpecAt } from './spec.js';

/** How long a command waits by default, in milliseconds. */
export const usualWaitMs = 5 * 60_000;

const [firstDelayMs, delayGrowth, longestDelayMs] = [1000, 1.5, 10_000];

/** How long the platform may take to begin with a new source. Until then `complete` is about the old one. */
const beginsWithinMs = 15_000;

/** Failures of a look that the next look may not meet. */
const passing: readonly ExitName[] = ['server-error', 'network', 'rate-limited', 'deadline'];

export interface Watch extends SpecAt {
  io: Pick<Io, 'now' | 'sleep' | 'signal'>;
  /** How long, in milliseconds. */
  waitMs: number;
  /** Called with the state of the spec, each time it is looked at. */
  onState(state: string): void;
}

/** A spec as it is now, and as it was before its source was set, whose `complete` does not count. */
export interface Seen {
  first: OpenApiSpec;
  before?: OpenApiSpec | undefined;
}

/**
 * Looks at a spec until it is processed: after 1 second, then in growing steps of up to 10 seconds, and
 * once more when the time is up. A look that fails for a while does not end it.
 * @throws DocsError job-failed `processing_failed`, deadline `not_processed`; what a look throws
 */
export async function watchSpec(watch: Watch, { first, before }: Seen): Promise<OpenApiSpec> {
  const { io, waitMs } = watch;
  const sinceMs = io.now();
  let [spec, begun, delayMs] = [first, before === undefined, firstDelayMs];
  try {
    for (;;) {
      const passedMs = io.now() - sinceMs;
      begun ||= hasBegun(spec, before) || passedMs >= beginsWithinMs;
      if (begun && isSettled(spec)) return processed(watch, spec);
      if (passedMs >= waitMs) throw tooLate(watch, spec);
      watch.onState(spec.processingState);
      await io.sleep(Math.min(delayMs, waitMs - passedMs), io.signal);
      delayMs = Math.min(delayMs * delayGrowth, longestDelayMs);
      spec = await look(watch, spec);
    }
  } catch (cause) {
    const told = cause instanceof DocsError && cause.kind === 'job-failed';
    throw io.signal.aborted && !told ? interrupted(watch) : cause;
  }
}

async function look(watch: Watch, last: OpenApiSpec): Promise<OpenApiSpec> {
  try {
    return await readSpec(watch);
  } catch (cause) {
    if (cause instanceof DocsError && passing.includes(cause.kind)) return last;
    throw cause;
  }
}

function isBusy({ processingState }: OpenApiSpec): boolean {
  return processingState === 'pending' || processingState === 'progress';
}

/** An unknown state counts as the end if it comes with an error code. */
function isSettled(spec: OpenApiSpec): boolean {
  return spec.processingState === 'complete' || (!isBusy(spec) && spec.lastProcessErrorCode !== undefined);
}

/** Whether the spec shows the processing of the new source. */
function hasBegun(spec: OpenApiSpec, before: OpenApiSpec | undefined): boolean {
  const fields = ['lastProcessedAt', 'lastVersion', 'lastProcessErrorCode'] as const;
  return isBusy(spec) || fields.some((field) => spec[field] !== before?.[field]);
}

function processed({ slug, line }: Watch, spec: OpenApiSpec): OpenApiSpec {
  const { lastProcessErrorCode: errorCode, lastVersion, lastProcessedAt } = spec;
  if (errorCode === undefined) return spec;
  const words = errorWords[errorCode];
  const why = words === undefined ? errorCode : `${words} (${errorCode})`;
  throw new DocsError('job-failed', 'processing_failed', `the platform failed to process ${slug}: ${why}`, {
    outcome: 'done',
    retryable: errorCode.startsWith('FETCH_'),
    hint: line('get', slug),
    details: defined({ slug, errorCode, lastVersion, lastProcessedAt }),
  });
}

/** The error codes of the platform (platform-facts, "Enumerations"). */
const errorWords: Readonly<Record<string, string>> = {
  FETCH_TIMEOUT: 'the URL did not answer in time',
  FETCH_ERROR: 'it could not read the URL',
  PARSE_ERROR: 'not an OpenAPI specification in JSON or YAML',
};

function interrupted({ slug, line, io: { signal } }: Watch): DocsError {
  const { reason } = signal;
  const kind = reason instanceof Error && reason.message === 'SIGTERM' ? 'terminated' : 'interrupted';
  const message = `${kind}; the platform continues to process ${slug}`;
  return new DocsError(kind, kind, message, { outcome: 'done', hint: line('wait', slug) });
}

function tooLate({ slug, waitMs, line }: Watch, { processingState }: OpenApiSpec): DocsError {
  const message = `${slug} was not processed within ${formatDuration(waitMs)}; its state is ${processingState}`;
  return new DocsError('deadline', 'not_processed', message, {
    outcome: 'done',
    retryable: true,
    hint: line('wait', slug),
    details: { slug, processingState },
  });
}
