import { importChangeRequestContent } from '../../api/resources/change-request-content.js';
import {
  createChangeRequest,
  listChangeRequests,
  updateChangeRequest,
} from '../../api/resources/change-requests.js';
import { getContent } from '../../api/resources/content.js';
import { getSpace, restoreSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, option } from '../../cli/declare/standing-flags.js';
import { AppliedItem } from '../../output/printed-shapes.js';
import { parts } from '../../restore/parts.js';
import { changes, reads } from '../plan/operations.js';
import { fullOption } from '../plan/options.js';
import { atOption, backupFolder } from './which-backup.js';

export const restore = manual({
  name: 'restore',
  summary: 'Restore what a backup has and the platform lacks',
  guide: 'restore',
  why:
    'Plans what the operations of the platform allow, says what comes back and what does not, asks, and applies it ' +
    'as a job; removes nothing that came since. Content goes into change requests, which you review and merge.',
  args: { '<folder>': backupFolder },
  options: [
    option('--space <space>...', 'Only this space of the backup, by id or title', { asTyped: true }),
    option('--only <part>...', 'Only these parts', { choices: [...parts], closed: true }),
    atOption,
    option('--import-base <url>', 'Address where the archives of "docs backup pack" are hosted'),
    option('--no-access', 'Do not compare who can access which space, which takes a request per member'),
    fullOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: [
    ...new Set([
      ...reads,
      ...changes,
      ...[getSpace, restoreSpace, getContent, listChangeRequests],
      ...[createChangeRequest, importChangeRequestContent, updateChangeRequest],
    ]),
  ],
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict', 'findings'],
  examples: {
    'backup restore backup --dry-run': 'show what would come back, and what would not',
    'backup restore backup --only teams --only members': 'restore teams and roles only',
    'backup restore backup --space Welcome --import-base https://files.example.com/packs':
      'restore a space, its content as a change request',
  },
  danger: 'confirm',
  async run(session, input, { groups }) {
    await (await import('./restore.js')).restoreBackup(session, input, groups);
  },
});
