import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import * as members from '../../api/resources/members.js';
import { getOrg, pingOrg } from '../../api/resources/orgs.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { deleteTeamMember, listTeamMembers, setTeamMember } from '../../api/resources/team-members.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, htmlOption, manyOptions, option, savePlanOption } from '../../cli/declare/flags.js';
import { Offboarding } from '../../workflows/offboard/report.js';

const reads = [
  members.getMember,
  members.listMembers,
  getOrg,
  pingOrg,
  members.listMemberTeams,
  listTeamMembers,
  members.listMemberSpaces,
];
const spaceReads = [listCollections, listCollectionSpaces, listSites, listSiteSpaces, listChangeRequests];
const changes = [setTeamMember, deleteTeamMember, members.deleteMember];

/** `docs members offboard`. */
export const offboard = manual({
  name: 'offboard',
  summary: 'Remove people from all teams and the organization',
  guide: 'offboarding',
  why:
    'Reads what each person holds, reassigns teams that would lose their last owner, removes the person ' +
    'from every team and the organization, and writes a dated evidence file (JSON and CSV), which docs apply ' +
    'completes for a plan made on the same machine. Refuses the last admin and the owner of the token in use; ' +
    'a removed member must be invited again.',
  args: {
    '[user...]': {
      description: 'Members by id or email; - or @file reads them, one per line',
      reads: 'at',
      emails: true,
    },
  },
  options: [
    option('--from <file|->', 'CSV or JSON rows with a column user or email', { reads: 'path' }),
    option('--reassign-teams-to <user>', 'New owner of teams that would have none, by id or email', {
      emails: true,
    }),
    option('--evidence <folder>', 'Folder for the evidence files, made if missing; default: working folder', {
      path: { use: 'writes', usual: '.' },
    }),
    option('--allow-unseen', 'Continue despite failed reads; the evidence lists them'),
    option('--resume <evidence>', 'Resume an interrupted offboarding from its JSON evidence file', {
      reads: 'path',
      conflicts: ['from', 'reassign-teams-to', 'evidence', 'allow-unseen', 'again', savePlanOption.name],
    }),
    ...manyOptions(),
    htmlOption,
    contextOption('organizationId'),
  ],
  operations: [...reads, ...spaceReads, ...changes],
  returns: Offboarding,
  exits: ['partial'],
  examples: {
    'members offboard u2 --dry-run': 'show what a person holds and the requests to be sent',
    'members offboard u1 --reassign-teams-to u2 --yes':
      'remove a person and give their teams to another owner',
    'members offboard --from leavers.csv --evidence audit --yes':
      'remove everybody in a file and write the evidence to a folder',
    'members offboard u2 --html leaver.html --yes': 'also write what was done as a page',
    'members offboard --resume offboarding-2026-11-20T10-12-03Z.json':
      'resume after a crash and complete the evidence',
  },
  danger: 'confirm',
  applies: async () => (await import('./applies.js')).applyOffboarding,
  async run(session, input, { groups }) {
    if (input.options.resume !== undefined) {
      const { resumeOffboarding } = await import('./offboard-resume.js');
      return resumeOffboarding(session, input, groups);
    }
    const { runOffboard } = await import('./offboard-run.js');
    await runOffboard(session, input);
  },
});
