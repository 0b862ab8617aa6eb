import type { Client } from '../api/client.js';
import { getOpenApiSpec, type OpenApiSpec } from '../api/resources/openapi.js';
import { getLatestOpenApiVersion } from '../api/resources/openapi-versions.js';
import { DocsError, usageError } from '../errors.js';
import type { ExitName } from '../exit-codes.js';
import type { View } from '../output/printer.js';
import { type Progress, startProgress } from '../output/progress.js';
import { formatDuration, parseDuration } from '../settings/duration.js';
import { shellWord } from '../settings/shell-word.js';
import type { Command, ManualInput } from './command.js';
import { contextId } from './context.js';
import { manual } from './define.js';
import { printDone } from './print-done.js';
import type { Session } from './session.js';
import { contextOption } from './standing-options.js';
import { contextWords } from './subject.js';

/** Watching the platform process an OpenAPI spec, and `docs openapi wait`. */

/** How long the processing is waited for unless something else is said, in milliseconds. */
export const usualWaitMs = 5 * 60_000;

const [firstDelayMs, delayGrowth, longestDelayMs] = [1000, 1.5, 10_000];

/**
 * How long the platform may take to begin with a spec that was set anew. Until then `complete` is
 * what was before.
 */
const beginsWithinMs = 15_000;

/** Failures of a look that the next look may not meet. */
const passing: readonly ExitName[] = ['server-error', 'network', 'rate-limited', 'deadline'];

/** What comes of a spec, as `openapi publish` and `openapi wait` print it. */
export interface SpecResult extends Record<string, unknown> {
  /** The slug. */
  id: string;
  status: 'created' | 'updated' | 'unchanged' | 'complete';
  version?: string;
  /** The latest version before, where the spec was updated. */
  previousVersion?: string;
  processingState: string;
  lastProcessedAt?: string;
  sourceURL?: string;
}

export const resultView: View = {
  columns: ['id', 'status', 'version'].map((path) => ({ path })),
  fields: [
    ...['id', 'status', 'version', 'previousVersion'],
    ...['processingState', 'lastProcessedAt', 'sourceURL'],
  ],
  kinds: { status: 'state', processingState: 'state' },
};

/** A sentence on a terminal; slug, status and version in a pipe; the object where it was asked for. */
export async function printSpec(session: Session, result: SpecResult, sentence: string): Promise<void> {
  await printDone(session, resultView, result, sentence);
}

export const wait: Command = manual({
  name: 'wait',
  summary: 'Wait until an OpenAPI spec is processed',
  why:
    'Ends when the platform has processed the spec, and tells the version it became. ' +
    'Where the processing failed it exits 18 and says why. ' +
    'It waits 5 minutes unless --timeout says otherwise, then it exits 12.',
  args: { '<slug>': 'Slug of the spec' },
  options: [contextOption('organizationId')],
  operations: [getOpenApiSpec, getLatestOpenApiVersion],
  examples: [
    { run: 'openapi wait petstore', does: 'until it is processed, 5 minutes at most' },
    { run: 'openapi wait petstore --timeout 15m --json', does: 'longer, and what came of it as JSON' },
  ],
  async run(session, input) {
    const slug = requireWord(input, 'slug', 'Slug of the spec');
    await session.printer.check(resultView);
    const { timeout } = session.globals;
    const waitMs = timeout === undefined ? usualWaitMs : msOf(parseDuration(timeout));
    const client = await session.client({ timeoutPerRequest: true });
    const org = await contextId(session, 'org');
    const watch: Watch = { client, org, slug, waitMs, line: commandLine(session, wait, input) };
    const spec = await watchSpec(session, watch, { first: await readSpec(watch) });
    const result = await resultOf(watch, spec, 'complete');
    await printSpec(session, result, `${slug} is processed${asVersion(result)}.`);
  },
});

/** A positional that has to be there. @throws DocsError usage `missing_argument` */
export function requireWord({ args }: ManualInput, name: string, what: string): string {
  const typed = args[name];
  if (typeof typed === 'string' && typed !== '') return typed;
  throw usageError('missing_argument', `<${name}> is required: ${what}.`);
}

/** Milliseconds of a duration as parsed; without end for `none`. */
export function msOf(duration: number | 'none'): number {
  return duration === 'none' ? Number.POSITIVE_INFINITY : duration;
}

/** A spec that is watched. */
export interface Watch {
  client: Client;
  org: string;
  slug: string;
  /** How long, in milliseconds. */
  waitMs: number;
  /** Writes a command of the group, for hints. */
  line(...words: string[]): string;
}

/** Writes commands of the group: their words, then the parents and the platform that were typed. */
export function commandLine(
  { io, globals }: Session,
  command: Command,
  input: ManualInput,
): (...words: string[]) => string {
  const word = (text: string) => shellWord(text, io.platform);
  const { sandbox, profile } = globals;
  const where = [
    ...contextWords(command, input, io.platform),
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile === undefined ? [] : ['--profile', word(profile)]),
  ];
  return (...words) => ['docs', 'openapi', ...words.map(word), ...where].join(' ');
}

/** Reads a spec. @throws DocsError as `Client.call`; `not-found` where there is none */
export function readSpec({
  client,
  org,
  slug,
}: Pick<Watch, 'client' | 'org' | 'slug'>): Promise<OpenApiSpec> {
  const subject = { what: `OpenAPI spec ${slug}`, listCommand: 'docs openapi list' };
  return client.call(getOpenApiSpec, { path: { organizationId: org, specSlug: slug } }, { subject });
}

