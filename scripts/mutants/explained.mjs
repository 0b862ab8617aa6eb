/**
 * Mutants of the sample (scripts/mutants.mjs) that no test of `npm test` can notice, by their texts, each with the
 * reason. `nth` is for a file that has the same texts more than once.
 */
export const explained = [
  {
    file: 'src/api/transport/proxy.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    nth: 2,
    why: 'A variable that is not set gives no password, and a name that is no address gives none either.',
  },
  {
    file: 'src/commands/links/fix-apply.ts',
    original: "op === importChangeRequestContent && typeof url === 'string'",
    replacement: "op === importChangeRequestContent || typeof url === 'string'",
    why: 'Of the requests of a correction the imports alone have an address, and each has one.',
  },
  {
    file: 'src/copy/lazy/list-change.ts',
    original: 'before === undefined',
    replacement: 'false',
    nth: 2,
    why: 'What the platform tells and the copy did not have is left out before (#isOnPage).',
  },
  {
    file: 'src/launch/loader.ts',
    original: 'this.#kept?.scripts',
    replacement: 'this.#kept.scripts',
    why: 'The loader lacks a reader only if the first file came from the code cache (launch.ts), so #kept is set.',
  },
  {
    file: 'src/plans/make.ts',
    original: 'drafts[a]?.request',
    replacement: 'drafts[a].request',
    why: 'The numbers that are sorted are those of the list, so none is missing.',
  },
  {
    file: 'src/policy/audit/chain.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'What has neither a code of the system nor a failure of docs was thrown before.',
  },
  {
    file: 'src/site-tree/parse.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    nth: 5,
    why: 'The expression matches any line, be it with nothing.',
  },
  {
    file: 'src/workflows/backup/versions/records.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'Neither is JSON.',
  },
];
