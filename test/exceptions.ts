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
  { file: 'e2e/code-cache.test.ts', reason: 'The code is compiled at build time; nothing of it is cached.' },
  { file: 'e2e/startup.test.ts', reason: 'It reads which files of the build Node loads; all are inside.' },
  { file: 'e2e/notice.test.ts', reason: 'It is made from the files of the build for Node.' },
  { file: 'e2e/install.test.ts', reason: 'It installs the package of npm.' },
  {
    file: 'e2e/help-guide.test.ts',
    name: 'an installation without the guide says so; other help works',
    reason: 'The guide is inside and cannot be missing.',
  },
];