/**
 * Looks at a spec until it is processed: after 1 second, then in growing steps of up to 10 seconds, and
 * once more when the time is up. A look that fails for a while is not the end.
 * @param seen.first the spec as it is now
 * @param seen.before the spec before it was set anew: its `complete` is not taken for the new one's
 * @throws DocsError job-failed `processing_failed`, deadline `not_processed`; what a look throws
 */
export async function watchSpec(
  session: Session,
  watch: Watch,
  { first, before }: { first: OpenApiSpec; before?: OpenApiSpec | undefined },
): Promise<OpenApiSpec> {
  const { io } = session;
  const sinceMs = io.now();
  const shown = stateProgress(session, watch.slug);
  let [spec, begun, delayMs] = [first, before === undefined, firstDelayMs];
  try {
    for (;;) {
      const passedMs = io.now() - sinceMs;
      begun ||= hasBegun(spec, before) || passedMs >= beginsWithinMs;
      if (begun && isSettled(spec)) return processed(watch, spec);
      if (passedMs >= watch.waitMs) throw tooLate(watch, spec);
      shown.tell(spec.processingState);
      await io.sleep(Math.min(delayMs, watch.waitMs - passedMs), io.signal);
      delayMs = Math.min(delayMs * delayGrowth, longestDelayMs);
      spec = await look(watch, spec);
    }
  } catch (cause) {
    const told = cause instanceof DocsError && cause.kind === 'job-failed';
    throw io.signal.aborted && !told ? leftAlone(watch, io.signal.reason) : cause;
  } finally {
    shown.stop();
  }
}

/** The spinner with the state of a spec. */
function stateProgress({ io, globals }: Session, slug: string) {
  let [told, progress]: [string | undefined, Progress | undefined] = [undefined, undefined];
  return {
    tell(state: string): void {
      if (state === told) return;
      told = state;
      progress?.stop();
      progress = startProgress(io, {
        text: `Processing ${slug} (${state})`,
        quiet: globals.quiet ?? false,
      });
    },
    stop: (): void => progress?.stop(),
  };
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

/** A state that is not known counts as the end where it comes with an error code. */
function isSettled(spec: OpenApiSpec): boolean {
  return spec.processingState === 'complete' || (!isBusy(spec) && spec.lastProcessErrorCode !== undefined);
}

/** Whether what is seen comes from the source that was set. */
function hasBegun(spec: OpenApiSpec, before: OpenApiSpec | undefined): boolean {
  const fields = ['lastProcessedAt', 'lastVersion', 'lastProcessErrorCode'] as const;
  return isBusy(spec) || fields.some((field) => spec[field] !== before?.[field]);
}

function processed({ slug, line }: Watch, spec: OpenApiSpec): OpenApiSpec {
  const { lastProcessErrorCode: errorCode, lastVersion, lastProcessedAt } = spec;
  if (errorCode === undefined) return spec;
  const words = errorWords[errorCode];
  const why = words === undefined ? errorCode : `${words} (${errorCode})`;
  throw new DocsError('job-failed', 'processing_failed', `${slug} was not processed: ${why}.`, {
    outcome: 'done',
    retryable: errorCode.startsWith('FETCH_'),
    hint: line('get', slug),
    details: {
      ...{ slug, errorCode },
      ...(lastVersion !== undefined && { lastVersion }),
      ...(lastProcessedAt !== undefined && { lastProcessedAt }),
    },
  });
}

/** The error codes of the platform (platform-facts, "Enumerations"). */
const errorWords: Readonly<Record<string, string>> = {
  FETCH_TIMEOUT: 'the platform waited too long for the URL to answer',
  FETCH_ERROR: 'the platform could not read the URL',
  PARSE_ERROR: 'what it holds is no OpenAPI specification in JSON or YAML',
};

/** The waiting was ended; what the platform does is not. */
function leftAlone({ slug, line }: Watch, reason: unknown): DocsError {
  const kind = reason instanceof Error && reason.message === 'SIGTERM' ? 'terminated' : 'interrupted';
  const message = `Interrupted; the platform goes on processing ${slug}.`;
  return new DocsError(kind, kind, message, { outcome: 'done', hint: line('wait', slug) });
}

function tooLate({ slug, waitMs, line }: Watch, { processingState }: OpenApiSpec): DocsError {
  const message = `${slug} was not processed within ${formatDuration(waitMs)}; its state is ${processingState}.`;
  return new DocsError('deadline', 'not_processed', message, {
    outcome: 'done',
    retryable: true,
    hint: line('wait', slug),
    details: { slug, processingState },
  });
}

/** What is printed of a spec, with its latest version, which is asked for where the spec does not tell. */
export async function resultOf(
  { client, org, slug }: Pick<Watch, 'client' | 'org' | 'slug'>,
  spec: OpenApiSpec,
  status: SpecResult['status'],
): Promise<SpecResult> {
  const path = { organizationId: org, specSlug: slug };
  const version = spec.lastVersion ?? (await client.call(getLatestOpenApiVersion, { path })).id;
  const { processingState, lastProcessedAt, sourceURL } = spec;
  return {
    ...{ id: slug, status, version, processingState },
    ...(lastProcessedAt !== undefined && { lastProcessedAt }),
    ...(sourceURL !== undefined && { sourceURL }),
  };
}

/** `: version v1`, where there is one. */
export function asVersion({ version }: SpecResult): string {
  return version === undefined ? '' : `: version ${version}`;
}
