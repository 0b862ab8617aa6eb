import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/standing-flags.js';
import { BackupStatus } from '../../workflows/backup/status.js';
import { LoggedRun, ShownChange } from '../../workflows/backup/versions/shapes.js';
import { backupFolder } from './which-backup.js';

/** Commands on the runs of a backup. */

export const log = manual({
  name: 'log',
  summary: 'List the runs of a backup',
  why:
    'Newest first, with the files that each run added, changed and removed, and whether it is kept ' +
    '(docs backup run --keep).',
  args: { '<folder>': backupFolder },
  returns: Type.Array(LoggedRun),
  columns: ['run', 'startedAt', 'state', 'spaces', 'added', 'changed', 'removed', 'kept', 'signedBy'],
  id: 'run',
  empty: 'No runs.',
  examples: {
    'backup log backup': 'list past runs',
    "backup log backup --json --jq '.[] | select(.kept) | .run'": 'list the runs that can be read again',
  },
  local: true,
  async run(session, input, { view }) {
    await (await import('./log.js')).log(session, input, view);
  },
});

export const show = manual({
  name: 'show',
  summary: 'List what a run of a backup changed',
  why:
    'Compares a run with the run before it, field by field, without the platform. Both must be kept (docs ' +
    'backup run --keep); the latest run always is.',
  args: {
    '<folder>': backupFolder,
    '<run>': {
      description: 'Its number, latest, a time (2026-01-31), or an age (2d)',
      listedBy: 'backup log',
      offers: async () => (await import('./run-offers.js')).keptRuns,
    },
  },
  returns: Type.Array(ShownChange),
  columns: ['change', 'kind', 'title', 'space', 'path', 'from', 'detail', 'id'],
  empty: 'No differences.',
  examples: {
    'backup show backup latest': 'list what the latest run changed',
    'backup show backup 1': 'list what the first run changed',
    'backup show backup 2d --json': 'what the last run two days ago changed, as JSON',
  },
  local: true,
  async run(session, input, { view }) {
    await (await import('./show.js')).show(session, input, view);
  },
});

export const status = manual({
  name: 'status',
  summary: 'Show when a backup was last written, and its state',
  why:
    'Reads the manifests alone, without the platform. Exits 17 if the last run is unfinished, partial or older ' +
    'than --max-age, or a manifest was changed since.',
  args: { '<folder>': backupFolder },
  options: [option('--max-age <time>', 'Exit 17 if the last run finished longer ago, such as 26h or 7d')],
  returns: BackupStatus,
  columns: [
    ...(['id', 'title', 'state', 'finishedAt', 'ageSeconds', 'running', 'failed', 'notWhole'] as const),
    ...(['older', 'accessReadAt', 'signedBy', 'folder'] as const),
  ],
  exits: ['findings'],
  examples: {
    'backup status backup': 'show when the last run finished, and what is not whole',
    'backup status backup --max-age 26h': 'fail if no run finished in the last 26 hours',
    'backup status backup --json --jq .spaces': 'list spaces that are not whole, or hold older facts',
  },
  local: true,
  async run(session, input, { view }) {
    await (await import('./status.js')).status(session, input, view);
  },
});
