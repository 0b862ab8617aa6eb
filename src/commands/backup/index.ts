import { resolve } from 'node:path';
import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import * as requests from '../../api/resources/change-request-content.js';
import { getChangeRequest, listChangeRequests } from '../../api/resources/change-requests.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { listCommentReplies } from '../../api/resources/comment-replies.js';
import { listComments } from '../../api/resources/comments.js';
import { getContent, getFile, getPage } from '../../api/resources/content.js';
import { listCustomFields } from '../../api/resources/custom-fields.js';
import { listMemberSpaces, listMembers } from '../../api/resources/members.js';
import { listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getLatestOpenApiContent, listOpenApiVersions } from '../../api/resources/openapi-versions.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { listSpaceFields } from '../../api/resources/space-fields.js';
import { getSpace } from '../../api/resources/spaces.js';
import { listSsoLogins } from '../../api/resources/sso.js';
import { listTeamMembers } from '../../api/resources/team-members.js';
import { listTeams } from '../../api/resources/teams.js';
import { listTranslations } from '../../api/resources/translations.js';
import { Type } from '../../api/type.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import {
  concurrencyOption,
  contextOption,
  htmlOption,
  option,
  paceOption,
  shardOption,
} from '../../cli/declare/standing-flags.js';
import type { Option } from '../../cli/declare/takers.js';
import { BackupResult, Difference, PlannedSpace, VerifyFinding } from '../../workflows/backup/report.js';
import { pack, search } from './contents.js';
import { log, show, status } from './past-runs.js';
import { restore } from './restore-command.js';
import { backupFolder, folderOf } from './which-backup.js';

const ofSpaces = [listCollections, listCollectionSpaces, listSites, listSiteSpaces, listMemberSpaces];

/** Whether a backup can be written into the folder. */
const asTarget: Option['check'] =
  async () =>
  async (typed, { io }) => {
    const { openTarget } = await import('../../workflows/backup/folder/open-folder.js');
    await openTarget(resolve(io.cwd, typed));
  };

/** What a run and a verification read. */
const compared = [
  getOrg,
  listMembers,
  ...ofSpaces,
  listCustomFields,
  listTranslations,
  listSamlProviders,
  listSsoLogins,
  listTeams,
  listTeamMembers,
  listOpenApiSpecs,
  listOpenApiVersions,
  getLatestOpenApiContent,
  listSections,
  listSectionGroups,
  getAdaptiveSchema,
  getSpace,
  listSpaceFields,
  getContent,
  getPage,
  listComments,
  listCommentReplies,
  listChangeRequests,
  requests.getChangeRequestContent,
  requests.getChangeRequestPage,
  listChangeRequestComments,
  listChangeRequestCommentReplies,
];

const noAccessOption = option(
  '--no-access',
  'Do not read who can access which space, which takes a request per member',
);

const keepOption = option('--keep <runs>', 'Keep earlier runs: 30 runs, or those of 90d; none to stop');
const signOption = option('--sign <key>', 'Sign the manifest with this SSH key', { path: { use: 'reads' } });

const run = manual({
  name: 'run',
  effect: 'local',
  summary: 'Back up an organization into a folder',
  why:
    'Writes everything readable as JSON, Markdown and files; a later run into the same folder reads only ' +
    'what changed, resumes an interrupted run, and moves what is gone to deleted. Lists what could not be ' +
    'read and exits 3.',
  options: [
    option('--out <folder>', 'Folder: new, empty, or an earlier backup', {
      required: true,
      path: { use: 'writes' },
      check: asTarget,
    }),
    option('--full', 'Read everything again, even if it seems unchanged'),
    keepOption,
    noAccessOption,
    signOption,
    shardOption,
    concurrencyOption,
    paceOption,
    contextOption('organizationId'),
  ],
  operations: [...compared, getFile, getChangeRequest, requests.getChangeRequestFile],
  returns: Type.Union([BackupResult, Type.Array(PlannedSpace)]),
  columns: ['id', 'status', 'spaces', 'unchanged', 'pages', 'files', 'folder'],
  exits: ['partial', 'findings'],
  examples: {
    'backup run --out backup': 'back up everything; later, only what changed',
    'backup run --out backup --dry-run': 'show which spaces would be read',
    'backup run --out backup --keep 30': 'keep the 30 runs before the latest, too',
    'backup run --out backup --sign ~/.ssh/id_ed25519': 'sign the backup',
    'backup run --out backup --no-access': 'back up without a request for each member',
    'backup run --out backup --full --json': 'read everything again and print the result as JSON',
    'backup run --out parts --shard 1/2': 'back up one half, to join both later',
  },
  async run(session, input, { view }) {
    await (await import('./run.js')).run(session, input, view);
  },
});

const merge = manual({
  name: 'merge',
  effect: 'local',
  summary: 'Join the parts of a backup into one',
  guide: 'at-scale',
  why:
    'Joins what "docs backup run --shard" wrote on several machines, without the platform, as one run would have ' +
    'written it. A missing or damaged part is named and exits 3; nothing is joined then.',
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
  returns: Type.Union([BackupResult, Type.Array(PlannedSpace)]),
  columns: ['id', 'status', 'spaces', 'unchanged', 'pages', 'files', 'folder'],
  exits: ['partial', 'findings'],
  examples: {
    'backup merge parts --out whole': 'join all parts; later, only what changed',
    'backup merge parts --out whole --dry-run': 'check the parts and show which spaces would change',
  },
  async run(session, input, { view }) {
    await (await import('./merge.js')).merge(session, input, view);
  },
});

const verify = manual({
  name: 'verify',
  summary: 'Verify a backup and find what changed since',
  why:
    'Compares every file with the manifests and, if you are signed in, everything with the platform, pages ' +
    'and files by revision. Exits 17 if anything is missing, changed, extra, unread or outdated.',
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
  operations: compared,
  returns: Type.Array(VerifyFinding),
  columns: ['state', 'kind', 'title', 'space', 'path', 'detail', 'id'],
  empty: 'Nothing is wrong.',
  exits: ['partial', 'findings'],
  examples: {
    'backup verify backup': 'verify a backup and compare it with the platform',
    'backup verify backup --offline': 'verify the files only',
    'backup verify backup --offline --allowed-signers signers': 'check who signed it, too',
  },
  async run(session, input, { view }) {
    await (await import('./verify.js')).verify(session, input, view);
  },
});

const diff = manual({
  name: 'diff',
  summary: 'List what changed between two backups',
  why:
    'Compares members, teams, sites, spaces, pages, files, comments and change requests without the ' +
    'platform, field by field. With --exit-code, exits 17 if anything differs.',
  args: {
    '<a>': folderOf('Folder of the earlier backup'),
    '<b>': folderOf('Folder of the later one'),
  },
  options: [option('--exit-code', 'Exit 17 if there are differences'), htmlOption],
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
  async run(session, input, { view }) {
    await (await import('./diff.js')).diff(session, input, view);
  },
});

export const backup: Group = {
  name: 'backup',
  noun: 'backup',
  summary: 'Back up an organization, verify and compare backups',
  guide: 'backup',
  why: 'A backup is a folder of JSON, Markdown and files that you can read without the platform.',
  commands: [run, merge, restore, verify, diff, log, show, status, search, pack],
};
