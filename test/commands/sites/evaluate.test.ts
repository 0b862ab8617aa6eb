import { describe, expect, it } from 'vitest';
import { ClaimSet, parseCondition, usesOf } from '../../../src/access/adaptive/claims.js';
import { evaluate, visitorOf } from '../../../src/commands/sites/evaluate.js';
import { runs } from '../../runs.js';
import { type RandomClaims, randomClaims, randomCondition } from './random-conditions.js';

/** Conditions of adaptive content, evaluated for the claims of a visitor. */

const schema = new ClaimSet({
  type: 'object',
  properties: {
    beta: { type: 'boolean' },
    partner: { type: 'boolean' },
    plan: { type: 'string' },
    seats: { type: 'number' },
    tags: { type: 'array' },
    nothing: { type: 'null' },
    unsigned: { type: 'object', properties: { dark: { type: 'boolean' } }, additionalProperties: false },
  },
  additionalProperties: false,
});

const claims = {
  beta: true,
  plan: 'pro',
  seats: 3,
  tags: ['a', 'b'],
  nothing: null,
  unsigned: { dark: false },
};

async function result(condition: string, given: Record<string, unknown> = claims) {
  const parsed = parseCondition(condition);
  if ('why' in parsed) return parsed.why;
  const found = evaluate(parsed.node, schema, (await visitorOf(given, schema)).visitor);
  return 'why' in found ? found.why : found.shown;
}

describe('a condition', () => {
  it.each([
    ['visitor.claims.beta', true],
    ['visitor["claims"]["beta"]', true],
    ['!visitor.claims.beta', false],
    ['visitor.claims.partner', false],
    ['visitor.claims.unsigned.dark === false', true],
    ['visitor.claims.beta && visitor.claims.plan == "pro"', true],
    ['visitor.claims.partner ? false : "yes"', true],
    ['"partner" in visitor.claims', false],
    ['"beta" in visitor.claims && "dark" in visitor.claims.unsigned', true],
    ['["pro", "team"].includes(visitor.claims.plan)', true],
    ['visitor.claims.plan.toUpperCase().startsWith("PR")', true],
    ['visitor.claims.tags.length >= 2 && visitor.claims.tags[1] == "b"', true],
    ['visitor.claims.nothing ?? visitor.claims.beta', true],
    ['visitor.claims.beta || visitor.claims.gone', true],
  ])('%s is %s', async (condition, shown) => {
    expect(await result(condition)).toBe(shown);
  });

  it.each([
    ['visitor.claims.gone', 'the schema has no claim gone'],
    ['visitor.claims.beta && visitor.claims.gone', 'the schema has no claim gone'],
    ['visitor.claims.__proto__', 'the schema has no claim __proto__'],
    ['visitor.claims.constructor.constructor("return 1")()', 'only methods can be called, by their names'],
    ['visitor.claims.plan.constructor', 'docs does not look up "constructor" of a text'],
    ['visitor.claims.tags["__proto__"]', 'docs does not look up "__proto__" of a list'],
    ['visitor.claims.plan.constructor("x")', 'docs does not evaluate constructor() of a text'],
    ['visitor.claims.plan.repeat(99999999)', 'docs does not evaluate repeat() of a text'],
    ['visitor.claims.plan.includes(1)', 'includes() of a text takes a text, not a number'],
    ['visitor.claims.beta.length', 'docs does not look up "length" of true or false'],
    ['visitor.claims.nothing.x', 'null has no property "x"'],
    ['visitor.claims == 1', 'docs does not evaluate == of an object of claims'],
    ['process.env.HOME', 'unknown name "process"'],
    ['this', 'it is not a single expression'],
    ['1 ** 2', 'docs does not evaluate the operator **'],
    ['visitor.claims.beta visitor.claims.plan', 'it is not a single expression'],
    ['visitor.claims.beta &&', 'Unexpected end at character 23'],
    ['"toString" in visitor.claims', 'the schema has no claim toString'],
  ])('%s is unknown: %s', async (condition, why) => {
    expect(await result(condition)).toBe(why);
  });

  it('is unknown where it uses a claim whose value the schema forbids', async () => {
    expect(await result('visitor.claims.beta', { beta: 'yes' })).toBe(
      'the claim beta has a value that the schema forbids',
    );
  });

  it('of any depth and length ends', async () => {
    expect(await result(`${'('.repeat(9000)}1${')'.repeat(9000)}`)).not.toBe(undefined);
    expect(await result('!'.repeat(19_000))).not.toBe(undefined);
    expect(await result(`${'!'.repeat(19_000)}1`)).not.toBe(undefined);
    expect(await result('1 +'.repeat(9000))).toBe('it is longer than 20000 characters');
  });
});

it('gives what JavaScript gives', async () => {
  const { visitor } = await visitorOf(claims, schema);
  for (let run = 0; run < runs(600); run += 1) {
    const condition = randomCondition(run);
    const parsed = parseCondition(condition);
    if ('why' in parsed) throw new Error(`${condition}: ${parsed.why}`);
    const found = evaluate(parsed.node, schema, visitor);
    expect({ condition, ...found }).toEqual({ condition, shown: inJavaScript(condition, claims) });
  }
});

it('uses the claims that it names, and no other', async () => {
  for (let run = 0; run < runs(200); run += 1) {
    const condition = randomCondition(run);
    const given: RandomClaims = randomClaims(run);
    const parsed = parseCondition(condition);
    if ('why' in parsed) throw new Error(parsed.why);
    const { claims: uses, any } = usesOf(parsed.node);
    expect({ condition, any }).toEqual({ condition, any: false });
    // Claims that it does not name may have any value.
    const kept = (name: string) => uses.some((claim) => !claim.unsigned && claim.name === name);
    const other = Object.fromEntries(
      Object.entries(claims).map(([name, value]) => [
        name,
        name === 'unsigned' || kept(name) ? value : given[name],
      ]),
    );
    expect({ condition, is: inJavaScript(condition, other) }).toEqual({
      condition,
      is: inJavaScript(condition, claims),
    });
  }
});

function inJavaScript(condition: string, own: Record<string, unknown>): boolean {
  return Boolean(new Function('visitor', `return (${condition});`)({ claims: own }));
}

it.each([
  ['visitor.claims.beta && visitor.claims.unsigned.dark', ['beta', 'unsigned.dark'], false],
  ['"beta" in visitor.claims', ['beta'], false],
  ['visitor.claims["a b"]', ['a b'], false],
  ['visitor.claims[visitor.claims.plan]', ['plan'], true],
  ['visitor.claims', [], true],
  ['visitor.claims.unsigned', [], true],
  ['["x"].includes(visitor.claims.plan) ? 1 : visitor.claims.seats', ['plan', 'seats'], false],
])('%s uses %j', (condition, names, any) => {
  const parsed = parseCondition(condition);
  if ('why' in parsed) throw new Error(parsed.why);
  const uses = usesOf(parsed.node);
  expect(uses.any).toBe(any);
  expect(uses.claims.map(({ unsigned, name }) => (unsigned ? `unsigned.${name}` : name))).toEqual(names);
});
