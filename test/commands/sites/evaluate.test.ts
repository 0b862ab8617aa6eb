import { describe, expect, it } from 'vitest';
import { ClaimSet, parseCondition, usesOf } from '../../../src/access/adaptive/claims.js';
import type { SectionGroup, SiteSection } from '../../../src/api/resources/sections.js';
import type { SiteSpace } from '../../../src/api/resources/site-spaces.js';
import {
  evaluate,
  hiddenDefaults,
  type Seen,
  seenBy,
  visitorOf,
} from '../../../src/commands/sites/evaluate.js';
import { runs } from '../../runs.js';

/** What a visitor sees of a site, by sections, groups and spaces. */

const betaSchema = new ClaimSet({
  type: 'object',
  properties: { beta: { type: 'boolean' } },
  additionalProperties: false,
});

const part = (id: string, more: object) => ({ id, title: id, path: id, ...more });
const section = (id: string, more: Partial<SiteSection> = {}): SiteSection => ({
  ...part(id, more),
  ...{ object: 'site-section', title: id, path: id, id, siteSpaces: [] },
});
const space = (id: string, more: Partial<SiteSpace> = {}): SiteSpace => ({
  ...part(id, more),
  ...{ object: 'site-space', title: id, path: id, id },
});
const group = (id: string): SectionGroup => ({ object: 'site-section-group', id, title: id, sections: [] });

async function seen(
  site: { sections?: SiteSection[]; siteSpaces?: SiteSpace[]; groups?: SectionGroup[] },
  claims: Record<string, unknown> = { beta: false },
): Promise<Seen[]> {
  const { visitor } = await visitorOf(claims, betaSchema);
  return seenBy({ schema: betaSchema, visitor, site: { sections: [], siteSpaces: [], groups: [], ...site } });
}

const words = (rows: readonly Seen[]) =>
  rows.map(({ depth, result, id, why }) => `${'  '.repeat(depth)}${result} ${id}${why ? `: ${why}` : ''}`);

const beta = 'visitor.claims.beta';

it('hides the spaces of a hidden section, and a group of hidden sections', async () => {
  const rows = await seen({
    groups: [group('g')],
    sections: [section('a'), section('b', { sectionGroup: 'g', condition: beta })],
    siteSpaces: [
      space('a1', { section: 'a' }),
      space('a2', { section: 'a', condition: beta }),
      space('b1', { section: 'b' }),
    ],
  });
  expect(words(rows)).toEqual([
    'shown a',
    '  shown a1',
    '  hidden a2',
    'hidden g: all its sections are hidden',
    '  hidden b',
    '    hidden b1: its section is hidden',
  ]);
});

it('knows of a space in an unknown section only that it may be hidden', async () => {
  const gone = 'visitor.claims.gone';
  const rows = await seen({
    groups: [group('g')],
    sections: [section('a', { sectionGroup: 'g', condition: gone })],
    siteSpaces: [
      space('a1', { section: 'a' }),
      space('a2', { section: 'a', condition: beta }),
      space('x1', { section: 'unread' }),
    ],
  });
  expect(words(rows)).toEqual([
    'unknown g: whether a section of it is shown is unknown',
    '  unknown a: the schema has no claim gone',
    '    unknown a1: whether its section is shown is unknown',
    '    hidden a2',
    'unknown x1: whether its section is shown is unknown',
  ]);
});

it('tells what is shown first and hidden', async () => {
  const rows = await seen({
    sections: [section('a', { default: true, condition: beta })],
    siteSpaces: [
      space('a1', { section: 'a', default: true }),
      space('s', { default: true, condition: 'x y' }),
    ],
  });
  expect(hiddenDefaults(rows)).toEqual([
    'The default section a (a) is hidden.',
    'Whether the default site space s (s) is shown is unknown.',
  ]);
});

it('tells which claims the schema forbids', async () => {
  const { faults } = await visitorOf({ beta: 'yes', gone: true, unsigned: { x: true } }, betaSchema);
  expect(faults).toEqual([
    'The schema does not allow "yes" for the claim beta.',
    'The schema has no claim gone.',
    'The schema has no claim unsigned.',
  ]);
});

/** Random conditions of the language that docs evaluates, well typed so that JavaScript gives each a value. */

type Random = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = (seed * 0x9e3779b1) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below);
  };
}

