import type { ErrorObject } from 'ajv';
import { parseInputJson, plainNumbers } from '../../api/input-json.js';
import { VisitorSchema } from '../../api/resources/adaptive-schemas.js';
import type { Parse } from '../../cli/declare/command.js';

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
