import {
  deleteMember,
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  updateMember,
} from '../../api/resources/members.js';
import { getOrg, pingOrg } from '../../api/resources/orgs.js';
import { deleteTeamMember, listTeamMembers, setTeamMember } from '../../api/resources/team-members.js';
import { listTeams } from '../../api/resources/teams.js';
import { roles } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import type { Command } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, manyOptions } from '../../cli/declare/standing-flags.js';
import { ItemResult } from '../../output/printed-shapes.js';
import { ReviewRow } from '../../workflows/access-review/row.js';

/** `docs members review`: who can do what, and what was decided about it. */
export const review: Command = manual({
  name: 'review',
  summary: 'Review access: a row a member; carry out what was decided',
  why:
    'One row a member, with role, teams, spaces, last seen, SSO, and flags for what wants a look. Save it as CSV, ' +
    'fill in the column decision (keep, remove, role=read), and give it back with --apply: every row is held ' +
    'against the platform first, then all is one job, which can be resumed and taken back as far as that goes. ' +
    'Removing people asks first; in scripts it needs --yes.',
  options: [
    {
      name: 'inactive',
      value: '<time>',
      description: 'Only members not seen for so long, such as 90d; the flag is at 90d unless given',
    },
    {
      ...{ name: 'role', value: '<role>', variadic: true, choices: [...roles, 'guest'], closed: true },
      description: 'Only members with this role',
    },
    { name: 'sso', boolean: 'only-no', description: 'Only members without SSO' },
    { name: 'apply', value: '<file|->', description: 'Carry out the decisions of a reviewed file' },
    {
      name: 'reassign-teams-to',
      value: '<user>',
      description: 'With --apply: who becomes the owner of teams that would have none, by id or email',
    },
    {
      name: 'skip-invalid',
      boolean: true,
      description: 'With --apply: leave out rows that do not fit instead of stopping',
    },
    ...manyOptions().filter(({ name }) => name !== 'allow-empty'),
    contextOption('organizationId'),
  ],
  operations: [
    ...[listMembers, getOrg, listTeams, listTeamMembers, listMemberSpaces],
    ...[getMember, listMemberTeams, pingOrg, updateMember, setTeamMember, deleteTeamMember, deleteMember],
  ],
  returns: Type.Union([Type.Array(ReviewRow), Type.Array(ItemResult)]),
  exits: ['partial'],
  examples: [
    { run: 'members review -o csv', does: 'everybody, for a spreadsheet' },
    { run: 'members review --inactive 90d --role admin', does: 'admins who were not seen for 90 days' },
    { run: 'members review --no-sso --json', does: 'who signs in without SSO' },
    {
      run: 'members review --apply reviewed.csv --dry-run',
      does: 'check the decisions and show the requests',
    },
    { run: 'members review --apply reviewed.csv --yes', does: 'carry them out' },
  ],
  danger: 'change',
  async run(session, input) {
    const { runReview } = await import('../../workflows/access-review/run.js');
    await runReview(session, review, input);
  },
});
