import { createOpenApiSpec, listOpenApiSpecs, type OpenApiSpec } from '../../api/resources/openapi.js';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Applies, Command, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { Check, Offer, Offers } from '../../cli/declare/takers.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { contextWords } from '../../cli/run/view.js';
import { checked } from '../../output/check-mark.js';
import type { View } from '../../output/printer.js';
import { type Progress, startProgress } from '../../output/progress.js';
import { parseDuration } from '../../settings/duration.js';
import { type PublishRequest, planPublish, publishCall } from '../../workflows/openapi-publish/plan.js';
import { resultOf, type SpecResult, sentenceOf } from '../../workflows/openapi-publish/report.js';
import { readSpec } from '../../workflows/openapi-publish/spec.js';
import { type Seen, usualWaitMs, type Watch, watchSpec } from '../../workflows/openapi-publish/watch.js';
import { sourceNamed } from './source.js';

/** `docs openapi publish`: sets a spec and watches it until it is a version. */
export async function publish(
  session: Session,
  command: Command,
  input: ManualInput,
  view: View,
): Promise<void> {
  if (session.savePlan === undefined) await session.printer.check(view);
  const { wait } = input.options;
  const waitMs = typeof wait === 'string' ? msOf(wait) : usualWaitMs;
  const request = await requestOf(session, command, input);
  const { io, settings, printer } = session;
  const warn = (line: string) => printer.warn(line);
  const comparing = { readsUrls: !settings.sandbox, signal: io.signal, warn };
  const { before, unchanged } = await planPublish(request, comparing);
  const isUnchanged = before !== undefined && unchanged;
  const call = publishCall(request);
  if (session.savePlan !== undefined)
    return (await import('../../cli/run/send-changes.js')).planChanges(
      session,
      command,
      isUnchanged ? [] : [call],
      input,
    );
  if (isUnchanged) return skip(session, request, before, view);
  if (session.globals.dryRun) return (await import('../../cli/run/confirm.js')).preview(session, [call]);
  const { sendOne } = await import('../../cli/run/send-changes.js');
  const first = (await sendOne(session, command, call, input)) as OpenApiSpec;
  const spec = await watched(session, { ...request, waitMs }, { first, before });
  const result = await resultOf(request, spec, before === undefined ? 'created' : 'updated');
  if (before?.lastVersion !== undefined) result.previousVersion = before.lastVersion;
  await printSpec(session, view, result);
}

/** A plan sends the spec and does not wait, so that a pipeline chooses how long it does. */
export const applyPublish: Applies = async ({ session: { io, globals, printer }, calls }) => ({
  async end(_, isDone) {
    if (!isDone) return;
    for (const { id } of calls) {
      const wait = atPlace(`docs openapi wait ${shellWord(id, io.platform)}`, globals, io.platform);
      printer.note(`${wait} waits until ${id} is processed.`);
    }
  },
});

/** Reads and checks what was typed; nothing is sent. */
async function requestOf(session: Session, command: Command, input: ManualInput): Promise<PublishRequest> {
  const [slug, typed] = [String(input.args.slug), String(input.args.source)];
  const source = await sourceNamed(session, typed);
  // Waiting has its own limit; --timeout holds for each request.
  const client = await session.client({ timeoutPerRequest: true });
  const org = await contextId(session, 'org');
  const create = input.options.create === true;
  if (create) await checkSlug(slug, session, input);
  const line = commandLine(session, command, input);
  const createLine = line('publish', slug, typed, '--create');
  const skipUnchanged = input.options.skipUnchanged === true;
  return { client, org, slug, line, source, create, skipUnchanged, createLine };
}

/** The slug of a new spec has its limits. */
export const checkSlug: Check = async (slug, session) => {
  const check = await session.checker(true);
  const sent = { path: { organizationId: 'any' }, body: { slug, source: { text: 'any' } } };
  const issues = check(createOpenApiSpec, sent);
  const issue = issues.find(({ field }) => field === 'slug');
  if (issue === undefined) return;
  throw usageError('invalid_input', `<slug> ${issue.message}, not ${JSON.stringify(slug)}`);
};

/** The specs that can be updated; a new slug is typed. */
export const knownSpecs: Offers = {
  none: 'The organization has no specs; --create makes one.',
  async list(session, { options }) {
    const { org } = session.settings;
    if (options.create === true || org === undefined) return undefined;
    const client = await session.client({ timeoutPerRequest: true });
    const offers: Offer[] = [];
    const path = { organizationId: org.value };
    for await (const { slug, sourceURL } of client.call(listOpenApiSpecs, { path }))
      offers.push({ value: slug, name: [slug, sourceURL ?? ''].join('  ').trim() });
    return offers;
  },
};

async function skip(session: Session, request: PublishRequest, spec: OpenApiSpec, view: View): Promise<void> {
  await printSpec(session, view, await resultOf(request, spec, 'unchanged'));
  const { source } = request;
  if ('url' in source && spec.sourceURL !== source.url) {
    const from = spec.sourceURL ?? 'the text that was sent before';
    session.printer.note(`The content is the same, so the source remains ${from}.`);
  }
}

/** `docs openapi wait`: watches a spec that was set before. */
export async function wait(
  session: Session,
  command: Command,
  input: ManualInput,
  view: View,
): Promise<void> {
  const slug = String(input.args.slug);
  await session.printer.check(view);
  const { timeout } = session.globals;
  const waitMs = timeout === undefined ? usualWaitMs : msOf(timeout);
  const client = await session.client({ timeoutPerRequest: true });
  const org = await contextId(session, 'org');
  const at = { client, org, slug, line: commandLine(session, command, input) };
  const spec = await watched(session, { ...at, waitMs }, { first: await readSpec(at) });
  await printSpec(session, view, await resultOf(at, spec, 'complete'));
}

/** Milliseconds; infinite for `none`. */
function msOf(typed: string): number {
  const duration = parseDuration(typed);
  return duration === 'none' ? Number.POSITIVE_INFINITY : duration;
}

/** Writes a command of the group with the context flags that were typed, for hints. */
function commandLine({ io, globals }: Session, command: Command, input: ManualInput): Watch['line'] {
  const word = (text: string) => shellWord(text, io.platform);
  const where = contextWords(command, input, io.platform);
  if (globals.sandbox) where.push('--sandbox');
  if (globals.profile !== undefined) where.push('--profile', word(globals.profile));
  return (...words) => ['docs', 'openapi', ...words.map(word), ...where].join(' ');
}

/** Watches a spec, with a spinner that shows its state. */
async function watched(
  { io, globals: { quiet = false } }: Session,
  watch: Omit<Watch, 'io' | 'onState'>,
  seen: Seen,
) {
  let [told, progress]: [string | undefined, Progress | undefined] = [undefined, undefined];
  const onState = (state: string): void => {
    if (state === told) return;
    told = state;
    progress?.stop();
    progress = startProgress(io, { text: `Processing ${watch.slug} (${state})`, quiet });
  };
  return watchSpec({ ...watch, io, onState }, seen).finally(() => progress?.stop());
}

/** A sentence on a terminal; slug, status and version in a pipe; the object if it was asked for. */
async function printSpec(session: Session, view: View, result: SpecResult): Promise<void> {
  const sentence = sentenceOf(result);
  const isDone = result.status !== 'unchanged';
  await session.printer.done(result, isDone ? checked(session.io, sentence) : sentence, view);
}
