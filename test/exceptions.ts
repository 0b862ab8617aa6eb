/**
 * What the program without Node may do otherwise than the one on Node, each with its reason: the tests of it are left
 * out with `DOCS_BIN`. All others hold byte for byte.
 */
export interface Exception {
  /** A test file, from the folder `test`. */
  file: string;
  /** The test or the group of it; the whole file without. */
  name?: string;
  reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    file: 'e2e/code-cache.program.test.ts',
    reason: 'The code is compiled at build time; nothing of it is cached.',
  },
  {
    file: 'e2e/startup.program.test.ts',
    reason: 'It reads which files of the build Node loads; all are inside.',
  },
  { file: 'e2e/notice.program.test.ts', reason: 'It is made from the files of the build for Node.' },
  { file: 'e2e/install.program.test.ts', reason: 'It installs the package of npm.' },
  {
    file: 'e2e/sandbox-without-libsql.program.test.ts',
    reason: 'It takes a package out of the build for Node; SQLite is inside.',
  },
  {
    file: 'e2e/help-guide.program.test.ts',
    name: 'an installation without the guide says so; other help works',
    reason: 'The guide is inside and cannot be missing.',
  },
  {
    file: 'e2e/bad-input.program.test.ts',
    name: 'a current folder that was removed is told as such, exit 13; what needs none works there',
    reason: 'Bun itself ends in such a folder before the program starts: exit 1, with a sentence of its own.',
  },
  {
    file: 'e2e/children.program.test.ts',
    name: 'the refresh of completion, which signs in all the same',
    reason: 'It looks into the process by NODE_OPTIONS, which Bun does not read.',
  },
  {
    file: 'e2e/connections.program.test.ts',
    reason: 'It watches connections by NODE_OPTIONS, which Bun does not read.',
  },
  {
    file: 'e2e/connections.world.test.ts',
    reason: 'It watches the connections of the process of the test.',
  },
  {
    file: 'e2e/crashed.program.test.ts',
    reason: 'It makes the process fail by NODE_OPTIONS, which Bun does not read.',
  },
  {
    file: 'policy/place.program.test.ts',
    name: 'whoever loads code into docs has its token, and needs no policy to allow what it sends',
    reason: 'It loads code by NODE_OPTIONS, which Bun does not read.',
  },
  ...['a named pipe', 'a directory'].map((what) => ({
    file: 'e2e/unsafe-paths.program.test.ts',
    name: `${what} in place of the code cache is refused`,
    reason: 'The code is compiled at build time; nothing of it is cached.',
  })),
  {
    file: 'e2e/guide/copies.docs.test.ts',
    name: 'prints what stands below docs backup pack backup --space Welcome --out files.example/packs',
    reason: 'It prints the size of a ZIP archive, which another zlib compresses otherwise.',
  },
  {
    file: 'e2e/doctor.program.test.ts',
    name: 'it tells the version, how docs was installed, and whom docs asks',
    reason: 'It was installed in no way that npm knows.',
  },
  {
    file: 'faults/signals.world.test.ts',
    reason: 'It moves the clock, the outputs or the signal of a run within its own process.',
  },
  {
    file: 'faults/pipes.world.test.ts',
    reason: 'It moves the clock, the outputs or the signal of a run within its own process.',
  },
  {
    file: 'faults/time.world.test.ts',
    reason: 'It moves the clock, the outputs or the signal of a run within its own process.',
  },
  {
    file: 'faults/retries.world.test.ts',
    name: 'a 429 pauses all requests of a command, not one',
    reason: 'It moves the clock, the outputs or the signal of a run within its own process.',
  },
  {
    file: 'faults/answers.world.test.ts',
    name: 'unsafe text',
    reason: 'It moves the clock, the outputs or the signal of a run within its own process.',
  },
  {
    file: 'e2e/pager.world.test.ts',
    reason: 'It starts no pager within its own process, but tells which one.',
  },
  {
    file: 'e2e/sessions/sessions.world.test.ts',
    name: "'first-day', on a terminal of 80 columns",
    reason:
      'What a question finds within 2 s of hundreds of requests to another process depends on the machine.',
  },
  ...['lines', 'joined'].map((way) => ({
    file: 'faults/long-pages.world.test.ts',
    name: `is printed as its bytes where these are what docs prints: by ${way}`,
    reason: 'It counts the pages within its own process.',
  })),
  ...['one', 'two', 'three'].map((part) => ({
    file: `e2e/guide/former-${part}.docs.test.ts`,
    name: 'ends each command with the exit code of then',
    reason: 'The shell itself calls another program, and keeps no exit code of a command inside a pipe.',
  })),
];
