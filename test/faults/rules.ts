/** A sentence of RELIABILITY.md in a few words, and the tests that hold it: `file › name`. */
export interface Rule {
  rule: string;
  tests: readonly string[];
}

/** Every section, every sentence in its order; of the table of retries, every row. */
export const rules: Readonly<Record<string, readonly Rule[]>> = {
  'Held by everything': [
    { rule: 'each rule has a test', tests: ['faults/rules.test.ts › every test that is named exists'] },
    {
      rule: 'empty environment, fresh home, no leak, no process left',
      tests: [
        'faults/invariants.ts › expectNoToken',
        'faults/invariants.ts › expectNoProcess',
        'faults/invariants.ts › expectNoStackTrace',
        'faults/invariants.ts › expectNothingElsewhere',
      ],
    },
  ],
  Retries: [
    {
      rule: '4 attempts at most',
      tests: [
        'faults/retries.world.test.ts › at most 4 attempts; --no-retry is 1; --max-attempts is a number',
      ],
    },
    {
      rule: 'full jitter',
      tests: [
        'api/transport/retry-table.test.ts › a wait lies between 0 and min(20 s, 0.5 s × 2ⁿ)',
        'api/transport/retry-table.test.ts › waits are spread over their whole range, so that many clients do not retry at once',
      ],
    },
    {
      rule: 'Retry-After, or the reset, is a floor plus up to 10 %',
      tests: [
        'faults/retries.world.test.ts › is the least wait, in seconds',
        'faults/retries.world.test.ts › X-RateLimit-Reset counts where it is all there is',
        'api/transport/retry-table.test.ts › what the platform asks for is a floor, plus up to 10 %',
      ],
    },
    {
      rule: 'a date counts against the Date of the answer',
      tests: [
        "faults/retries.world.test.ts › as a date is measured against the answer's own Date, whatever our clock says",
      ],
    },
    {
      rule: 'longer than the time left: exit 9, naming the wait',
      tests: ['faults/retries.world.test.ts › beyond the deadline fails at once and names the wait: exit 9'],
    },
    {
      rule: 'waits can be aborted',
      tests: ['faults/signals.world.test.ts › during a wait for the next attempt'],
    },
    {
      rule: 'row: not connected',
      tests: [
        'faults/retries.world.test.ts › a connection that is not made is tried again, a POST too: nothing was sent',
      ],
    },
    {
      rule: 'row: name unknown, refused on loopback',
      tests: [
        'faults/retries.world.test.ts › a host name that nobody knows is tried once more, then exit 11',
        'faults/retries.world.test.ts › refused on loopback: tried once, with the hint to start the sandbox',
      ],
    },
    {
      rule: 'row: TLS, certificate, HTTP parse error, header overflow',
      tests: [
        'api/transport/secure.world.test.ts › with an untrusted certificate exits 11 after one attempt; nothing is sent',
        'api/transport/send.world.test.ts › not HTTP',
        'api/transport/send.world.test.ts › a header of 20 KB',
      ],
    },
    {
      rule: 'row: reset or headers timeout after sending',
      tests: [
        'faults/retries.world.test.ts › reset after reading',
        'faults/retries.world.test.ts › an unknown outcome names the resource and the command that shows it',
        'faults/time.world.test.ts › a write that is never answered',
      ],
    },
    {
      rule: 'row: body cut short or stalled',
      tests: [
        'faults/retries.world.test.ts › of a GET is read again from the start',
        'faults/retries.world.test.ts › of a write is read again by GET; the write is not sent twice',
      ],
    },
    {
      rule: 'row: 429, and 503 with Retry-After',
      tests: [
        'api/transport/send.world.test.ts › 503 with Retry-After',
        'faults/retries.world.test.ts › 429',
      ],
    },
    {
      rule: 'row: 408, 425, 502, 503, 504',
      tests: ['faults/retries.world.test.ts › 504', 'api/transport/send.world.test.ts › the retry table'],
    },
    { rule: 'row: 500', tests: ['faults/retries.world.test.ts › 500'] },
    { rule: 'row: anything else', tests: ['faults/retries.world.test.ts › 409'] },
    {
      rule: 'a 429 pauses all requests',
      tests: [
        'faults/retries.world.test.ts › a 429 pauses all requests of a command, not one',
        'api/transport/pacing.world.test.ts › a 429 pauses the requests that have not been sent',
      ],
    },
    {
      rule: 'a quota ends the retries of a large job',
      tests: [
        'faults/retries.world.test.ts › a large job stops hammering a server that is dead: the quota ends the retries',
        'api/transport/retry.test.ts › stops the retries of a job whose server is gone: 500 tokens, 5 per retry',
        'api/transport/retry.test.ts › charges 10 after a timeout',
        'api/transport/retry.test.ts › is refunded by a success',
      ],
    },
    {
      rule: 'a repeated DELETE that finds 404',
      tests: [
        'faults/retries.world.test.ts › a repeated DELETE that finds 404 after a lost answer has done it',
      ],
    },
    {
      rule: '--no-retry, --max-attempts',
      tests: [
        'faults/retries.world.test.ts › at most 4 attempts; --no-retry is 1; --max-attempts is a number',
      ],
    },
    {
      rule: 'a wait over a second is one line on a terminal',
      tests: [
        'faults/terminal.program.test.ts › a wait of over a second is one line on a terminal, and lasts as long as it says',
      ],
    },
  ],
  'Time, memory, signals': [
    {
      rule: 'connect, headers and body have limits of their own; the command has --timeout',
      tests: [
        'faults/time.world.test.ts › a write that is never answered',
        'faults/time.world.test.ts › a body that stops coming',
        'faults/time.world.test.ts › of a list holds for each request, not for all of them',
        'api/transport/secure.world.test.ts › that never completes counts as not connected and is retried',
        'api/transport/stopping.world.test.ts › without one, each request has 60 s of its own',
      ],
    },
    {
      rule: 'one deadline covers the waits',
      tests: ['faults/time.world.test.ts › covers the waits too: a wait that outlasts it is not begun'],
    },
    {
      rule: 'pages stream, 3 ahead at most, write() is respected',
      tests: [
        'faults/pipes.program.test.ts › is never run ahead of by more than 3 pages; memory does not grow with the list',
        'api/client.test.ts › never fetches more than one page ahead of its reader',
      ],
    },
    {
      rule: 'memory does not grow with the list',
      tests: [
        'faults/pipes.program.test.ts › is never run ahead of by more than 3 pages; memory does not grow with the list',
      ],
    },
    {
      rule: 'too large, too deep, header too large, no JSON: exit 15, not echoed',
      tests: ['faults/answers.world.test.ts › an answer that cannot be used is exit 15 and is not repeated'],
    },
    {
      rule: 'nothing incomplete looks complete',
      tests: [
        'faults/answers.world.test.ts › a list that breaks never looks complete',
        'faults/pipes.program.test.ts › gets all that was printed before the command failed',
      ],
    },
    {
      rule: 'a cursor that repeats: exit 15',
      tests: [
        'faults/answers.world.test.ts › by a cursor that repeats',
        'api/client.test.ts › exits 15 if a cursor repeats, and never loops',
      ],
    },
    {
      rule: 'SIGINT: nothing new, writes get 5 s, journal, how to resume, dies by the signal',
      tests: [
        'faults/signals.program.test.ts › during a read: says so, and dies by the signal',
        'faults/signals.program.test.ts › during a write: it may finish, its outcome is told, and then it dies by the signal',
        'faults/signals.world.test.ts › a write that never answers has 5 s after a signal, and then its outcome is unknown',
        'faults/signals.world.test.ts › SIGINT in a job of many: nothing new, what is in flight is finished, and resume does the rest',
        'faults/terminal.program.test.ts › in a prompt: dies by the signal, nothing sent',
        'faults/terminal.program.test.ts › stops the loop of a shell',
        'faults/terminal.program.test.ts › stops the loop of a shell out of a prompt as well',
      ],
    },
    {
      rule: 'a second SIGINT: dead at once',
      tests: ['faults/signals.program.test.ts › a second SIGINT is death at once, whatever is in flight'],
    },
    {
      rule: 'SIGTERM the same',
      tests: ["faults/signals.program.test.ts › describe.each(['SIGINT', 'SIGTERM'] as const)"],
    },
    {
      rule: 'reader gone: a read ends with 0, a bulk write with 3',
      tests: [
        'faults/pipes.program.test.ts › ends a list of 500,000 quietly: exit 0, at most 3 further requests',
        'faults/pipes.program.test.ts › is head -1 in a shell, too: -o %s',
        'faults/pipes.world.test.ts › a reader that is gone ends a list of 500,000 quietly',
        'faults/pipes.program.test.ts › in a bulk write: what is in flight is finished, the rest is left, exit 3',
      ],
    },
    {
      rule: 'full disk: exit 13, one line',
      tests: [
        'faults/pipes.program.test.ts › under a list is exit 13, one sentence',
        'faults/pipes.world.test.ts › a full disk under a list is exit 13, one sentence',
        'faults/pipes.program.test.ts › under one resource, or under help, is 13 too',
      ],
    },
    {
      rule: 'files beside their target, synced, renamed; the old one stays',
      tests: [
        'files/atomic-write.test.ts › keeps the old file where the content fails midway',
        'files/atomic-write.test.ts › makes or replaces it, readable by its owner only, and leaves nothing else',
        'faults/settings.program.test.ts › on a full disk: exit 13, the old file is whole, and nothing is left beside it',
        'faults/answers.world.test.ts › that is cut short on its way leaves no file',
      ],
    },
    {
      rule: 'six processes that write settings lose nothing',
      tests: [
        'faults/settings.program.test.ts › six programs that write at once lose nothing',
        'settings/lock.program.test.ts › six processes that write at once lose nothing',
      ],
    },
    {
      rule: 'a corrupt settings file stays; exit 14, path and mend',
      tests: [
        'faults/settings.world.test.ts › %j: exit 14 with its path; it is neither changed nor removed',
        'settings/settings-file.program.test.ts › the hint works as printed, whatever the path',
      ],
    },
  ],
  'Secrets and origins': [
    {
      rule: 'where the token comes from',
      tests: [
        'settings/credentials.test.ts › writes a file (0600) in a folder (0700) and says why',
        'settings/keychain.program.test.ts › stores, returns and deletes tokens under the service docs',
        'faults/origins.world.test.ts › a stored token goes to no other origin, and lies in a 0600 file alone',
      ],
    },
    { rule: 'no --token flag', tests: ['faults/origins.world.test.ts › there is no --token flag'] },
    {
      rule: 'an open file is tightened with one warning; a foreign one is exit 14',
      tests: [
        'faults/origins.world.test.ts › a credentials folder that others can read is tightened, with one warning',
        'faults/settings.world.test.ts › one that others can read is tightened, with one warning, once',
        'faults/settings.world.test.ts › %s: exit 14, nothing sent',
      ],
    },
    {
      rule: 'a token belongs to one origin, checked last',
      tests: [
        'api/transport/origin.test.ts › goes to its own origin',
        'faults/origins.world.test.ts › a stored token goes to no other origin, and lies in a 0600 file alone',
        'faults/origins.world.test.ts › the base URL',
      ],
    },
    {
      rule: "DOCS_TOKEN goes to DOCS_BASE_URL or the profile's base URL",
      tests: [
        'faults/origins.world.test.ts › DOCS_TOKEN does not go to the origin of --base-url: exit 14, nothing sent',
        "settings/token-origin.test.ts › overrides the stored token and belongs to the profile's base URL",
      ],
    },
    {
      rule: 'no redirect is followed',
      tests: ['faults/origins.world.test.ts › a redirect is refused, and the other origin never called'],
    },
    {
      rule: 'next.page is a query value',
      tests: [
        'faults/origins.world.test.ts › a cursor is only ever a query value',
        'api/client.test.ts › sends any cursor as one query value of the same path',
      ],
    },
    {
      rule: 'every path segment is encoded; "", "." and ".." are refused',
      tests: [
        'faults/origins.world.test.ts › an id is one segment',
        'api/transport/path.test.ts › stays one segment, whatever it contains',
      ],
    },
    {
      rule: 'https but for loopback',
      tests: [
        'faults/origins.world.test.ts › %s is refused with 14, and nothing is sent',
        'faults/origins.world.test.ts › %s is this machine',
      ],
    },
    {
      rule: '0.0.0.0 and [::] are refused',
      tests: [
        'faults/origins.world.test.ts › http://0.0.0.0:PORT',
        'faults/origins.world.test.ts › http://[::]:PORT',
      ],
    },
    {
      rule: 'what a project file may set',
      tests: [
        'faults/origins.world.test.ts › more than org, space, site, output, fields, page size and profile, which it may',
        'settings/project-file.test.ts › org, space, site, output, fields, page size, profile',
      ],
    },
    {
      rule: 'what it may not: exit 14',
      tests: ['faults/origins.world.test.ts › %j: exit 14, nothing sent'],
    },
    { rule: 'no .env is read', tests: ['faults/origins.world.test.ts › no .env is read'] },
    {
      rule: 'debug output passes one sink that removes secrets',
      tests: [
        'faults/origins.world.test.ts › with bodies hides the token in every form, the header, and what looks secret',
        'api/transport/redaction.test.ts › in plain, JSON, percent or hexadecimal form does not survive',
        'api/transport/redaction.test.ts › in base64 at any offset does not survive',
        'api/transport/redaction.test.ts › credentials in a URL and values of secret keys do not survive',
      ],
    },
    {
      rule: 'a newline in a token: exit 4; one at its end is trimmed',
      tests: [
        'faults/origins.world.test.ts › a token with a newline inside is exit 4 and nothing is sent; one at its end is trimmed',
      ],
    },
  ],
  'What the platform sends is not trusted': [
    {
      rule: 'strings to a terminal or an error message are made visible',
      tests: [
        'faults/answers.world.test.ts › on a terminal is made visible in %s',
        'faults/answers.world.test.ts › in an error message is made visible in a pipe, too',
        'output/safe-text.test.ts › lets no forbidden character through, whatever comes',
      ],
    },
    {
      rule: 'JSON keeps the value and escapes DEL, C1 and bidi',
      tests: ['faults/answers.world.test.ts › keeps its value in JSON, with DEL, C1 and bidi as escapes'],
    },
    {
      rule: 'linear time',
      tests: [
        'faults/answers.world.test.ts › of 1 MB of escapes takes no longer than text',
        'output/safe-text.test.ts › takes a megabyte of escapes',
      ],
    },
    {
      rule: 'CSV disarms formulas; --csv-raw does not',
      tests: [
        'faults/answers.world.test.ts › disarms what a spreadsheet would run',
        'faults/answers.world.test.ts › --csv-raw does not',
      ],
    },
    {
      rule: 'file names',
      tests: [
        'faults/answers.world.test.ts › %j is saved as %j, inside the folder',
        'files/file-name.test.ts › are always safe and always inside the folder',
        'files/file-name.test.ts › are told apart by case and form of their characters',
        'files/atomic-write.test.ts › never overwrites, never follows a link',
      ],
    },
    {
      rule: '__proto__ is only a key',
      tests: [
        'faults/answers.world.test.ts › __proto__ and its kin are only keys; large integers keep their digits',
      ],
    },
    {
      rule: 'large integers keep their digits',
      tests: [
        'faults/answers.world.test.ts › __proto__ and its kin are only keys; large integers keep their digits',
        'api/transport/json-text.test.ts › finds a long integer at any place',
      ],
    },
    {
      rule: 'docs open starts https of the platform only, without a shell',
      tests: [
        'faults/origins.world.test.ts › docs open starts nothing but https of the platform or its published hosts',
      ],
    },
    {
      rule: 'completion never executes a title',
      tests: [
        'e2e/completion.program.test.ts › lists ids with their titles and runs none of them',
        'completion/ids.test.ts › are text in a title and never an id',
      ],
    },
  ],
  'Proxies and certificates': [
    {
      rule: 'the variables, loopback, malformed, 407',
      tests: [
        'faults/proxies.world.test.ts › of %s opens a tunnel',
        'faults/proxies.world.test.ts › is left out by %s',
        'api/transport/secure.world.test.ts › never goes through a proxy',
        'faults/proxies.world.test.ts › %s is malformed: exit 14, credentials masked, nothing sent',
        'faults/proxies.world.test.ts › that answers 407 is "proxy authentication", once, credentials masked',
      ],
    },
    {
      rule: '--ca-file and NODE_EXTRA_CA_CERTS',
      tests: [
        'faults/proxies.world.test.ts › is accepted with --ca-file',
        'faults/proxies.program.test.ts › NODE_EXTRA_CA_CERTS is read, with --ca-file or without',
        'faults/proxies.program.test.ts › NODE_TLS_REJECT_UNAUTHORIZED waives nothing',
      ],
    },
    {
      rule: 'docs doctor',
      tests: [
        'faults/settings.world.test.ts › shows Node, settings, proxy, certificates, profile, token source, connection and clock',
        'e2e/doctor.world.test.ts › against the sandbox all is well: exit 0',
        'e2e/doctor.world.test.ts › a proxy with credentials is shown without them',
      ],
    },
  ],
  'Many items': [
    {
      rule: 'one result an item, in input order; a summary; exit 3, or 4 or 9',
      tests: [
        'e2e/bulk.world.test.ts › from CSV: positionals and flags by their names, in input order',
        'e2e/stories.world.test.ts › one of three ids is wrong: the others are done, the exit code is 3',
        'faults/many.world.test.ts › a result a line and item in input order, the summary on stderr, exit 3',
        'faults/many.world.test.ts › where all fail for one reason of the caller, that is the exit code',
      ],
    },
    {
      rule: '--concurrency, --fail-fast',
      tests: [
        'faults/many.world.test.ts › --concurrency is how many are under way at once',
        'e2e/jobs-bad-days.world.test.ts › --fail-fast skips what has not started after the first failure',
      ],
    },
    {
      rule: 'zero items need --allow-empty',
      tests: ['faults/many.world.test.ts › no items at all is exit 2, unless --allow-empty'],
    },
    {
      rule: 'the journal: appended, 0600, synced, started before sending',
      tests: [
        'jobs/journal.test.ts › is one file per job, readable by its owner only, with a header and the plan',
        'jobs/journal.test.ts › resolves when the line is on the disk; lines appended during a sync share the next one',
        'e2e/jobs-interrupted.program.test.ts › kill -9 at item 50 of 100, with a torn last line',
      ],
    },
    {
      rule: 'a torn last line is ignored',
      tests: ['jobs/journal.test.ts › that ends in a torn line is read up to that line and continued there'],
    },
    {
      rule: 'started without an outcome is looked up, not sent blindly',
      tests: [
        'e2e/jobs-interrupted.program.test.ts › a second SIGINT kills at once; resume looks up what was running',
      ],
    },
    {
      rule: 'a header that does not fit refuses',
      tests: [
        'e2e/jobs-journal.world.test.ts › after the file was edited',
        'e2e/jobs-journal.world.test.ts › in another organization, with the right one in the hint',
        'e2e/jobs-journal.world.test.ts › at another address',
        'e2e/jobs-journal.world.test.ts › by another version',
      ],
    },
    {
      rule: 'no token in it',
      tests: [
        'e2e/jobs-journal.world.test.ts › holds no token and is readable by its owner only',
        'faults/invariants.ts › expectNoToken',
      ],
    },
  ],
  'The sandbox': [
    {
      rule: 'loopback, Host and Origin, random tokens, 10 MB',
      tests: [
        'faults/sandbox.program.test.ts › binds loopback, checks Host and Origin, and wants its own token',
        'sandbox/server/server.world.test.ts › is random: 128 bits for each database',
        'sandbox/server/server.world.test.ts › may have 10 MB and no more',
      ],
    },
    {
      rule: 'nothing is fetched unless allowed, and then public addresses only',
      tests: [
        'sandbox/sources/openapi-source.test.ts › fails with FETCH_ERROR without a folder and the network',
        'sandbox/sources/content-source.test.ts › fetches URLs that the folder lacks, if allowed',
        'sandbox/sources/fetch-public.world.test.ts › behind a public name is refused by the result of the lookup',
        'sandbox/sources/fetch-public.world.test.ts › follows no redirect: %d',
        'sandbox/sources/fetch-public.world.test.ts › accepts bytes up to the limit',
      ],
    },
    {
      rule: 'kill -9 loses no acknowledged write',
      tests: [
        'faults/sandbox.program.test.ts › kill -9 in the middle of 400 writes: what was acknowledged is there',
        'faults/sandbox.program.test.ts › two programs at once on one database: both get all of their writes',
        'e2e/sandbox.program.test.ts › kill -9 at any moment loses no acknowledged write',
      ],
    },
  ],
};

/** The rules as a table of Markdown, for README.md. */
export function tableOf(all: typeof rules): string {
  const sections = Object.entries(all).map(([section, entries]) => {
    const rows = entries.flatMap(({ rule, tests }) =>
      tests.map((test, index) => {
        const [file, name] = test.split(' › ');
        return `| ${index === 0 ? rule.replaceAll('|', '\\|') : ''} | ${file} | ${name?.replaceAll('|', '\\|')} |`;
      }),
    );
    return [`### ${section}`, '', '| rule | file | test |', '|---|---|---|', ...rows].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}
