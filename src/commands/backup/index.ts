import { resolve } from 'node:path';
import { backupReads, verifyReads } from '../../backup/reads.js';
import {
  BackupResult,
  BackupStatus,
  Difference,
  LoggedRun,
  PackResult,
  PlannedSpace,
  SearchHit,
  ShownChange,
  VerifyFinding,
} from '../../backup/shapes.js';
import {
  concurrencyOption,
  contextOption,
  exitCodeOption,
  failOnChange,
  fullOption,
  type Group,
  manual,
  type Option,
  option,
  paceOption,
  report,
  shardOption,
  Type,
} from '../../cli/run/report.js';
import { restoreParts, searchAreas } from '../../model/resources.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { restoreOperations } from '../../restore/parts.js';
import { atOption, backupFolder, folderOf } from '../shared/backup-flags.js';
import { changes, reads } from '../shared/organization-files.js';

/** Commands on the runs of a backup. */

const log = report({
  name: 'log',
  summary: 'List the runs of a backup',
  why:
    'Lists runs newest first, with the files that each added, changed and removed, and whether it is kept ' +
    '(docs backup run --keep).',
  args: { '<folder>': backupFolder },
  returns: Type.Array(LoggedRun),
  columns: [
    'run',
    'startedAt',
    { path: 'state', lead: true },
    'spaces',
    'added',
    'changed',
    'removed',
    'kept',
    'signedBy',
  ],
  id: 'run',
  empty: 'No runs.',
  examples: {
    'backup log backup': 'list past runs',
    "backup log backup --json --jq '.[] | select(.kept) | .run'": 'list the runs that can be read again',
  },
  local: true,
  load: async () => (await import('./diff.js')).logReport,
});

const show = report({
  name: 'show',
  summary: 'List the changes of a backup run',
  why:
    'Compares a run with the run before it, field by field and offline. Both must be kept (docs backup run ' +
    '--keep); the latest run always is.',
  args: {
    '<folder>': backupFolder,
    '<run>': {
      description: 'Its number, latest, a time (2026-01-31), or an age (2d)',
      listedBy: 'backup log',
      offers: async () => (await import('./diff.js')).keptRuns,
    },
  },
  returns: Type.Array(ShownChange),
  columns: [
    'change',
    'kind',
    { path: 'title', lead: true },
    'space',
    { path: 'path', lead: true },
    'from',
    'detail',
    'id',
  ],
  empty: 'No differences.',
  examples: {
    'backup show backup latest': 'list the changes of the latest run',
    'backup show backup 1': 'list the changes of the first run',
    'backup show backup 2d --json': 'print the changes of a run two days ago as JSON',
  },
  local: true,
  load: async () => (await import('./diff.js')).showReport,
});

const status = report({
  name: 'status',
  summary: 'Show when a backup was last written, and its state',
  why:
    'Reads only the manifests, offline. Exits 17 if the last run is unfinished, partial or older than ' +
    '--older-than, or if a manifest was changed since.',
  args: { '<folder>': backupFolder },
  options: [
    option('--older-than <time>', 'Exit 17 if the last run finished longer ago, such as 26h or 7d', {
      formerly: ['max-age'],
    }),
  ],
  returns: BackupStatus,
  columns: [
    ...(['id', 'title', 'state', 'finishedAt', 'ageSeconds', 'running', 'failed', 'notWhole'] as const),
    ...(['older', 'accessReadAt', 'signedBy', 'folder'] as const),
  ],
  exits: ['findings'],
  examples: {
    'backup status backup': 'show when the last run finished, and which data is incomplete',
    'backup status backup --older-than 26h': 'fail if no run finished in the last 26 hours',
    'backup status backup --json --jq .spaces': 'list spaces that are incomplete or out of date',
  },
  local: true,
  load: async () => (await import('./verify.js')).statusReport,
});

/** Commands on what a backup holds. */

const search = report({
  name: 'search',
  summary: 'Search a backup',
  why:
    'Lists pages, files, comments, change requests, people, spaces and other items that contain all the ' +
    'words, ignoring case and accents. Works offline; quote a phrase as one argument.',
  args: { '<folder>': backupFolder, '<words...>': 'Words that must all occur; a phrase in quotes' },
  options: [
    option('-s, --space <space>...', 'Only in this space of the backup, by id or title', { asTyped: true }),
    option('--in <area>...', 'Only here; titles: only in titles and names', {
      choices: searchAreas,
      closed: true,
    }),
    option('-L, --limit <n>', 'Maximum number of results; default: all', { number: 'count' }),
    atOption,
  ],
  returns: Type.Array(SearchHit),
  columns: ['kind', { path: 'title', keep: true }, { path: 'snippet', keep: true }, 'space', 'path', 'id'],
  empty: 'Nothing found.',
  exits: ['partial'],
  examples: {
    'backup search backup quickstart': 'find a word',
    'backup search backup "single sign-on" --in pages --in comments': 'find a phrase in pages and comments',
    'backup search backup ada --in people --json': 'find people, as JSON',
  },
  load: async () => (await import('./contents.js')).searchReport,
});

