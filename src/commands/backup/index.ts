import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import {
  getChangeRequestContent,
  getChangeRequestFile,
  getChangeRequestPage,
} from '../../api/resources/change-request-content.js';
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
import { contextOption } from '../../cli/declare/standing-flags.js';
import { BackupResult, Difference, PlannedSpace, VerifyFinding } from '../../workflows/backup/report.js';

/** `docs backup`: an organization in a folder of plain files. */

const ofSpaces = [listCollections, listCollectionSpaces, listSites, listSiteSpaces, listMemberSpaces];

const run = manual({
  name: 'run',
  summary: 'Back up an organization into a folder',
  why:
    'Writes everything that can be read as JSON, Markdown, and the original files. A further run into the same ' +
    'folder reads only what changed and continues an interrupted run; files of what no longer exists move to the ' +
    'folder deleted. Exits 3 if something could not be read, and lists it. There is no restore.',
  options: [
    {
      name: 'out',
      value: '<folder>',
      required: true,
      description: 'Folder: new, empty, or an earlier backup',
    },
    { name: 'full', boolean: true, description: 'Read everything again, even if it seems unchanged' },
    {
      name: 'concurrency',
      value: '<n>',
      number: true,
      description: 'Requests under way at once',
      default: 8,
    },
    contextOption('organizationId'),
  ],
  operations: [
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
    getFile,
    listComments,
    listCommentReplies,
    listChangeRequests,
    getChangeRequest,
    getChangeRequestContent,
    getChangeRequestPage,
    getChangeRequestFile,
    listChangeRequestComments,
    listChangeRequestCommentReplies,
  ],
  returns: Type.Union([BackupResult, Type.Array(PlannedSpace)]),
  exits: ['partial'],
  examples: [
    { run: 'backup run --out backup', does: 'back up everything; the next time, what changed' },
    { run: 'backup run --out backup --dry-run', does: 'list the spaces that would be read' },
    {
      run: 'backup run --out backup --full --json',
      does: 'back up everything again, and print the result as JSON',
    },
  ],
  async run(session, input) {
    await (await import('./run.js')).run(session, input);
  },
});

const verify = manual({
  name: 'verify',
  summary: 'Check that a backup is complete and up to date',
  why:
    'Reads every file and compares it with the manifests. Lists what is missing, changed or extra, what a run ' +
    'could not read, and, if you are signed in, what changed on the platform since, by revisions and counts. ' +
    'Exits 17 if it finds anything.',
  args: { '<folder>': 'Folder of the backup' },
  options: [
    { name: 'offline', boolean: true, description: 'Do not compare with the platform' },
    {
      name: 'concurrency',
      value: '<n>',
      number: true,
      description: 'Requests under way at once',
      default: 8,
    },
  ],
  operations: [listMembers, listTeams, listCustomFields, listOpenApiSpecs, ...ofSpaces],
  returns: Type.Array(VerifyFinding),
  exits: ['partial', 'findings'],
  examples: [
    { run: 'backup verify backup', does: 'check the files, and compare with the platform' },
    { run: 'backup verify backup --offline', does: 'check the files only' },
  ],
  async run(session, input) {
    await (await import('./verify.js')).verify(session, input);
  },
});

const diff = manual({
  name: 'diff',
  summary: 'List what changed between two backups',
  why:
    'Compares members, teams, sites, spaces, pages, files, comments and change requests, without the platform. ' +
    'With --exit-code it exits 17 if anything differs, as a gate in a script.',
  args: { '<a>': 'Folder of the earlier backup', '<b>': 'Folder of the later one' },
  options: [{ name: 'exit-code', boolean: true, description: 'Exit 17 if there are differences' }],
  returns: Type.Array(Difference),
  exits: ['findings'],
  examples: [
    { run: 'backup diff monday tuesday', does: 'list what changed in a day' },
    {
      run: 'backup diff monday tuesday --json --jq \'.[] | select(.kind == "page")\'',
      does: 'list changed pages only',
    },
  ],
  async run(session, input) {
    await (await import('./diff.js')).diff(session, input);
  },
});

export const backup: Group = {
  name: 'backup',
  noun: 'backup',
  summary: 'Back up an organization, check and compare backups',
  why: 'For a nightly job: keeps the whole organization in files that need no platform to read.',
  commands: [run, verify, diff],
};
