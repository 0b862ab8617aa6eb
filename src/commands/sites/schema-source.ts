import { isJsonObject, parseInputJson, plainNumbers } from '../../api/input-json.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import { isObjectText, readSource } from '../../cli/parse/typed-text.js';
import { visitorSchema } from './visitor-schema.js';

/** JSON that a flag or positional names: a path, `@path`, `-` for standard input, or the JSON itself. */

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
    throw usageError('bad_value', `${label} ${(cause as Error).message}.`);
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
    throw usageError('bad_value', `${label} is not JSON: ${(cause as Error).message}.`);
  }
  if (isJsonObject(claims)) return claims;
  throw usageError('bad_value', `${label} must be a JSON object of claims, such as {"beta": true}.`);
}
