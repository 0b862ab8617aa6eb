import type { ErrorObject } from 'ajv';
import { claimChanges } from '../../access/adaptive/claims.js';
import { parseInputJson, plainNumbers } from '../../api/input-json.js';
import { VisitorSchema } from '../../api/resources/adaptive-schemas.js';
import { isJsonObject } from '../../api/transport/json-text.js';
import { type Static, Type } from '../../api/type.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Parse } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isObjectText, readSource } from '../../cli/parse/typed-text.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';

/** JSON that schema commands take: a path, `@path`, `-` for standard input, or the JSON itself. */

const draft = 'http://json-schema.org/draft-07/schema';

/**
 * The JSON Schema of a site's visitors, from `@file`, `-` or as JSON, checked before it is sent: draft-07,
 * and the platform's own rules (spec C, "Adaptive schema").
 * @throws Error with JSON pointers to the faults, as the rest of a sentence
 */
export const visitorSchema: Parse = async (typed, read) => {
  const text = String(typed);
  const source = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined;
  const schema = parseJson(source === undefined ? text : await read(source));
  const faults = await faultsOf(schema);
  if (faults.length > 0) throw new Error(`is invalid: ${faults.slice(0, 3).join('; ')}`);
  return schema;
};

function parseJson(text: string): unknown {
  try {
    return parseInputJson(text);
  } catch (cause) {
    throw new Error(`is not JSON: ${(cause as Error).message}`);
  }
}

async function faultsOf(schema: unknown): Promise<string[]> {
  const { Ajv } = await import('ajv');
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false });
  const plain = plainNumbers(schema);
  const faults = [draft, VisitorSchema].flatMap((rules) =>
    ajv.validate(rules, plain) ? [] : (ajv.errors ?? []).map(faultOf),
  );
  return [...new Set([...declaredDraft(schema), ...faults])];
}

/** Another draft would be read by other rules than the platform's. */
function declaredDraft(schema: unknown): string[] {
  const declared = (schema as { $schema?: unknown } | null)?.$schema;
  if (typeof declared !== 'string' || declared.replace(/^https:/, 'http:').replace(/#$/, '') === draft)
    return [];
  return [`/$schema must be "${draft}#"`];
}

function faultOf({ instancePath, keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty} is missing`;
  if (keyword === 'const') return `${instancePath} must be ${JSON.stringify(params.allowedValue)}`;
  return `${instancePath === '' ? 'the schema' : instancePath} ${message ?? 'is not valid'}`;
}

/** What is read; undefined for JSON that was typed. */
export function sourceOf(typed: string): string | undefined {
  if (typed.startsWith('@')) return typed.slice(1);
  return isObjectText(typed) ? undefined : typed;
}

/**
 * The schema that was named, checked as `sites schema set` checks it.
 * @throws DocsError usage `bad_value`; as `readSource`
 */
export async function schemaOf(session: Session, typed: string, label: string): Promise<unknown> {
  const source = sourceOf(typed);
  const word = source === undefined || source === '-' ? typed : `@${source}`;
  try {
    return await visitorSchema(word, (name) => readSource(session, name, label));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    throw usageError('bad_value', `${label} ${(cause as Error).message}`);
  }
}

/** The claims of a visitor. @throws DocsError usage `bad_value`; as `readSource` */
export async function claimsOf(
  session: Session,
  typed: string,
  label: string,
): Promise<Record<string, unknown>> {
  const source = sourceOf(typed);
  const text = source === undefined ? typed : await readSource(session, source, label);
  let claims: unknown;
  try {
    claims = plainNumbers(parseInputJson(text));
  } catch (cause) {
    throw usageError('bad_value', `${label} is not JSON: ${(cause as Error).message}`);
  }
  if (isJsonObject(claims)) return claims;
  throw usageError('bad_value', `${label} must be a JSON object of claims, such as {"beta": true}`);
}

/** A claim that changes, a condition that would break, or one that is broken already. */
export const SchemaRow = closed({
  status: stateOf(...claimChanges, 'breaks', 'unknown', 'broken'),
  kind: oneOf('claim', 'section', 'site-space'),
  claims: Type.Array(text, {
    description: 'The claim, or the claims for which the condition is listed',
  }),
  title: maybe,
  path: maybe,
  condition: maybe,
  why: text,
  id: Type.String({ description: 'Of the section or site space; of a claim its name' }),
});
export type SchemaRow = Static<typeof SchemaRow>;
