import type { Client } from '../../api/client.js';
import {
  createOpenApiSpec,
  getLatestOpenApiContent,
  listOpenApiSpecs,
  type OpenApiSpec,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import { formatJson, parseJson, RawNumber } from '../../api/transport/json-text.js';
import { checkInput } from '../../api/validate.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { isObject } from '../../base/values.js';
import type { Applies, Command, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { Check, Offer, Offers } from '../../cli/declare/takers.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { contextWords } from '../../cli/run/view.js';
import { same } from '../../jobs/state.js';
import { checked } from '../../output/messages.js';
import type { View } from '../../output/printer.js';
import { type Progress, startProgress } from '../../output/progress.js';
import { parseDuration } from '../../settings/duration.js';
import { unlessNotFound } from '../../snapshot/unread.js';
import {
  readSpec,
  resultOf,
  type SpecAt,
  type SpecResult,
  type SpecSource,
  sentenceOf,
  sourceNamed,
} from './spec.js';
import { type Seen, usualWaitMs, type Watch, watchSpec } from './watch.js';

interface PublishRequest extends SpecAt {
  source: SpecSource;
  /** Whether a spec that does not exist is created. */
  create: boolean;
  skipUnchanged: boolean;
  /** The command that would create it, for the error. */
  createLine: string;
}

/** @throws DocsError `not-found` if there is no spec and none may be created */
function unlessCreated(cause: unknown, { slug, create, createLine }: PublishRequest): undefined {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
  if (create) return;
  const facts = { ...cause.failure, hint: createLine };
  throw new DocsError('not-found', cause.code, `OpenAPI spec ${slug} not found`, facts);
}

/** A PUT for a new spec too: it can be repeated if its answer is lost. */
function publishCall({ org, slug, source }: PublishRequest) {
  const path = { organizationId: org, specSlug: slug };
  return { op: setOpenApiSpec, input: { path, query: {}, body: { source } }, id: slug };
}

/** The largest document that is read from a URL to be compared: 10 MB. */
const mostBytes = 10 * 1024 * 1024;

/** Failures to read a document that end the command, not the comparison alone. */
const ends: readonly string[] = ['interrupted', 'terminated'];

/**
 * Whether the latest version of a spec has the content that is to be published, compared as data: the order
 * of keys, white space, and JSON or YAML make no difference. If nothing can be compared the answer is no,
 * with a warning that says why.
 * @param spec as it is: after a failed or unfinished processing it is never "unchanged"
 */
async function isUnchanged(
  session: Session,
  { client, org, source }: PublishRequest,
  spec: OpenApiSpec,
): Promise<boolean> {
  if (spec.processingState !== 'complete' || spec.lastProcessErrorCode !== undefined) return false;
  const path = { organizationId: org, specSlug: spec.slug };
  const published = await client.call(getLatestOpenApiContent, { path }).catch(unlessNotFound);
  if (published === undefined) return false;
  const files = Object.values(published.filesystem);
  if (files.length !== 1) {
    const what = `The latest version of ${spec.slug} has ${files.length} files`;
    session.printer.warn(`${what}, so the content was not compared.`);
    return false;
  }
  const text = 'text' in source ? source.text : await textAt(session, client, source.url);
  if (text === undefined) return false;
  const [now, before] = await Promise.all([parsed(text), asPublished(files[0])]);
  return now !== undefined && before !== undefined && same(now, before);
}

/** The text at a URL; undefined, with a warning, if it cannot be read from here. */
async function textAt(
  { io, settings, printer }: Session,
  client: Client,
  url: string,
): Promise<string | undefined> {
  const skip = (why: string, more = ''): undefined => {
    printer.warn(`${why}, so the content was not compared.${more}`);
  };
  if (settings.sandbox) return skip('The sandbox does not fetch URLs');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of await client.download(url, { signal: io.signal })) {
      bytes += chunk.length;
      if (bytes > mostBytes) return skip(`${url} is larger than 10 MB`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (!(cause instanceof DocsError) || ends.includes(cause.kind)) throw cause;
    return skip(`${url} cannot be read from here`, ` ${cause.message}`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A file of a version: a document, or its text. */
async function asPublished(file: unknown): Promise<unknown> {
  // Through JSON, so that both sides are read alike.
  return parsed(typeof file === 'string' ? file : formatJson(file));
}

/**
 * A document from JSON or YAML, large integers with all their digits; undefined if it is neither, which the
 * platform then reports.
 */
async function parsed(text: string): Promise<unknown> {
  const json = parseJson(Buffer.from(text));
  if (json.ok) return json.value;
  const { parse } = await import('yaml');
  try {
    const value: unknown = parse(text, { logLevel: 'error', intAsBigInt: true });
    const plain = parseJson(Buffer.from(formatJson(withNumbers(value))));
    return plain.ok ? plain.value : undefined;
  } catch {
    return undefined;
  }
}

function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : new RawNumber(String(value));
  }
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNumbers(item)]));
}

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
  const before = await readSpec(request).catch((cause: unknown) => unlessCreated(cause, request));
  const compared = before !== undefined && request.skipUnchanged;
  const skips = compared && (await isUnchanged(session, request, before));
  if (skips && session.savePlan === undefined) return skip(session, request, before, view);
  const calls = skips ? [] : [publishCall(request)];
  const [{ answerOf, carryOut }, { operationProposal }] = await Promise.all([
    import('../../cli/run/carry-out.js'),
    import('../../cli/run/operation-proposal.js'),
  ]);
  const proposal = operationProposal(session, command, calls, input);
  await carryOut(session, input, {
    ...proposal,
    isSingle: true,
    async done({ result }) {
      const first = answerOf(result) as OpenApiSpec;
      const spec = await watched(session, { ...request, waitMs }, { first, before });
      const published = await resultOf(request, spec, before === undefined ? 'created' : 'updated');
      if (before?.lastVersion !== undefined) published.previousVersion = before.lastVersion;
      await printSpec(session, view, published);
    },
  });
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
export const checkSlug: Check = async (slug, _session) => {
  const sent = { path: { organizationId: 'any' }, body: { slug, source: { text: 'any' } } };
  const issues = checkInput(createOpenApiSpec, sent);
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
