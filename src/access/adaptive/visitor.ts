import { isObject } from '../../base/values.js';
import type { ClaimSet } from './claim-schema.js';
import type { Visitor } from './evaluate.js';
import { type ClaimName, claimText } from './expression.js';

/** The claims of a visitor, held against the schema that they must fit. */

export interface CheckedVisitor {
  visitor: Visitor;
  /** What the schema forbids, as sentences. Claims in them are the person's text. */
  faults: string[];
}

/** @param claims as a token has them: by name, those of `unsigned` in an object of that name */
export async function visitorOf(
  claims: Readonly<Record<string, unknown>>,
  schema: ClaimSet,
): Promise<CheckedVisitor> {
  const { unsigned, ...signed } = claims;
  const isGroup = schema.hasUnsigned && isObject(unsigned);
  const values = new Map<string, unknown>();
  const given: ClaimName[] = [];
  const add = (claim: ClaimName, value: unknown) => {
    given.push(claim);
    values.set(claimText(claim), value);
  };
  const atRoot = isGroup || unsigned === undefined ? signed : { ...signed, unsigned };
  for (const [name, value] of Object.entries(atRoot)) add({ unsigned: false, name }, value);
  if (isGroup) for (const [name, value] of Object.entries(unsigned)) add({ unsigned: true, name }, value);
  const fits = await checkerOf();
  const wrong = new Map<string, string>();
  for (const claim of given) {
    const text = claimText(claim);
    const declared = schema.get(claim);
    if (declared === undefined && !schema.isOpen) wrong.set(text, `The schema has no claim ${text}.`);
    else if (declared !== undefined && !fits(declared.schema, values.get(text)))
      wrong.set(text, `The schema does not allow ${JSON.stringify(values.get(text))} for the claim ${text}.`);
  }
  const missing = schema.all().filter((claim) => claim.isRequired && !values.has(claimText(claim)));
  return {
    visitor: {
      valueOf: (claim) => values.get(claimText(claim)),
      isWrong: (claim) => wrong.has(claimText(claim)),
    },
    faults: [
      ...wrong.values(),
      ...missing.map((claim) => `The schema requires the claim ${claimText(claim)}, which is missing.`),
    ],
  };
}

/** Whether a value fits a schema; one that cannot be understood allows nothing. */
async function checkerOf(): Promise<(schema: unknown, value: unknown) => boolean> {
  const { Ajv } = await import('ajv');
  const ajv = new Ajv({ strict: false, logger: false });
  return (schema, value) => {
    try {
      return (isObject(schema) || typeof schema === 'boolean') && ajv.validate(schema, value) === true;
    } catch {
      return false;
    }
  };
}
