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
  summary: 'Take people out of teams and organization, with evidence',
  why:
    'Reads everything each person holds, hands over the teams that would have no owner, takes them out of every ' +
    'team, then of the organization, reads again, and writes a dated evidence file (JSON and CSV). It refuses ' +
    'the last admin and whoever owns the token in use. A removed member has to be invited again.',
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
      does: 'what somebody holds, and what would be sent',
    },
    {
      run: 'members offboard ada@acme.example --reassign-teams-to u2',
      does: 'take somebody out; another owns their teams',
    },
    {
      run: 'members offboard --from leavers.csv --evidence audit --yes',
      does: 'everybody of a file, with the evidence in a folder',
    },
    {
      run: 'members offboard --resume offboarding-2026-11-20T10-12-03Z.json',
      does: 'go on after a crash, and complete the evidence',
    },
  ],
  danger: 'confirm',
  async run(session, input) {
    const { runOffboard } = await import('../../workflows/offboard/run.js');
    await runOffboard(session, input);
  },
});
