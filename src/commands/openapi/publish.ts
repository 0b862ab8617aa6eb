import { createOpenApiSpec, type OpenApiSpec } from '../../api/resources/openapi.js';
import type { Command, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { usageError } from '../../errors.js';
import { type PublishRequest, planPublish, publishCall } from '../../workflows/openapi-publish/plan.js';
import { resultOf } from '../../workflows/openapi-publish/report.js';
import type { SpecSource } from '../../workflows/openapi-publish/spec.js';
import { usualWaitMs } from '../../workflows/openapi-publish/watch.js';
import { commandLine, msOf, printSpec, requireWord, resultView, watched } from './processing.js';
import { sourceNamed } from './source.js';

/** `docs openapi publish`: sets a spec and watches it until it is a version. */
export async function publish(session: Session, command: Command, input: ManualInput): Promise<void> {
  const waitMs = waitOf(input);
  const request = await requestOf(session, command, input);
  const { io, settings, printer } = session;
  const warn = (line: string) => printer.warn(line);
  const comparing = { readsUrls: !settings.sandbox, signal: io.signal, warn };
  const { before, unchanged } = await planPublish(request, comparing);
  if (before !== undefined && unchanged) return skip(session, request, before);
  const call = publishCall(request);
  if (session.globals.dryRun) return (await import('../../cli/run/preview.js')).preview(session, [call]);
  const { sendOne } = await import('../../cli/run/send-changes.js');
  const first = (await sendOne(session, command, call, input)) as OpenApiSpec;
  const spec = await watched(session, { ...request, waitMs }, { first, before });
  const result = await resultOf(request, spec, before === undefined ? 'created' : 'updated');
  if (before?.lastVersion !== undefined) result.previousVersion = before.lastVersion;
  await printSpec(session, result);
}

/** Reads and checks what was typed; nothing is sent. */
async function requestOf(session: Session, command: Command, input: ManualInput): Promise<PublishRequest> {
  const slug = requireWord(input, 'slug', 'slug of the spec');
  const typed = requireWord(input, 'source', 'a URL, or a file with the specification');
  await session.printer.check(resultView);
  const source = await sourceNamed(session.io, typed);
  // Waiting has its own limit; --timeout holds for each request.
  const client = await session.client({ timeoutPerRequest: true });
  const org = await contextId(session, 'org');
  const create = input.options.create === true;
  if (create) await refuseSlug(session, org, slug, source);
  const line = commandLine(session, command, input);
  const createLine = line('publish', slug, typed, '--create');
  const skipUnchanged = input.options.skipUnchanged === true;
  return { client, org, slug, line, source, create, skipUnchanged, createLine };
}

/** `--wait` alone is the usual time. What follows it is taken for its value, so a slug or URL is refused. */
function waitOf({ options }: ManualInput): number {
  const { wait: typed } = options;
  if (typeof typed !== 'string') return usualWaitMs;
  try {
    return msOf(typed);
  } catch {
    const message = `invalid --wait ${JSON.stringify(typed)}; expected a duration such as 30s or 5m (put --wait alone last, or write --wait=5m)`;
    throw usageError('invalid_duration', message);
  }
}

/** The slug of a new spec has its limits. */
async function refuseSlug(session: Session, org: string, slug: string, source: SpecSource): Promise<void> {
  const check = await session.checker(true);
  const issues = check(createOpenApiSpec, { path: { organizationId: org }, body: { slug, source } });
  const issue = issues.find(({ field }) => field === 'slug');
  if (issue === undefined) return;
  throw usageError('invalid_input', `<slug> ${issue.message}, not ${JSON.stringify(slug)}`);
}

async function skip(session: Session, request: PublishRequest, spec: OpenApiSpec): Promise<void> {
  await printSpec(session, await resultOf(request, spec, 'unchanged'));
  const { source } = request;
  if ('url' in source && spec.sourceURL !== source.url) {
    const from = spec.sourceURL ?? 'the text that was sent before';
    session.printer.note(`The content is the same, so the source remains ${from}.`);
  }
}