const pack = report({
  name: 'pack',
  effect: 'local',
  summary: 'Write a space of a backup as an archive to import',
  why:
    'Writes the pages and files of each space into a ZIP archive; host it and pass its URL to "content ' +
    'import --source zip". Links within the space lead to pages and files in the archive.',
  args: { '<folder>': backupFolder },
  options: [
    option('--out <path>', 'Archive (.zip), or folder for one archive per space', {
      required: true,
      path: { use: 'writes' },
      check: async () => (await import('./contents.js')).checkOut,
    }),
    option('-s, --space <space>...', 'Only this space of the backup, by id or title', { asTyped: true }),
    option('--change-request <number>', 'Pack the content of this change request', { number: 'count' }),
    option('--numbered', 'Number the names: keeps the order of pages, but changes their paths'),
    atOption,
  ],
  returns: Type.Array(PackResult),
  columns: [
    'title',
    { path: 'status', lead: true },
    'pages',
    'files',
    { path: 'bytes', as: 'bytes' },
    'path',
  ],
  empty: 'No spaces.',
  exits: ['partial'],
  examples: {
    'backup pack backup --space Welcome --out welcome.zip': 'pack a space',
    'backup pack backup --out packs': 'pack every space',
    'backup pack backup --space Welcome --change-request 3 --out packs --json':
      'pack a change request, and list omitted items',
  },
  load: async () => (await import('./contents.js')).packReport,
});

