import { describe, expect, it } from 'vitest';
import {
  brokenBefore,
  brokenConditions,
  ClaimSet,
  claimsDiff,
  claimText,
} from '../../../src/access/adaptive/claims.js';

/** What a new adaptive schema changes, and the conditions that it breaks. */

type Properties = Readonly<Record<string, unknown>>;

const boolean = { type: 'boolean' };
const of = (properties: Properties, more: object = {}) =>
  new ClaimSet({ type: 'object', properties, additionalProperties: false, ...more });
const group = (properties: Properties) => ({ type: 'object', properties, additionalProperties: false });

const changes = (before: ClaimSet, after: ClaimSet) =>
  claimsDiff(before, after).claims.map(({ change, claim, why }) => `${change}: ${claimText(claim)} ${why}`);

function broken(before: ClaimSet, after: ClaimSet, ...conditions: string[]) {
  const parts = conditions.map((condition, at) => ({
    kind: 'section' as const,
    ...{ id: `s${at}`, title: 'API', path: 'api', condition },
  }));
  const found = brokenConditions(claimsDiff(before, after), parts);
  return found.map(({ condition, state, claims, why }) => `${condition} ${state} by ${claims}: ${why}`);
}

describe('a claim', () => {
  const unsigned = group({ a: boolean });
  const narrowed = (from: string, to: string) => `narrowed: a allowed ${from} and now allows ${to}`;

  it.each<[string, Properties, Properties, string[]]>([
    ['the same', { a: boolean }, { a: { ...boolean, description: 'Beta' } }, []],
    ['added', {}, { a: boolean }, ['added: a is added']],
    ['removed', { a: boolean }, {}, ['removed: a is removed']],
    ['moved', { a: boolean }, { unsigned }, ['moved: a becomes unsigned.a']],
    ['moved out', { unsigned }, { a: boolean }, ['moved: unsigned.a becomes a']],
    ['of one name in both', { a: boolean, unsigned }, { unsigned }, ['removed: a is removed']],
    ['always false', { a: boolean }, { a: { ...boolean, const: false } }, [narrowed('true, false', 'false')]],
    ['fewer values', { a: { enum: ['x', 'y'] } }, { a: { enum: ['y'] } }, [narrowed('"x", "y"', '"y"')]],
    ['another type', { a: boolean }, { a: { type: 'string' } }, [narrowed('true, false', 'string')]],
    [
      'more values',
      { a: { ...boolean, enum: [true] } },
      { a: boolean },
      ['widened: a allowed true and now allows true, false'],
    ],
    ['another keyword', { a: boolean }, { a: { ...boolean, not: {} } }, ['changed: a differs in "not"']],
    ['nothing allowed', { a: boolean }, { a: false }, [narrowed('true, false', 'nothing')]],
    ['of an odd name', JSON.parse('{"__proto__":{"type":"boolean"}}'), {}, ['removed: __proto__ is removed']],
  ])('%s', (_, before, after, told) => {
    expect(changes(of(before), of(after))).toEqual(told);
  });

  it('that becomes required is narrowed', () => {
    expect(changes(of({ a: boolean }), of({ a: boolean }, { required: ['a'] }))).toEqual([
      'narrowed: a becomes required',
    ]);
  });

  it('of a schema that is none is none', () => {
    for (const odd of [null, 'x', 5, [], { properties: 'x' }]) expect(new ClaimSet(odd).all()).toEqual([]);
  });
});

describe('a condition', () => {
  it('breaks by each claim that goes, and by no other', () => {
    const before = of({ a: boolean, b: boolean, c: boolean });
    const conditions = ['visitor.claims.a && visitor.claims.c', 'visitor.claims.b', '"a" in visitor.claims'];
    expect(broken(before, of({ b: boolean }), ...conditions)).toEqual([
      'visitor.claims.a && visitor.claims.c breaks by a,c: a is removed; c is removed',
      '"a" in visitor.claims breaks by a: a is removed',
    ]);
  });

  it('of a claim that moved breaks, and the signed claim is not the unsigned one', () => {
    const after = of({ unsigned: group({ a: boolean }) });
    expect(broken(of({ a: boolean }), after, 'visitor.claims.unsigned.a', 'visitor.claims.a')).toEqual([
      'visitor.claims.a breaks by a: a becomes unsigned.a',
    ]);
  });

  it('is unknown where it cannot be parsed, computes its claim, or uses one that changed otherwise', () => {
    const before = of({ a: boolean, b: boolean });
    const conditions = ['a &&& b', 'visitor.claims[1 + 1]', 'visitor.claims.b'];
    expect(broken(before, of({ b: { ...boolean, not: {} } }), ...conditions)).toEqual([
      'a &&& b unknown by : docs cannot parse the condition: Expected expression after && at character 5',
      'visitor.claims[1 + 1] unknown by a,b: the condition computes the name of a claim',
      'visitor.claims.b unknown by b: b differs in "not"',
    ]);
  });

  it('is left alone where claims are only added', () => {
    expect(broken(of({}), of({ a: boolean }), 'a &&& b', 'visitor.claims.a')).toEqual([]);
  });

  it('breaks where the new schema closes what the old one left open', () => {
    const before = new ClaimSet({ type: 'object', properties: {} });
    const [found] = broken(before, of({}), 'visitor.claims.x');
    expect(found).toMatch(/^visitor\.claims\.x breaks by x:/);
  });
});

describe('a condition that was broken before', () => {
  const parts = ['visitor.claims.old && visitor.claims.a', 'visitor.claims.a', 'visitor.claims[', '1'].map(
    (condition, at) => ({ kind: 'section' as const, id: `s${at}`, title: 'API', path: 'api', condition }),
  );
  const found = (before: ClaimSet, after: ClaimSet) =>
    brokenBefore(claimsDiff(before, after), parts).map(({ id, state, why }) => `${id} ${state}: ${why}`);

  it('uses a claim of neither schema', () => {
    const one = of({ a: boolean });
    expect(found(one, one)).toEqual(['s0 broken: old is in neither schema']);
    expect(found(of({}), of({ b: boolean }))).toEqual([
      's0 broken: old, a are in neither schema',
      's1 broken: a is in neither schema',
    ]);
  });

  it('is mended by a schema that has the claim, or lets through others than it names', () => {
    expect(found(of({ a: boolean }), of({ a: boolean, old: boolean }))).toEqual([]);
    expect(found(of({}), of({}, { additionalProperties: true }))).toEqual([]);
  });
});

it.each([
  ['1,024 characters', `visitor.claims.a || ${'visitor.claims.b || '.repeat(50)}true`.slice(0, 1024)],
  ['parentheses', `${'('.repeat(8000)}visitor.claims.a${')'.repeat(8000)}`],
  ['negations', `${'!'.repeat(19_000)}visitor.claims.a`],
  ['a long list', `[${'1,'.repeat(9000)}visitor.claims.a].includes(true)`],
  ['what looks like a pattern', '/(a+)+$/.test(visitor.claims.a)'],
  ['other writing', 'visitor.claims.名前 && visitor.claims["\u202e"] || visitor.claims.a'],
  [
    'prototypes',
    'visitor.claims.__proto__ || visitor.claims.constructor.constructor("return 1")() || visitor.claims.a',
  ],
])('a hostile condition is broken or unknown, soon: %s', (_, condition) => {
  const found = broken(of({ a: boolean, b: boolean }), of({ b: boolean }), condition);
  expect(found[0]?.slice(condition.length)).toMatch(/^ (?:breaks|unknown) by /);
});
