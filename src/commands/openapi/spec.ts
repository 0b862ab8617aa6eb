import type { Client } from '../../api/client.js';
import { getLatestOpenApiVersion, getOpenApiSpec, type OpenApiSpec } from '../../api/resources/openapi.js';
import { meant, timestamp } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { isUrl, type Reader, readSource } from '../../cli/parse/typed-text.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';

/** Where a specification comes from: a URL that the platform reads, or a text that is sent. */
export type SpecSource = { url: string } | { text: string };

/** Which OpenAPI spec, and how errors about it name commands. */
export interface SpecAt {
  client: Client;
  org: string;
  slug: string;
  /** Writes a command of `docs openapi`, for hints. */
  line(...words: string[]): string;
}

/** Reads a spec. @throws DocsError as `Client.call`; `not-found` if there is none */
export function readSpec({ client, org, slug }: SpecAt): Promise<OpenApiSpec> {
  const subject = { what: `OpenAPI spec ${slug}`, listCommand: 'docs openapi list' };
  return client.call(getOpenApiSpec, { path: { organizationId: org, specSlug: slug } }, { subject });
}

const facts = {
  version: Type.Optional(
    Type.String({ description: 'Id of the resulting version, or of the unchanged one' }),
  ),
  previousVersion: Type.Optional(Type.String({ description: 'Id of the latest version before' })),
  processingState: meant('state', text),
  lastProcessedAt: Type.Optional(timestamp),
  sourceURL: maybe,
};
export const PublishResult = closed({
  id: text,
  status: stateOf('created', 'updated', 'unchanged'),
  ...facts,
});
export const WaitResult = closed({ id: text, status: oneOf('complete'), ...facts });
/** The id is the slug. */
export type SpecResult = Static<typeof PublishResult> | Static<typeof WaitResult>;

/** Asks for the latest version if the spec does not name it. */
export async function resultOf(
  { client, org, slug }: SpecAt,
  spec: OpenApiSpec,
  status: SpecResult['status'],
): Promise<SpecResult> {
  const path = { organizationId: org, specSlug: slug };
  const version = spec.lastVersion ?? (await client.call(getLatestOpenApiVersion, { path })).id;
  const { processingState, lastProcessedAt, sourceURL } = spec;
  return defined({ id: slug, status, version, processingState, lastProcessedAt, sourceURL });
}

export function sentenceOf({ id, status, version, previousVersion }: SpecResult): string {
  const at = version === undefined ? '' : `: version ${version}`;
  if (status === 'complete') return `${id} is processed${at}.`;
  if (status === 'unchanged') return `${id} is unchanged${at}. Nothing was sent.`;
  const verb = status === 'created' ? 'Created' : 'Updated';
  if (previousVersion === undefined) return `${verb} ${id}${at}.`;
  if (previousVersion === version) return `${verb} ${id}: still version ${version}.`;
  return `${verb} ${id}${at}, previously ${previousVersion}.`;
}

/**
 * The source of a URL.
 * @throws Error whose message follows the flag's name. Checked here, so that the message names the flag
 *   instead of both forms of the source.
 */
export function sourceUrl(typed: string | string[]): { url: string } {
  const url = String(typed);
  if (!URL.canParse(url)) throw new Error(`must be an absolute URL, not "${url}"`);
  if (url.length > 2048) throw new Error(`must be at most 2048 characters long, not ${url.length}`);
  return { url };
}

/**
 * The source that one word names: a URL with its scheme, else a file, as path or `@file`, or `-` for
 * standard input.
 * @throws DocsError usage `bad_value`, `empty_source`; what `readSource` throws
 */
export async function sourceNamed(reader: Reader, typed: string): Promise<SpecSource> {
  if (isUrl(typed)) {
    try {
      return sourceUrl(typed);
    } catch (cause) {
      throw usageError('bad_value', `<source> ${(cause as Error).message}`);
    }
  }
  const text = await readSource(reader, typed.replace(/^@/, ''), '<source>');
  if (text.trim() !== '') return { text };
  const what = typed === '-' ? 'standard input' : typed.replace(/^@/, '');
  throw usageError('empty_source', `${what} is empty; expected an OpenAPI specification`);
}
