import type { Client } from '../../api/client.js';
import { getLatestOpenApiContent, type OpenApiSpec, setOpenApiSpec } from '../../api/resources/openapi.js';
import { formatJson, parseJson, RawNumber } from '../../api/transport/json-text.js';
import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { same } from '../../jobs/state.js';
import { unlessNotFound } from '../../snapshot/unread.js';
import { readSpec, type SpecAt, type SpecSource } from './spec.js';

export interface PublishRequest extends SpecAt {
  source: SpecSource;
  /** Whether a spec that does not exist is created. */
  create: boolean;
  skipUnchanged: boolean;
  /** The command that would create it, for the error. */
  createLine: string;
}

export interface PublishPlan {
  /** The spec as it is; undefined if it is to be created. */
  before: OpenApiSpec | undefined;
  /** Whether the latest version has this content already, so that nothing is sent. */
  unchanged: boolean;
}

/** @throws DocsError `not-found` if there is no spec and none may be created; as `Client.call` */
export async function planPublish(request: PublishRequest, comparing: Comparing): Promise<PublishPlan> {
  const before = await readSpec(request).catch((cause: unknown) => unlessCreated(cause, request));
  const compared = before !== undefined && request.skipUnchanged;
  return { before, unchanged: compared && (await isUnchanged(request, before, comparing)) };
}

function unlessCreated(cause: unknown, { slug, create, createLine }: PublishRequest): undefined {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
  if (create) return;
  const facts = { ...cause.failure, hint: createLine };
  throw new DocsError('not-found', cause.code, `OpenAPI spec ${slug} not found`, facts);
}

/** A PUT for a new spec too: it can be repeated if its answer is lost. */
export function publishCall({ org, slug, source }: PublishRequest) {
  const path = { organizationId: org, specSlug: slug };
  return { op: setOpenApiSpec, input: { path, query: {}, body: { source } }, id: slug };
}

/** The largest document that is read from a URL to be compared: 10 MB. */
const mostBytes = 10 * 1024 * 1024;

/** Failures to read a document that end the command, not the comparison alone. */
const ends: readonly string[] = ['interrupted', 'terminated'];

/** How the comparison may read a URL, and where it says why it compared nothing. */
interface Comparing {
  /** Whether URLs may be read; the sandbox reads none. */
  readsUrls: boolean;
  signal: AbortSignal;
  warn(line: string): void;
}

/**
 * Whether the latest version of a spec has the content that is to be published, compared as data: the order
 * of keys, white space, and JSON or YAML make no difference. If nothing can be compared the answer is no,
 * with a warning that says why.
 * @param spec as it is: after a failed or unfinished processing it is never "unchanged"
 */
async function isUnchanged(
  { client, org, source }: { client: Client; org: string; source: SpecSource },
  spec: OpenApiSpec,
  comparing: Comparing,
): Promise<boolean> {
  if (spec.processingState !== 'complete' || spec.lastProcessErrorCode !== undefined) return false;
  const path = { organizationId: org, specSlug: spec.slug };
  const published = await client.call(getLatestOpenApiContent, { path }).catch(unlessNotFound);
  if (published === undefined) return false;
  const files = Object.values(published.filesystem);
  if (files.length !== 1) {
    const what = `The latest version of ${spec.slug} has ${files.length} files`;
    comparing.warn(`${what}, so the content was not compared.`);
    return false;
  }
  const text = 'text' in source ? source.text : await textAt(client, source.url, comparing);
  if (text === undefined) return false;
  const [now, before] = await Promise.all([parsed(text), asPublished(files[0])]);
  return now !== undefined && before !== undefined && same(now, before);
}

/** The text at a URL; undefined, with a warning, if it cannot be read from here. */
async function textAt(client: Client, url: string, comparing: Comparing): Promise<string | undefined> {
  const skip = (why: string, more = ''): undefined => {
    comparing.warn(`${why}, so the content was not compared.${more}`);
  };
  if (!comparing.readsUrls) return skip('The sandbox does not fetch URLs');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of await client.download(url, { signal: comparing.signal })) {
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
