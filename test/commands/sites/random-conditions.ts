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

export type RandomClaims = Record<string, unknown>;

/** Claims of the types that the conditions expect. */
export function randomClaims(seed: number): RandomClaims {
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

export function randomCondition(seed: number): string {
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
