/** Promises about files that an earlier version saved: this one reads them, and goes on with them. */
export const guarantees = [
  {
    name: 'journals of earlier versions are read',
    file: 'src/jobs/journal.ts',
    keeps: 'const journalFormats = [1, 2] as const;',
    breaks: 'const journalFormats = [2] as const;',
    tests: ['test/saved/journals'],
    only: 'unfinished',
  },
  {
    name: 'plans of earlier versions are read',
    file: 'src/plans/schema.ts',
    keeps: 'export const planVersion = 1;',
    breaks: 'export const planVersion = 2;',
    tests: ['test/saved/plans'],
    only: 'a plan of bulk',
  },
  {
    name: 'values of the environment are compared with what earlier versions wrote of them',
    file: 'src/jobs/environment.ts',
    keeps: 'salt}\\0$',
    breaks: 'salt}$',
    tests: ['test/saved/plans'],
    only: 'a plan of organization',
  },
  {
    name: 'hashes in locks of earlier versions are those of the same values',
    file: 'src/organization/value.ts',
    keeps: ".digest('base64url')",
    breaks: ".digest('hex')",
    tests: ['test/saved/files'],
  },
  {
    name: 'backups of earlier versions are read',
    file: 'src/backup/manifest.ts',
    keeps: "const format = 'docs-backup/1';",
    breaks: "const format = 'docs-backup/2';",
    tests: ['test/saved/backup'],
  },
  {
    name: 'parts of earlier versions are joined',
    file: 'src/shards/answer-part.ts',
    keeps: "export const answerFormat = 'docs-part/1';",
    breaks: "export const answerFormat = 'docs-part/2';",
    tests: ['test/saved/files'],
  },
];
