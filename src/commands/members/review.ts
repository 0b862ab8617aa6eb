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
import type { Command, ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, manyOptions } from '../../cli/declare/standing-flags.js';
import { usageError } from '../../errors.js';
import { ItemResult } from '../../output/printed-shapes.js';
import { ReviewRow } from '../../workflows/access-review/row.js';

const reads = [listMembers, getOrg, listTeams, listTeamMembers, listMemberSpaces, getMember, listMemberTeams];
const changes = [pingOrg, updateMember, setTeamMember, deleteTeamMember, deleteMember];

/** `docs members review`. */
export const review: Command = manual({
  name: 'review',
  summary: 'Review the access of members and apply decisions',
  why:
    'Prints one row per member with role, teams, spaces, last seen, SSO and flags. Save it as CSV, fill in ' +
    'the decision column (keep, remove, role=read) and pass it to --apply, which checks every row against ' +
    'the platform and runs all changes as one job; removing people asks for confirmation or needs --yes.',
  options: [
    {
      name: 'inactive',
      value: '<time>',
      description: 'Only members not seen for this long; the flag defaults to 90d',
    },
    {
      name: 'role',
      value: '<role>',
      variadic: true,
      choices: [...roles, 'guest'],
      closed: true,
      description: 'Only members with this role',
    },
    { name: 'sso', boolean: 'only-no', description: 'Only members without SSO' },
    {
      name: 'apply',
      value: '<file|->',
      conflicts: ['inactive', 'role', 'sso'],
      description: 'Apply the decisions in a reviewed file',
    },
    {
      name: 'reassign-teams-to',
      value: '<user>',
      description: 'With --apply: new owner of teams that would have none, by id or email',
    },
    {
      name: 'skip-invalid',
      boolean: true,
      description: 'With --apply: skip invalid rows instead of stopping',
    },
    ...manyOptions().filter(({ name }) => name !== 'allow-empty'),
    contextOption('organizationId'),
  ],
  operations: [...reads, ...changes],
  returns: Type.Union([Type.Array(ReviewRow), Type.Array(ItemResult)]),
  exits: ['partial'],
  examples: [
    { run: 'members review -o csv', does: 'export all members as a spreadsheet' },
    { run: 'members review --inactive 90d --role admin', does: 'list admins not seen for 90 days' },
    { run: 'members review --no-sso --json', does: 'list members who sign in without SSO' },
    {
      run: 'members review --apply reviewed.csv --dry-run',
      does: 'check the decisions and show the requests',
    },
    { run: 'members review --apply reviewed.csv --yes', does: 'apply the decisions' },
  ],
  danger: 'change',
  async run(session, input) {
    if (input.options.apply === undefined) {
      refuseForApply(input);
      const { reviewAccess } = await import('./review-run.js');
      return reviewAccess(session, input);
    }
    const { applyReview } = await import('./review-apply.js');
    await applyReview(session, review, input);
  },
});

function refuseForApply({ options }: ManualInput): void {
  const { reassignTeamsTo, skipInvalid, failFast, again } = options;
  const unfit = {
    'reassign-teams-to': reassignTeamsTo,
    'skip-invalid': skipInvalid,
    'fail-fast': failFast,
    again,
  };
  const given = Object.entries(unfit).find(([, value]) => value !== undefined && value !== false)?.[0];
  if (given !== undefined) throw usageError('contradiction', `--${given} requires --apply.`);
}
