/** Promises about files on this machine (guide/security.md). */
export const guarantees = [
  {
    name: 'parents are made before what is in them',
    file: 'src/base/own-files.ts',
    keeps: 'for (const each of missing.reverse()) {',
    breaks: 'for (const each of missing) {',
    tests: ['test/base/write-file'],
  },
];
