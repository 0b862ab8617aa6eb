/** What a test tries of a table: in `npm test` the first of each kind, in the long test all of it. */
export type SomeOf = <T>(cases: readonly T[], kindOf: (one: T) => string) => readonly T[];

export const all: SomeOf = (cases) => cases;

export const firstOfEach: SomeOf = (cases, kindOf) => {
  const kinds = cases.map(kindOf);
  return cases.filter((_, at) => kinds.indexOf(kinds[at] ?? '') === at);
};
