/**
 * Mutants of the sample (scripts/mutants.mjs) that no test of `npm test` can notice, by their texts, each with the
 * reason. `nth` is for a file that has the same texts more than once.
 */
export const explained = [
  {
    file: 'src/commands/links/fix-apply.ts',
    original: "op === importChangeRequestContent && typeof url === 'string'",
    replacement: "op === importChangeRequestContent || typeof url === 'string'",
    why: 'Of the requests of a correction the imports alone have an address, and each has one.',
  },
  {
    file: 'src/jobs/outlook.ts',
    original: 'rule.wanted?.(input, before)',
    replacement: 'rule.wanted(input, before)',
    why: 'Of the rules with a way back only creations lack it, and those have returned before.',
  },
  {
    file: 'src/launch/loader.ts',
    original: 'this.#kept?.scripts',
    replacement: 'this.#kept.scripts',
    why: 'The loader lacks a reader only if the first file came from the code cache (launch.ts), so #kept is set.',
  },
  {
    file: 'src/organization/files/items.ts',
    original: 'kind === undefined',
    replacement: 'false',
    nth: 2,
    why: 'Without a kind there is no key either.',
  },
  {
    file: 'src/policy/audit/chain.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'What has neither a code of the system nor a failure of docs was thrown before.',
  },
  {
    file: 'src/sandbox/content/import/website.ts',
    original: 'file !== undefined',
    replacement: 'true',
    why: 'Only names are added to the set, so it never has undefined.',
  },
  {
    file: 'src/sandbox/server/server.ts',
    original: 'exchange.visit?.fault',
    replacement: 'exchange.visit.fault',
    nth: 2,
    why: 'A download is answered only once the request has entered, which makes its visit.',
  },
];
