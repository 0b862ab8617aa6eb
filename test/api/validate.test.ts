import { Ajv, type ErrorObject } from 'ajv';
import { type Arbitrary, array, constant, constantFrom, sample as drawn, oneof } from 'fast-check';
import { expect, it, test } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import type { TSchema } from '../../src/api/type.js';
import { checkInput, conforms, faultsIn } from '../../src/api/validate.js';
import { operationOf } from '../../src/organization/files/values.js';
import { kinds } from '../../src/organization/kinds/index.js';
import { PlanSchema } from '../../src/plans/schema.js';
import { sample } from './sample-value.js';

/** What our validator says of a value is what Ajv says: the same faults, in the same order. */

const ajv = new Ajv({ allErrors: true, verbose: true, logger: false, strict: false, validateSchema: false });
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)));

/** The faults that Ajv finds. An invalid nullable value fails in both branches and as a whole. */
function faultsByAjv(schema: TSchema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  validate(value);
  const errors = validate.errors ?? [];
  return errors
    .filter((error) => !isBranch(error, errors))
    .map((error) => `${fieldOf(error)} ${error.keyword}`);
}

function isBranch(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  const here = all.filter((other) => other !== error && other.instancePath.startsWith(error.instancePath));
  if (error.keyword === 'anyOf') return here.some((other) => !isTypeError(other));
  const inBranch = /\/anyOf\/\d+/.test(error.schemaPath);
  const whole = all.some(
    (other) => other.keyword === 'anyOf' && error.instancePath.startsWith(other.instancePath),
  );
  return inBranch && whole && isTypeError(error);
}

const isTypeError = ({ keyword }: ErrorObject) => keyword === 'type' || keyword === 'const';

function fieldOf({ instancePath, params }: ErrorObject): string {
  const own = params.missingProperty ?? params.additionalProperty;
  const path = instancePath.slice(1).replaceAll('/', '.');
  return [path, own].filter((part) => part !== undefined && part !== '').join('.');
}

function faultsByUs(schema: TSchema, value: unknown): string[] {
  return faultsIn(schema, value, 'input').map(({ field, keyword }) => `${field} ${keyword}`);
}

const plain = constantFrom<unknown>(
  ...['', 'a', 'admin', 'guest', 'none', 'x'.repeat(50), 'x'.repeat(51), '😀'.repeat(50), 'x'.repeat(3000)],
  ...['https://a.example', 'no url', '1f600', 'my-name', 'My Name', '.example', '2026-01-01T00:00:00Z'],
  ...[null, true, false, 0, -1, 1.5, 2000, [], {}, Array(101).fill('x'), ['a', 1]],
);

/** Values near what a schema takes: right here, wrong there, with keys that are missing or too much. */
function near(schema: TSchema): Arbitrary<unknown> {
  const right = constant(sample(schema));
  const { anyOf, properties, items, patternProperties, additionalProperties } = schema;
  if (anyOf !== undefined) return oneof(plain, ...anyOf.map(near));
  if (items !== undefined) return oneof(plain, right, array(near(items), { maxLength: 3 }));
  const parts: [string, TSchema][] = [
    ...Object.entries<TSchema>(properties ?? {}),
    ...Object.values<TSchema>(patternProperties ?? {}).map((one) => ['any', one] as [string, TSchema]),
    ...(typeof additionalProperties === 'object'
      ? [['other', additionalProperties] as [string, TSchema]]
      : []),
  ];
  if (parts.length === 0) return oneof(plain, right);
  const fields = parts.map(([name, one]) => near(one).map((value) => [name, value] as const));
  const some = array(oneof(constant(['stray', 1] as const), ...fields), { maxLength: 8 });
  return oneof(
    plain,
    right,
    some.map((entries) => Object.fromEntries(entries)),
  );
}

const schemas = operations.flatMap((op) => [op.query, ...(op.body === undefined ? [] : [op.body])]);
const fields = kinds.map((kind) => operationOf(kind).body).filter((body) => body !== undefined);

test.each([
  ['operations', schemas],
  ['kinds of the files', fields],
  ['plans', [PlanSchema]],
])('of inputs of %s', (_, all) => {
  for (const schema of new Set<TSchema>(all))
    for (const value of drawn(near(schema), { seed: 1, numRuns: 25 }))
      expect([value, faultsByUs(schema, value)]).toEqual([value, faultsByAjv(schema, value)]);
});

test.each(['input', 'known'] as const)('open enumerations as %s', (how) => {
  const op = operations.find(({ query }) => query.properties.order?.['x-known'] !== undefined);
  if (op === undefined) throw new Error('no operation has an open enumeration');
  const told = checkInput(op, { query: { order: 'sideways' } }, how).filter(({ where }) => where === 'query');
  expect(told.map(({ message }) => message)).toEqual(how === 'known' ? ['must be one of asc, desc'] : []);
});

it('refuses keywords that it does not know, rather than pass over them', () => {
  expect(() => conforms({ multipleOf: 2 } as unknown as TSchema, 3)).toThrow('multipleOf');
});
