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
    file: 'src/organization/files/naming.ts',
    original: 'titleField(kindOf(kind))?.key',
    replacement: 'titleField(kindOf(kind)).key',
    why: 'It is made for the custom fields of spaces alone (list-spaces.ts), and spaces have a title.',
  },
  {
    file: 'src/output/table.ts',
    original: 'wishes[index]?.empty',
    replacement: 'wishes[index].empty',
    why: 'isVictim has found that there is a wish with this index.',
  },
  {
    file: 'src/plans/lock.ts',
    original: 'known.size < mostShared',
    replacement: 'true',
    why: 'It bounds what is remembered while a lock is read; which texts share memory shows in no output.',
  },
  {
    file: 'src/policy/approval/approvals.ts',
    original: "'unknown'",
    replacement: '""',
    nth: 2,
    why: 'A text has neither an email nor an id, and no email is the same as none.',
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
  {
    file: 'src/api/transport/pool.ts',
    original: 'true',
    replacement: 'false',
    nth: 8,
    why: 'After its end a response reports nothing more, and nothing aborts an exchange that is over.',
  },
  {
    file: 'src/backup/content.ts',
    original: "text === ''",
    replacement: 'false',
    why: 'The text of a page begins with its title, so it is never empty.',
  },
  {
    file: 'src/commands/sso/link-run.ts',
    original: 'op === linkMemberSso',
    replacement: 'true',
    why: 'A plan that sso link has made holds nothing else.',
  },
  {
    file: 'src/copy/needs.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    nth: 14,
    why: 'The request of an operation has each id of its path.',
  },
  {
    file: 'src/policy/approval/approvals.ts',
    original: "{ description: 'As the policy has it' }",
    replacement: '{}',
    why: 'It is for readers of the code: no command prints this schema.',
  },
  {
    file: 'src/rehearsal/changes.ts',
    original: 'files.filter(isObject)',
    replacement: 'files',
    why: 'The copy answers a list of files with objects alone.',
  },
  {
    file: 'src/restore/plan-restore.ts',
    original: "live.items.get('spaces')?.find",
    replacement: "live.items.get('spaces').find",
    why: 'Spaces are read wherever a backup has spaces, and what is refused is an empty list.',
  },
];
