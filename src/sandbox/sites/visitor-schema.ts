import type { VisitorSchema } from '../../api/resources/adaptive-schemas.js';
import { refusal } from '../refusal.js';

const text = { must: 'a string', holds: (value: unknown) => typeof value === 'string' };
const flag = { must: 'a boolean', holds: (value: unknown) => typeof value === 'boolean' };

/** Draft-07 schemas of the keywords that only annotate; any other keyword would constrain values. */
const annotations: Readonly<Record<string, { must: string; holds(value: unknown): boolean }>> = {
  title: text,
  description: text,
  $comment: text,
  default: { must: 'anything', holds: () => true },
  examples: { must: 'an array', holds: Array.isArray },
  readOnly: flag,
  writeOnly: flag,
};

const draft07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** A URI or relative reference: the characters of RFC 3986, with complete escapes. */
const uriReference = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\da-fA-F]{2})*$/;

/**
 * Checks a visitor schema beyond its declaration (spec C, "Adaptive schema"): JSON Schema draft-07 with
 * boolean claims only. The declaration has checked types and `additionalProperties`.
 * @throws 400 with the path of the error
 */
export function requireVisitorSchema(schema: VisitorSchema): void {
  const { $schema, $id, properties } = schema;
  if ($schema !== undefined && !draft07.test($schema)) {
    throw wrong(['$schema'], 'must be http://json-schema.org/draft-07/schema#');
  }
  if ($id !== undefined && !uriReference.test($id)) throw wrong(['$id'], 'must be a URI reference');
  requireKeywords([], schema, ['$schema', '$id', 'type', 'properties', 'additionalProperties']);
  const { unsigned, ...claims } = properties;
  requireClaims(['properties'], claims);
  if (unsigned === undefined) return;
  const path = ['properties', 'unsigned'];
  requireKeywords(path, unsigned, ['type', 'properties', 'additionalProperties']);
  requireClaims([...path, 'properties'], unsigned.properties);
}

function requireClaims(path: readonly string[], claims: Readonly<Record<string, object>>): void {
  for (const [name, claim] of Object.entries(claims)) requireKeywords([...path, name], claim, ['type']);
}

function requireKeywords(path: readonly string[], schema: object, known: readonly string[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (known.includes(keyword)) continue;
    const annotation = Object.hasOwn(annotations, keyword) ? annotations[keyword] : undefined;
    if (annotation === undefined) {
      const all = [...known, ...Object.keys(annotations)].join(', ');
      throw wrong([...path, keyword], `is not known; known: ${all}`);
    }
    if (!annotation.holds(value)) throw wrong([...path, keyword], `must be ${annotation.must}`);
  }
}

function wrong(path: readonly string[], message: string) {
  return refusal(400, `body ${['jsonSchema', ...path].join('.')} ${message}`);
}
