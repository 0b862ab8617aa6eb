import { DocsError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import type { ContentSource } from './content-source.js';

/** Where a specification comes from (spec A, "OpenAPI specs and versions"; platform-facts). */
export type SpecSource = { url: string } | { text: string };

export type SpecFound =
  | { file: string; document: string }
  | { error: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' };

/**
 * Reads a specification, JSON or YAML, and checks it against the schema of its version: OpenAPI 3.0 to 3.2, or
 * Swagger 2.0. Returns it as JSON on one line.
 */
export async function readSpec(source: SpecSource, contents: ContentSource): Promise<SpecFound> {
  if ('text' in source) return parseSpec(source.text, '');
  try {
    const { bytes, name } = await contents.read(source.url);
    return await parseSpec(decode(bytes), name);
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return { error: error.code === 'fetch_timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR' };
  }
}

/** @param name of the file; '' to derive it from the format */
async function parseSpec(text: string | undefined, name: string): Promise<SpecFound> {
  const json = text === undefined ? undefined : parse(() => JSON.parse(text) as unknown);
  const value = json ?? (text === undefined ? undefined : await parseYaml(text));
  const document = (await isSpec(value)) ? parse(() => JSON.stringify(value)) : undefined;
  if (document === undefined) return { error: 'PARSE_ERROR' };
  return { file: name || (json === undefined ? 'openapi.yaml' : 'openapi.json'), document };
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse: fromYaml } = await import('yaml');
  return parse(() => fromYaml(text, { logLevel: 'error' }) as unknown);
}

/**
 * Whether a document fits its schema, and its references to its own parts lead somewhere. Other documents that
 * it refers to are not read. Accepts the number that YAML makes of `swagger: 2.0`.
 */
async function isSpec(value: unknown): Promise<boolean> {
  if (!isObject(value)) return false;
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const document = value.swagger === 2 ? { ...value, swagger: '2.0' } : value;
  try {
    const { valid, errors } = await new Validator().validate(document);
    return valid || (typeof errors === 'string' && isForeign(errors));
  } catch {
    return false; // Too deep.
  }
}

/** Whether a reference failed because it leads out of the document. */
function isForeign(error: string): boolean {
  return error.startsWith("Can't resolve ") && !error.startsWith("Can't resolve #");
}

/** The result, or undefined if parsing fails or the document is circular or too deep. */
function parse<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  return parse(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}
