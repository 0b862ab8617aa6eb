import { nameOf } from '../../access/person.js';
import { defined } from '../../base/values.js';
import { stringify } from '../../output/json.js';
import type { Action, Leaver, Offboarding } from './report.js';

/** An offboarding as rows, one fact each: for tables, and for the CSV of the evidence. */
export interface FactRow {
  /** undefined for facts about the run. */
  user?: Leaver['user'];
  part: 'run' | 'before' | 'not seen' | 'action' | 'after' | 'remains';
  what: string;
  id?: string;
  name?: string;
  value?: string;
  status?: string;
  at?: string;
  requestId?: string;
}

export const rowFields = [
  ...(['user.id', 'user.email', 'user.displayName', 'part', 'what', 'id'] as const),
  ...(['name', 'value', 'status', 'at', 'requestId'] as const),
];

/** The facts of all members, in chronological order. */
export function rowsOf({ people }: Pick<Offboarding, 'people'>): FactRow[] {
  return people.flatMap((leaver) => [
    ...heldRows(leaver),
    ...leaver.unseen.map(({ what, id, error }): FactRow => {
      return defined({
        user: leaver.user,
        part: 'not seen' as const,
        what,
        id,
        value: String(error.message ?? ''),
      });
    }),
    ...leaver.actions.map((action) => actionRow(leaver, action)),
    ...afterRows(leaver),
    ...leaver.warnings.map((value): FactRow => {
      return { user: leaver.user, part: 'remains', what: 'way back in', value };
    }),
  ]);
}

export function runRows(report: Offboarding): FactRow[] {
  const { by, organization, platform, version, job, state, startedAt, finishedAt } = report;
  const row = (what: string, more: Partial<FactRow>): FactRow => ({ part: 'run', what, ...more });
  const { user, account, profile, why } = by;
  const ran = user && { id: user.id, name: user.displayName };
  return [
    row('ran by', { ...ran, value: user === undefined ? `not known: ${why}` : nameOf(user) }),
    ...(account === undefined ? [] : [row('account', { value: account })]),
    row('profile', { value: profile }),
    row('organization', { id: organization.id, name: organization.title }),
    row('platform', { value: platform }),
    row('docs', { value: version }),
    ...(job === undefined ? [] : [row('job', { id: job })]),
    row('state', { status: state }),
    row('started', { at: startedAt }),
    ...(finishedAt === undefined ? [] : [row('finished', { at: finishedAt })]),
  ];
}

function heldRows({ user, before }: Leaver): FactRow[] {
  const row = (what: string, more: Partial<FactRow>): FactRow => ({ user, part: 'before', what, ...more });
  const { teams, spaces, changeRequests } = before;
  return [
    row('role', { value: before.role ?? 'guest' }),
    row('SSO', { value: before.sso ? 'yes' : 'no' }),
    ...(before.lastSeenAt === undefined ? [] : [row('last seen', { value: before.lastSeenAt })]),
    ...teams.map(({ id, title, role, onlyOwner }) =>
      row('team', { id, name: title, value: onlyOwner ? 'only owner' : role }),
    ),
    ...spaces.map(({ id, title, role }) => row('space', { id, name: title, value: role })),
    ...changeRequests.map(({ id, number, subject, status, space }) =>
      row('change request', { id, name: `${space.title} #${number}`, value: subject, status }),
    ),
  ];
}

function actionRow({ user }: Leaver, action: Action): FactRow {
  const { does: what, team, to, status, at, requestId, error, method, path, body } = action;
  const request = [method, path, ...(body === undefined ? [] : [stringify(body)])];
  const said = error?.message ?? (to && `to ${nameOf(to)}`);
  const told = status === 'planned' ? request.join(' ') : said;
  const value = told === undefined ? undefined : String(told);
  const about = { user, part: 'action' as const, what, id: team?.id, name: team?.title };
  return defined({ ...about, value, status, at, requestId });
}

function afterRows({ user, after }: Leaver): FactRow[] {
  if (after === undefined) return [];
  const { at, member, teams } = after;
  const isIn = (still: boolean | null) => (still === null ? 'not read' : still ? 'still in' : 'out');
  return [
    { user, part: 'after', what: 'membership', value: isIn(member), at },
    ...teams.map(({ id, title, member: still, owners }): FactRow => {
      const owned = owners.length === 0 ? '' : `, owned by ${owners.map(nameOf).join(', ')}`;
      return { user, part: 'after', what: 'team', id, name: title, value: `${isIn(still)}${owned}`, at };
    }),
  ];
}
