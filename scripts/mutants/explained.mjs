/**
 * Mutants of the sample (scripts/mutants.mjs) that no test of `npm test` can notice, by their texts, each with the
 * reason. `nth` is for a file that has the same texts more than once.
 */
export const explained = [
  {
    file: 'src/api/transport/address.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    nth: 2,
    why: 'A variable that is not set gives no password, and a name that is no address gives none either.',
  },
  {
    file: 'src/commands/change-requests/list.ts',
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
    file: 'src/copy/fill.ts',
    original: 'team !== undefined',
    replacement: 'false',
    why: 'settlePeople puts each team as well, and references are checked once all is there.',
  },
  {
    file: 'src/copy/embedded.ts',
    original: '!isObject(before) || !isObject(after)',
    replacement: '!isObject(before) && !isObject(after)',
    why: 'A walk makes an object of an object and nothing else of one, so both are objects or neither.',
  },
  {
    file: 'src/copy/merge.ts',
    original: 'before === undefined',
    replacement: 'false',
    nth: 2,
    why: 'What the platform tells and the copy did not have is left out before (#isOnPage).',
  },
  {
    file: 'src/jobs/outlook.ts',
    original: "change.removal !== undefined && change.own.undo !== 'none'",
    replacement: "change.removal !== undefined || change.own.undo !== 'none'",
    why: 'The path of a deletion is known only where undo has a way back, and no change is looked up without a path.',
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
    file: 'src/organization/value.ts',
    original: 'field === undefined',
    replacement: 'false',
    why: 'Without a field the value is an address or null, which is compared as it is.',
  },
  {
    file: 'src/policy/audit/chain.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'What has neither a code of the system nor a failure of docs was thrown before.',
  },
  {
    file: 'src/policy/audit/append.ts',
    original: "closing === ''",
    replacement: 'false',
    why: 'The search then begins with an empty line, which is none of the chain.',
  },
  {
    file: 'src/restore/access.ts',
    original: '(path) => reader.text(path)',
    replacement: '() => undefined',
    why: 'Permissions and members are read as lists, line by line; nothing asks for a whole text.',
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
    file: 'src/site-tree/text.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    nth: 5,
    why: 'The expression matches any line, be it with nothing.',
  },
  {
    file: 'src/backup/pack.ts',
    original: 'bytes.length > 0',
    replacement: 'bytes.length >= 0',
    why: 'An empty piece adds no byte to the archive.',
  },
  {
    file: 'src/backup/records.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'Neither is JSON.',
  },
];
