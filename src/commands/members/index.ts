import { offboardOperations, reviewOperations } from '../../access/member-operations.js';
import { Offboarding, ReviewRow } from '../../access/members.js';
import * as api from '../../api/resources/members.js';
import { roles } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import {
  command,
  contextOption,
  type Group,
  htmlOption,
  type ManualInput,
  manual,
  manyOptions,
  option,
  outOption,
  paceOption,
  partsOptions,
  savePlanOption,
  shardOption,
  Type,
} from '../../cli/run/report.js';
import { ItemResult } from '../../output/printed-shapes.js';

/** `docs members review`. */
const review = manual({
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
      conflicts: ['inactive', 'role', 'sso', outOption.name, htmlOption.name, 'shard', 'parts', 'merge'],
    }),
    option(
      '--reassign-teams-to <user>',
      'With --apply: new owner of teams that would have none, by id or email',
      { emails: true },
    ),
    option('--skip-invalid', 'With --apply: skip invalid rows instead of stopping'),
    ...manyOptions().filter(({ name }) => name !== 'allow-empty'),
    outOption,
    htmlOption,
    shardOption,
    ...partsOptions(),
    paceOption,
    contextOption('organizationId'),
  ],
  operations: reviewOperations,
  returns: Type.Union([Type.Array(ReviewRow), Type.Array(ItemResult)]),
  columns: [
    { path: 'user.displayName', label: 'NAME', lead: true },
    { path: 'user.email', label: 'EMAIL', lead: true },
    { path: 'role', as: 'role', lead: true },
    'lastSeenAt',
    'sso',
    { path: 'flags', keep: true },
    'teams',
    'spaces',
    'decision',
    'id',
  ],
  empty: 'No members.',
  formats: ['html'],
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
  applies: async () => (await import('./offboard-execute.js')).applyReview,
  async run(session, input, around) {
    if (input.options.apply === undefined) {
      refuseForApply(input);
      const [{ reviewReport }, { runReport }] = await Promise.all([
        import('./review-run.js'),
        import('../../cli/run/run-report.js'),
      ]);
      return runReport(reviewReport, { session, input, ...around });
    }
    const { applyReview } = await import('./review-apply.js');
    await applyReview(session, input);
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
  if (given !== undefined) throw usageError('contradiction', `--${given} requires --apply`);
}

/** `docs members offboard`. */
const offboard = manual({
  name: 'offboard',
  summary: 'Remove people from all teams and the organization',
  guide: 'offboarding',
  why:
    'Reassigns teams that would lose their last owner, removes each person from every team and the ' +
    'organization, and writes a dated evidence file (JSON and CSV), which docs apply completes for a plan ' +
    'made on the same machine. Refuses the last admin and the owner of the token in use; a removed member ' +
    'must be invited again.',
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
  operations: offboardOperations,
  returns: Offboarding,
  exits: ['partial'],
  examples: {
    'members offboard u2 --dry-run': 'show the access of a person and the requests to send',
    'members offboard u1 --reassign-teams-to u2 --yes':
      'remove a person and give their teams to another owner',
    'members offboard --from leavers.csv --evidence audit --yes':
      'remove everyone in a file, and write the evidence to a folder',
    'members offboard u2 --html leaver.html --yes': 'also write the result as a page',
    'members offboard --resume offboarding-2026-11-20T10-12-03Z.json':
      'resume after a crash and complete the evidence',
  },
  danger: 'confirm',
  applies: async () => (await import('./offboard-execute.js')).applyOffboarding,
  async run(session, input) {
    if (input.options.resume !== undefined) {
      const { resumeOffboarding } = await import('./offboard-run.js');
      return resumeOffboarding(session, input);
    }
    const { runOffboard } = await import('./offboard-run.js');
    await runOffboard(session, input);
  },
});

const columns = [
  'user.displayName',
  { path: 'user.email', lead: true },
  { path: 'role', lead: true },
  'lastSeenAt',
  'joinedAt',
  'teams',
  'spaces',
  'sso',
  'id',
] as const;

export const members: Group = {
  name: 'members',
  noun: 'member',
  summary: 'Manage members of an organization',
  why: 'A member is a user with a role in the organization; a member without a role is a guest.',
  commands: [
    command({
      name: 'list',
      operation: api.listMembers,
      why: 'Includes guests, who have no role; --role guest lists only them.',
      flags: { sort: { description: 'Sort key; by lastSeenAt, members who were never seen come last' } },
      pages: {
        by: 'sort',
        load: async () => (await import('../../api/members-by-last-seen.js')).memberPages,
      },
      columns,
      examples: {
        'members list --role admin': 'list the admins of the organization',
        'members list --sort lastSeenAt --order asc': 'list the members away longest first, never seen last',
        'members list --search ada --json': 'find a member by name or email',
      },
    }),
    command({
      name: 'get',
      operation: api.getMember,
      why: 'Shows the role, teams and SSO state of a member, and when they joined and were last seen.',
      args: { userId: '<user>' },
      columns,
      examples: { 'members get u1': 'show a member' },
    }),
    command({
      name: 'update',
      operation: api.updateMember,
      why: 'Refuses to demote the last admin or the owner of the token in use, even with --yes.',
      args: { userId: '<user...>' },
      flags: { role: { nullName: 'guest (no role)' } },
      columns,
      examples: {
        'members update u1 --role read': 'change the role of a member',
        'members update - --role none --yes': 'turn the members read from stdin into guests',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteMember,
      why: 'Refuses to remove the last admin or the owner of the token in use, even with --yes.',
      args: { userId: '<user...>' },
      done: 'removed',
      examples: { 'members delete u1 u2 --yes': 'remove two members' },
    }),
    command({
      name: 'link-sso',
      operation: api.linkMemberSso,
      done: 'linked',
      says: ({ sentence }) => `${sentence} to SSO`,
      why: 'Use it for a member who joined before SSO was set up. From then on they sign in through SSO.',
      args: { userId: '<user...>' },
      columns,
      examples: { 'members link-sso u1': 'mark a member as an SSO member' },
    }),
    command({
      name: 'spaces',
      operation: api.listMemberSpaces,
      why: 'Shows every space that the member can access and their permission on it.',
      args: { userId: '<user>' },
      columns: ['space.title', { path: 'permission', lead: true }, 'space.visibility', 'space.id'],
      id: 'space.id',
      examples: { 'members spaces u1': 'list the spaces a member can access, with permissions' },
    }),
    command({
      name: 'teams',
      operation: api.listMemberTeams,
      why: 'Use it before a member changes role or leaves.',
      args: { userId: '<user>' },
      columns: ['team.title', { path: 'member.role', lead: true }, 'team.members', 'team.id'],
      id: 'team.id',
      examples: {
        'members teams u1 --title docs': 'list the teams of a member that have docs in their title',
      },
    }),
    offboard,
    review,
  ],
};
