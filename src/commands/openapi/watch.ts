import type { OpenApiSpec } from '../../api/resources/openapi.js';
import { DocsError } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import type { Io } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { formatDuration } from '../../settings/duration.js';
import { readSpec, type SpecAt } from './spec.js';

/** How long a command waits by default, in milliseconds. */
export const usualWaitMs = 5 * 60_000;

const [firstDelayMs, delayGrowth, longestDelayMs] = [1000, 1.5, 10_000];

/** How long the platform may take to begin with a new source, or to show a new spec at all. */
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

/** A spec as the change answered it, or as first read, and what was known before. */
export interface Seen {
  first: OpenApiSpec;
  /** The spec before its source was set, whose `complete` does not count; undefined if it did not exist. */
  before?: OpenApiSpec | undefined;
}

/**
 * Looks at a spec until it is processed, which shows in a new version, a new time of processing or a new error;
 * or in a state at rest that is younger than the spec was before. A read may still show the old state, even after
 * `pending` was answered. Looks after 1 second, then in growing steps of up to 10 seconds, and
 * once more when the time is up. A look that fails for a while does not end it.
 * @throws DocsError job-failed `processing_failed`, deadline `not_processed`; what a look throws
 */
export async function watchSpec(watch: Watch, { first, before }: Seen): Promise<OpenApiSpec> {
  const { io, waitMs } = watch;
  const sinceMs = io.now();
  let [spec, busySeen, delayMs] = [first, isBusy(first), firstDelayMs];
  try {
    for (;;) {
      const passedMs = io.now() - sinceMs;
      busySeen ||= isBusy(spec);
      const mayRest = busySeen || passedMs >= beginsWithinMs;
      if (isSettled(spec) && (isNew(spec, before) || (mayRest && isYounger(spec, before))))
        return processed(watch, spec);
      if (passedMs >= waitMs) throw tooLate(watch, spec);
      watch.onState(spec.processingState);
      await io.sleep(Math.min(delayMs, waitMs - passedMs), io.signal);
      delayMs = Math.min(delayMs * delayGrowth, longestDelayMs);
      spec = await look(watch, spec, passedMs < beginsWithinMs);
    }
  } catch (cause) {
    const told = cause instanceof DocsError && cause.kind === 'job-failed';
    throw io.signal.aborted && !told ? interrupted(watch) : cause;
  }
}

/** @param early whether a new spec may not be found yet */
async function look(watch: Watch, last: OpenApiSpec, early: boolean): Promise<OpenApiSpec> {
  try {
    return await readSpec(watch);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    if (passing.includes(cause.kind) || (early && cause.kind === 'not-found')) return last;
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

/** Whether the spec shows the result of another processing than before. */
function isNew(spec: OpenApiSpec, before: OpenApiSpec | undefined): boolean {
  // Without a value a field shows no result: setting a source may clear the error of the last one.
  const fields = ['lastProcessedAt', 'lastVersion', 'lastProcessErrorCode'] as const;
  return (
    fields.some((field) => spec[field] !== undefined && spec[field] !== before?.[field]) ||
    before === undefined
  );
}

function isYounger({ updatedAt }: OpenApiSpec, before: OpenApiSpec | undefined): boolean {
  return before === undefined || Date.parse(updatedAt) > Date.parse(before.updatedAt);
}

function processed(watch: Watch, spec: OpenApiSpec): OpenApiSpec {
  const failure = failureOf(watch, spec);
  if (failure !== undefined) throw failure;
  return spec;
}

/** The failure of the last processing, if it failed. */
export function failureOf(
  { slug, line }: Pick<Watch, 'slug' | 'line'>,
  spec: Pick<OpenApiSpec, 'lastProcessErrorCode' | 'lastVersion' | 'lastProcessedAt'>,
): DocsError | undefined {
  const { lastProcessErrorCode: errorCode, lastVersion, lastProcessedAt } = spec;
  if (errorCode === undefined) return undefined;
  const words = errorWords[errorCode];
  const why = words === undefined ? errorCode : `${words} (${errorCode})`;
  return new DocsError('job-failed', 'processing_failed', `the platform failed to process ${slug}: ${why}`, {
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
