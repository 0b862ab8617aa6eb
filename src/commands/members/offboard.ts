import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import {
  deleteMember,
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
} from '../../api/resources/members.js';
import { getOrg, pingOrg } from '../../api/resources/orgs.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { deleteTeamMember, listTeamMembers, setTeamMember } from '../../api/resources/team-members.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, manyOptions } from '../../cli/declare/standing-flags.js';
import { Offboarding } from '../../workflows/offboard/report.js';

/** `docs members offboard`: people leave, and a file proves it. */
export const offboard = manual({
  name: 'offboard',
  summary: 'Remove people from all teams and the organization',
  why:
    'Reads what each person holds, reassigns teams that would lose their last owner, removes the person ' +
    'from every team and the organization, and writes a dated evidence file (JSON and CSV). Refuses the ' +
    'last admin and the owner of the token in use; a removed member must be invited again.',
  args: { '[user...]': 'Members by id or email; - or @file reads them, one a line' },
  options: [
    { name: 'from', value: '<file|->', description: 'CSV or JSON rows with a column user or email' },
    {
      name: 'reassign-teams-to',
      value: '<user>',
      description: 'Who becomes the owner of teams that would have none, by id or email',
    },
    {
      name: 'evidence',
      value: '<folder>',
      description: 'Folder of the evidence files; the working folder unless given',
    },
    {
      name: 'allow-unseen',
      boolean: true,
      description: 'Go on although something could not be read; the evidence lists it',
    },
    {
      name: 'resume',
      value: '<evidence>',
      description: 'Go on with an offboarding that was cut short, by its evidence file in JSON',
    },
    ...manyOptions(),
    contextOption('organizationId'),
  ],
  operations: [
    ...[getMember, listMembers, getOrg, pingOrg, listMemberTeams, listTeamMembers, listMemberSpaces],
    ...[listCollections, listCollectionSpaces, listSites, listSiteSpaces, listChangeRequests],
    ...[setTeamMember, deleteTeamMember, deleteMember],
  ],
  returns: Offboarding,
  exits: ['partial'],
  examples: [
    {
      run: 'members offboard ada@acme.example --dry-run',
      does: 'show what a person holds and the requests to be sent',
    },
    {
      run: 'members offboard ada@acme.example --reassign-teams-to u2',
      does: 'remove a person and give their teams to another owner',
    },
    {
      run: 'members offboard --from leavers.csv --evidence audit --yes',
      does: 'remove everybody in a file and write the evidence to a folder',
    },
    {
      run: 'members offboard --resume offboarding-2026-11-20T10-12-03Z.json',
      does: 'resume after a crash and complete the evidence',
    },
  ],
  danger: 'confirm',
  async run(session, input) {
    const { runOffboard } = await import('../../workflows/offboard/run.js');
    await runOffboard(session, input);
  },
});