const restore = manual({
  name: 'restore',
  summary: 'Restore missing or changed items from a backup',
  guide: 'restore',
  why:
    'Plans the changes that the API supports, lists the items that cannot be restored, asks, and applies the plan as ' +
    'a job; newer items stay. Content goes into change requests, which you review and merge.',
  args: { '<folder>': backupFolder },
  options: [
    option('-s, --space <space>...', 'Only this space of the backup, by id or title', { asTyped: true }),
    option('--only <part>...', 'Only these parts', { choices: [...restoreParts], closed: true }),
    atOption,
    option('--import-base <url>', 'Address where the archives of "docs backup pack" are hosted'),
    option('--no-access', 'Do not compare access to spaces, which takes a request per member'),
    fullOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: [...new Set([...reads, ...changes, ...restoreOperations])],
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict', 'findings'],
  examples: {
    'backup restore backup --dry-run': 'show which items can be restored, and which cannot',
    'backup restore backup --only teams --only members': 'restore teams and roles only',
    'backup restore backup --space Welcome --import-base https://files.example.com/packs':
      'restore a space, its content as a change request',
  },
  danger: 'confirm',
  async run(session, input, { groups }) {
    await (await import('./restore.js')).restoreBackup(session, input, groups);
  },
});

/** Whether a backup can be written into the folder. */
const asTarget: Option['check'] =
  async () =>
  async (typed, { io }) => {
    const { openTarget } = await import('../../backup/manifest.js');
    await openTarget(resolve(io.cwd, typed));
  };

const noAccessOption = option(
  '--no-access',
  'Do not read access to spaces, which takes a request per member',
);

const keepOption = option('--keep <runs>', 'Keep earlier runs, by number (30) or age (90d); none to stop');
const signOption = option('--sign <key>', 'Sign the manifest with this SSH key', { path: { use: 'reads' } });

/** What both that write a backup print, and how they end. */
const written = {
  returns: Type.Union([BackupResult, Type.Array(PlannedSpace)]),
  columns: ['id', 'status', 'spaces', 'unchanged', 'pages', 'files', 'folder'],
  exits: ['partial', 'findings'],
} as const;

const run = manual({
  name: 'run',
  effect: 'local',
  here: { keeps: ['last-runs'], runs: ['ssh-keygen'], contacts: ['files'] },
  summary: 'Back up an organization into a folder',
  why:
    'Writes everything readable as JSON, Markdown and files; a later run into the same folder reads only ' +
    'changes, resumes an interrupted run, and moves removed items to deleted, or with --keep to an earlier run. If something could not be ' +
    'read, lists it and exits 3.',
  options: [
    option('--out <folder>', 'Folder: new, empty, or an earlier backup', {
      required: true,
      path: { use: 'writes' },
      check: asTarget,
    }),
    option('--again', 'Read everything again, even if it seems unchanged', { formerly: ['full'] }),
    keepOption,
    noAccessOption,
    signOption,
    shardOption,
    concurrencyOption,
    paceOption,
    contextOption('organizationId'),
  ],
  operations: backupReads,
  ...written,
  examples: {
    'backup run --out backup': 'back up everything; later, only changes',
    'backup run --out backup --dry-run': 'show which spaces would be read',
    'backup run --out backup --keep 30': 'keep the 30 runs before the latest, too',
    'backup run --out backup --sign ~/.ssh/id_ed25519': 'sign the backup',
    'backup run --out backup --no-access': 'back up without a request for each member',
    'backup run --out backup --again --json': 'read everything again and print the result as JSON',
    'backup run --out parts --shard 1/2': 'back up one half, to join both later',
  },
  async run(session, input, { view }) {
    await (await import('./run.js')).run(session, input, view);
  },
});

const merge = manual({
  name: 'merge',
  effect: 'local',
  here: { keeps: ['last-runs'] },
  summary: 'Join the parts of a backup into one',
  guide: 'at-scale',
  why:
    'Joins the parts that "docs backup run --shard" wrote on several machines into one backup, offline. If ' +
    'a part is missing or damaged, names it, exits 3 and joins nothing.',
  args: { '<folder>': { description: 'Folder of the parts: the --out of the runs', path: { use: 'reads' } } },
  options: [
    option('--out <folder>', 'Folder of the whole: new, empty, or an earlier backup', {
      required: true,
      path: { use: 'writes' },
      check: asTarget,
    }),
    keepOption,
    signOption,
  ],
  ...written,
  examples: {
    'backup merge parts --out whole': 'join all parts; later, only changes',
    'backup merge parts --out whole --dry-run': 'check the parts and show which spaces would change',
  },
  async run(session, input, { view }) {
    await (await import('./run.js')).merge(session, input, view);
  },
});

const verify = report({
  name: 'verify',
  summary: 'Verify a backup and find later changes',
  why:
    'Compares every file with the manifests and, if you are signed in, everything with the platform (pages ' +
    'and files by revision). Exits 17 if anything is missing, changed, extra, unread or outdated.',
  args: { '<folder>': backupFolder },
  options: [
    option('--offline', 'Do not compare with the platform'),
    noAccessOption,
    option('--allowed-signers <file>', 'Require a signature by one of these SSH keys', {
      path: { use: 'reads' },
    }),
    concurrencyOption,
    paceOption,
  ],
  operations: verifyReads,
  returns: Type.Array(VerifyFinding),
  columns: ['state', 'kind', 'title', 'space', 'path', 'detail', 'id'],
  empty: 'Nothing is wrong.',
  exits: ['partial', 'findings'],
  examples: {
    'backup verify backup': 'verify a backup and compare it with the platform',
    'backup verify backup --offline': 'verify the files only',
    'backup verify backup --offline --allowed-signers signers': 'check who signed it, too',
  },
  load: async () => (await import('./verify.js')).verifyReport,
});

const diff = report({
  name: 'diff',
  summary: 'List the changes between two backups',
  why:
    'Compares members, teams, sites, spaces, pages, files, comments and change requests field by field, ' +
    'offline. With --fail-on change, exits 17 if anything differs.',
  args: { '<a>': folderOf('Folder of the earlier backup'), '<b>': folderOf('Folder of the later one') },
  options: [failOnChange, exitCodeOption],
  media: ['html'],
  returns: Type.Array(Difference),
  columns: [
    ...(['change', 'kind'] as const),
    { path: 'title', keep: true },
    ...(['space', 'path', 'from'] as const),
    { path: 'detail', keep: true },
    'id',
  ],
  empty: 'No differences.',
  exits: ['findings'],
  examples: {
    'backup diff monday tuesday': 'list the changes of a day',
    'backup diff monday tuesday --html changes.html': 'also write them as a page, before and after',
    'backup diff monday tuesday --json --jq \'.[] | select(.kind == "page")\'': 'list changed pages only',
  },
  load: async () => (await import('./diff.js')).diffReport,
});

export const backup: Group = {
  name: 'backup',
  noun: 'backup',
  summary: 'Back up an organization, verify and compare backups',
  guide: 'backup',
  why: 'A backup is a folder of JSON, Markdown and files that you can read without the platform.',
  commands: [run, merge, restore, verify, diff, log, show, status, search, pack],
};
