import type { Client } from '../../api/client.js';
import type { OpenApiSpec } from '../../api/resources/openapi.js';
import { getLatestOpenApiContent } from '../../api/resources/openapi-versions.js';
import type { Session } from '../../cli/declare/session.js';
import { DocsError } from '../../errors.js';
import { same } from '../../jobs/state.js';
import { stringify } from '../../output/json.js';
import type { SpecSource } from './source.js';

/** `--skip-unchanged`: whether the latest version of a spec already says what is to be published. */

/** The largest document that is read from a URL to be compared: 10 MB. */
const mostBytes = 10 * 1024 * 1024;

/** Failures to read a document that leave no more than the comparison undone. */
const ends: readonly string[] = ['interrupted', 'terminated'];

/**
 * Compares documents, not texts: order of keys, spaces, and JSON or YAML make no difference.
 * Where nothing can be compared the answer is no, with a warning that says why.
 * @param spec as it stands: a failed or unfinished processing is never "unchanged"
 */
export async function isUnchanged(
  session: Session,
  { client, org, source }: { client: Client; org: string; source: SpecSource },
  spec: OpenApiSpec,
): Promise<boolean> {
  if (spec.processingState !== 'complete' || spec.lastProcessErrorCode !== undefined) return false;
  const path = { organizationId: org, specSlug: spec.slug };
  const published = await unlessMissing(client.call(getLatestOpenApiContent, { path }));
  if (published === undefined) return false;
  const files = Object.values(published.filesystem);
  if (files.length !== 1) {
    const count = `${files.length} files`;
    session.printer.warn(`The latest version of ${spec.slug} has ${count}, so it was not compared.`);
    return false;
  }
  const text = 'text' in source ? source.text : await textAt(session, client, source.url);
  if (text === undefined) return false;
  const [now, before] = await Promise.all([parsed(text), asPublished(files[0])]);
  return now !== undefined && before !== undefined && same(now, before);
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return undefined;
    throw cause;
  }
}

/** What a URL gives; undefined, with a warning, where it cannot be read from here. */
async function textAt(session: Session, client: Client, url: string): Promise<string | undefined> {
  const { io, settings, printer } = session;
  if (settings.sandbox) {
    printer.warn('The sandbox reads no URLs of the network, so the content was not compared.');
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of await client.download(url, { signal: io.signal })) {
      bytes += chunk.length;
      if (bytes > mostBytes) {
        printer.warn(`${url} holds more than 10 MB, so it was not compared.`);
        return undefined;
      }
      chunks.push(chunk);
    }
  } catch (cause) {
    if (!(cause instanceof DocsError) || ends.includes(cause.kind)) throw cause;
    printer.warn(`${url} cannot be read from here, so it was not compared. ${cause.message}`);
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A file of a version: a document, or its text. */
async function asPublished(file: unknown): Promise<unknown> {
  // Through JSON, so that numbers too long to be exact are read on both sides alike.
  return typeof file === 'string' ? parsed(file) : JSON.parse(stringify(file));
}

/** A document from JSON or YAML; undefined where it is neither, which the platform then tells. */
async function parsed(text: string): Promise<unknown> {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { parse } = await import('yaml');
    try {
      return JSON.parse(JSON.stringify(parse(text, { logLevel: 'error' }))) as unknown;
    } catch {
      return undefined;
    }
  }
}
