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
import { BackupResult, Difference, PlannedSpace, VerifyFinding } from './results.js';

/** `docs backup`: everything that can be read, in a folder of plain files. */

const ofSpaces = [listCollections, listCollectionSpaces, listSites, listSiteSpaces, listMemberSpaces];

const run = manual({
  name: 'run',
  summary: 'Back up an organization into a folder',
  why:
    'Writes everything that can be read into files that people can read: JSON, Markdown, and files as they are. ' +
    'A further run into the same folder reads only what changed, and goes on where one was cut off; what is gone ' +
    'moves to deleted. What could not be read is listed and exits 3; the rest is there. Restores nothing.',
  options: [
    {
      name: 'out',
      value: '<folder>',
      required: true,
      description: 'Folder: new, empty, or a backup of before',
    },
    { name: 'full', boolean: true, description: 'Read everything again, also what seems unchanged' },
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
    ...[
      getOrg,
      listMembers,
      ...ofSpaces,
      listCustomFields,
      listTranslations,
      listSamlProviders,
      listSsoLogins,
    ],
    ...[listTeams, listTeamMembers, listOpenApiSpecs, listOpenApiVersions, getLatestOpenApiContent],
    ...[listSections, listSectionGroups, getAdaptiveSchema, getSpace, listSpaceFields, getContent, getPage],
    ...[getFile, listComments, listCommentReplies, listChangeRequests, getChangeRequest],
    ...[getChangeRequestContent, getChangeRequestPage, getChangeRequestFile],
    ...[listChangeRequestComments, listChangeRequestCommentReplies],
  ],
  returns: Type.Union([BackupResult, Type.Array(PlannedSpace)]),
  exits: ['partial'],
  examples: [
    { run: 'backup run --out backup', does: 'everything; the next time, what changed' },
    { run: 'backup run --out backup --dry-run', does: 'which spaces would be read' },
    { run: 'backup run --out backup --full --json', does: 'everything again, and what came of it as JSON' },
  ],
  async run(session, input) {
    await (await import('./run.js')).run(session, input);
  },
});

const verify = manual({
  name: 'verify',
  summary: 'Check a backup, and what changed since',
  why:
    'Reads every file and compares it with the manifests: what is missing, changed or extra, what a run could not ' +
    'read, whether one was cut off. With a sign-in also what changed on the platform since, by revisions and ' +
    'counts. Anything found exits 17.',
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
    { run: 'backup verify backup', does: 'is it whole, and is it still what the platform has' },
    { run: 'backup verify backup --offline', does: 'is it whole' },
  ],
  async run(session, input) {
    await (await import('./verify.js')).verify(session, input);
  },
});

const diff = manual({
  name: 'diff',
  summary: 'List what changed between two backups',
  why:
    'Members, teams, sites, spaces, pages, files, comments, change requests: added, removed, changed, moved. Needs ' +
    'no platform. With --exit-code it exits 17 where anything differs, as a gate in a script.',
  args: { '<a>': 'Folder of the earlier backup', '<b>': 'Folder of the later one' },
  options: [{ name: 'exit-code', boolean: true, description: 'Exit 17 where there are differences' }],
  returns: Type.Array(Difference),
  exits: ['findings'],
  examples: [
    { run: 'backup diff monday tuesday', does: 'what changed in a day' },
    { run: 'backup diff monday tuesday --json --jq \'.[] | select(.kind == "page")\'', does: 'only pages' },
  ],
  async run(session, input) {
    await (await import('./diff.js')).diff(session, input);
  },
});

export const backup: Group = {
  name: 'backup',
  noun: 'backup',
  summary: 'Back up an organization into a folder, check it, compare',
  why: 'For a nightly job: the whole organization in files that can be read without the platform.',
  commands: [run, verify, diff],
};
