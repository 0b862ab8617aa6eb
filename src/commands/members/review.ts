import * as members from '../../api/resources/members.js';
import { getOrg, pingOrg } from '../../api/resources/orgs.js';
import { deleteTeamMember, listTeamMembers, setTeamMember } from '../../api/resources/team-members.js';
import { listTeams } from '../../api/resources/teams.js';
import { roles } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import type { Command, ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import {
  contextOption,
  htmlOption,
  manyOptions,
  option,
  paceOption,
  partsOptions,
  savePlanOption,
  shardOption,
} from '../../cli/declare/flags.js';
import { ItemResult } from '../../output/printed-shapes.js';
import { ReviewRow } from '../../workflows/access-review/row.js';

const reads = [
  members.listMembers,
  getOrg,
  listTeams,
  listTeamMembers,
  members.listMemberSpaces,
  members.getMember,
  members.listMemberTeams,
];
const changes = [pingOrg, members.updateMember, setTeamMember, deleteTeamMember, members.deleteMember];

/** `docs members review`. */
export const review: Command = manual({
  name: 'review',
  summary: 'Review the access of members and apply decisions',
  guide: 'access-review',
  why:
    'Prints one row per member with role, teams, spaces, last seen, SSO and flags. Save it as CSV, fill in ' +
    'the decision column (keep, remove, role=read) and pass it to --apply, which checks every row against ' +
    'the platform and runs all changes as one job; removing people asks for confirmation or needs --yes.',
  options: [
    option(
      '--inactive <time>',
      'Only members not seen for this long; also sets the inactive flag (default 90d)',
    ),
    option('--role <role>...', 'Only members with this role', { choices: [...roles, 'guest'], closed: true }),
    option('--no-sso', 'Only members without SSO'),
    option('--apply <file|->', 'Apply the decisions in a reviewed file', {
      reads: 'path',
      conflicts: ['inactive', 'role', 'sso', htmlOption.name, 'shard', 'parts', 'merge'],
    }),
    option(
      '--reassign-teams-to <user>',
      'With --apply: new owner of teams that would have none, by id or email',
      { emails: true },
    ),
    option('--skip-invalid', 'With --apply: skip invalid rows instead of stopping'),
    ...manyOptions().filter(({ name }) => name !== 'allow-empty'),
    htmlOption,
    shardOption,
    ...partsOptions(),
    paceOption,
    contextOption('organizationId'),
  ],
  operations: [...reads, ...changes],
  returns: Type.Union([Type.Array(ReviewRow), Type.Array(ItemResult)]),
  columns: [
    { path: 'user.displayName', label: 'NAME' },
    { path: 'user.email', label: 'EMAIL' },
    { path: 'role', as: 'role' },
    'lastSeenAt',
    'sso',
    { path: 'flags', keep: true },
    'teams',
    'spaces',
    'decision',
    'id',
  ],
  empty: 'No members.',
  exits: ['partial'],
  examples: {
    'members review -o csv': 'export all members as a spreadsheet',
    'members review --inactive 90d --role admin': 'list admins not seen for 90 days',
    'members review --no-sso --json': 'list members who sign in without SSO',
    'members review --quiet --html review.html': 'make a page for those who decide',
    'members review --shard 1/2 --parts parts': 'read one half of the members, to join both later',
    'members review --apply reviewed.csv --dry-run': 'check the decisions and show the requests',
    'members review --apply reviewed.csv --yes': 'apply the decisions',
  },
  danger: 'change',
  changesWith: ['apply'],
  applies: async () => (await import('./applies.js')).applyReview,
  async run(session, input, { view }) {
    if (input.options.apply === undefined) {
      refuseForApply(input);
      const { reviewAccess } = await import('./review-run.js');
      return reviewAccess(session, input, view);
    }
    const { applyReview } = await import('./review-apply.js');
    await applyReview(session, review, input);
  },
});

function refuseForApply({ options }: ManualInput): void {
  const { reassignTeamsTo, skipInvalid, failFast, again, savePlan } = options;
  const unfit = {
    'reassign-teams-to': reassignTeamsTo,
    'skip-invalid': skipInvalid,
    'fail-fast': failFast,
    again,
    [savePlanOption.name]: savePlan,
  };
  const given = Object.entries(unfit).find(([, value]) => value !== undefined && value !== false)?.[0];
  if (given !== undefined) throw usageError('contradiction', `--${given} requires --apply.`);
}
