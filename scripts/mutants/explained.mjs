/**
 * Mutants of the sample (scripts/mutants.mjs) that no test of `npm test` can notice, by their texts, each with the
 * reason. `nth` is for a file that has the same texts more than once.
 */
export const explained = [
  {
    file: 'src/api/check.ts',
    original: 'false',
    replacement: 'true',
    nth: 3,
    why: 'The schema of schemas is added and never used, since none is validated: it takes time alone.',
  },
  {
    file: 'src/api/transport/proxy.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    nth: 2,
    why: 'A variable that is not set gives no password, and a name that is no address gives none either.',
  },
  {
    file: 'src/binary.ts',
    original: `argv.length !== 3 || argv[2] !== '--version' || !isPrinted(\`\${version}\\n\`)`,
    replacement: 'false',
    why: 'The start of the program without Node, which would do nothing: npm run test:binary.',
  },
  {
    file: 'src/commands/change-requests/inbox-run.ts',
    original: "'--limit'",
    replacement: '""',
    why: 'The parser has refused what is not a number of this kind, so the flag is named in no message.',
  },
  {
    file: 'src/commands/links/fix-apply.ts',
    original: "op === importChangeRequestContent && typeof url === 'string'",
    replacement: "op === importChangeRequestContent || typeof url === 'string'",
    why: 'Of the requests of a correction the imports alone have an address, and each has one.',
  },
  {
    file: 'src/copy/backup/people.ts',
    original: 'team !== undefined',
    replacement: 'false',
    why: 'settlePeople puts each team as well, and references are checked once all is there.',
  },
  {
    file: 'src/copy/lazy/embedded.ts',
    original: '!isObject(before) || !isObject(after)',
    replacement: '!isObject(before) && !isObject(after)',
    why: 'A walk makes an object of an object and nothing else of one, so both are objects or neither.',
  },
  {
    file: 'src/copy/lazy/list-change.ts',
    original: 'before === undefined',
    replacement: 'false',
    nth: 2,
    why: 'What the platform tells and the copy did not have is left out before (#isOnPage).',
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
    file: 'src/rehearsal/janitor.ts',
    original: 'pid > 1',
    replacement: 'pid >= 1',
    why: 'No command of a rehearsal is the first process, and a test that says so would end it.',
  },
  {
    file: 'src/reports/client/table/cells.ts',
    original: "'lines'",
    replacement: '""',
    why: 'How it looks alone: a name for the style sheet.',
  },
  {
    file: 'src/sandbox/content/import/website.ts',
    original: 'file !== undefined',
    replacement: 'true',
    why: 'Only names are added to the set, so it never has undefined.',
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