type RandomClaims = Record<string, unknown>;

/** Claims of the types that the conditions expect. */
function randomClaims(seed: number): RandomClaims {
  const random = randomOf(seed + 1_000_000);
  return {
    beta: random(2) === 0,
    partner: random(2) === 0,
    plan: ['pro', 'free', ''][random(3)],
    seats: random(7) - 2,
    tags: ['a', 'b', 'c'].slice(0, random(4)),
    nothing: null,
  };
}

function randomCondition(seed: number): string {
  return new Writing(randomOf(seed)).any(4);
}

class Writing {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #one<T>(...options: readonly T[]): T {
    return options[this.#random(options.length)] as T;
  }

  any(depth: number): string {
    return this.#one(
      () => this.flag(depth),
      () => this.flag(depth),
      () => this.text(depth),
      () => this.number(depth),
      () => this.list(depth),
    )();
  }

  flag(depth: number): string {
    const leaf = () =>
      this.#one(
        ...['true', 'false', 'visitor.claims.beta', 'visitor.claims.partner', 'visitor["claims"].beta'],
        ...['visitor.claims["partner"]', 'visitor.claims.unsigned.dark', '("beta" in visitor.claims)'],
        ...['("dark" in visitor.claims.unsigned)', 'visitor.claims.nothing'],
      );
    if (depth <= 0) return `(${leaf()})`;
    const next = depth - 1;
    return this.#one(
      leaf,
      () => `!${this.flag(next)}`,
      () => `(${this.any(next)} ${this.#one('&&', '||')} ${this.any(next)})`,
      () => `(${this.plain(next)} ${this.#one('==', '!=', '===', '!==')} ${this.plain(next)})`,
      () => `(${this.plain(next)} ${this.#one('<', '<=', '>', '>=')} ${this.plain(next)})`,
      () => `(${this.flag(next)} ? ${this.any(next)} : ${this.any(next)})`,
      () => `${this.text(next)}.${this.#one('includes', 'startsWith', 'endsWith')}(${this.text(next)})`,
      () => `${this.list(next)}.includes(${this.plain(next)})`,
      () => `(${this.#one('visitor.claims.nothing', this.plain(next))} ?? ${this.any(next)})`,
    )();
  }

  text(depth: number): string {
    const leaf = (): string => this.#one('"pro"', "'a'", '""', '" x "', 'visitor.claims.plan');
    if (depth <= 0) return leaf();
    const next = depth - 1;
    return this.#one(
      leaf,
      () => `${this.text(next)}.${this.#one('toLowerCase', 'toUpperCase', 'trim')}()`,
      () => `(${this.text(next)} + ${this.plain(next)})`,
      () => `(${this.flag(next)} ? ${this.text(next)} : ${this.text(next)})`,
    )();
  }

  number(depth: number): string {
    const leaf = (): string => this.#one('0', '1', '2.5', 'visitor.claims.seats');
    if (depth <= 0) return leaf();
    const next = depth - 1;
    return this.#one(
      leaf,
      () => `(-${this.number(next)})`,
      () => `(+${this.atom(next)})`,
      () => `(${this.number(next)} ${this.#one('+', '-', '*', '/', '%')} ${this.number(next)})`,
      () => `(${this.atom(next)} - ${this.text(next)})`,
      () => `${this.text(next)}.length`,
      () => `${this.list(next)}.length`,
      () => `${this.text(next)}.indexOf(${this.text(next)})`,
      () => `${this.list(next)}.indexOf(${this.plain(next)})`,
    )();
  }

  list(depth: number): string {
    if (depth <= 0) return this.#one('visitor.claims.tags', '["a", 1]');
    const next = depth - 1;
    const items = Array.from({ length: this.#random(4) }, () => this.plain(next));
    return this.#one('visitor.claims.tags', `[${items.join(', ')}]`);
  }

  /** Neither a list nor an object. */
  plain(depth: number): string {
    return this.#one(
      () => this.atom(depth),
      () => this.text(depth),
      () => this.number(depth),
      () => '[1, "b"][1]',
      () => 'null',
    )();
  }

  /** A flag whose value is not a list by accident: `&&` gives what stands beside it. */
  atom(depth: number): string {
    return `!${this.flag(depth)}`;
  }
}

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
