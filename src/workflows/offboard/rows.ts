import { fieldPaths } from '../../output/field-paths.js';
import { stringify } from '../../output/json.js';
import type { View } from '../../output/printer.js';
import { type Action, type Leaver, nameOf, Offboarding } from './report.js';

/** An offboarding as rows, a fact each: for tables, and for the CSV of the evidence. */

export interface FactRow {
  /** Who leaves; nobody in what is said of the whole. */
  user?: Leaver['user'];
  part: 'run' | 'before' | 'not seen' | 'action' | 'after';
  what: string;
  id?: string;
  name?: string;
  value?: string;
  status?: string;
  at?: string;
  requestId?: string;
}

/** The fields of a row, and the columns of the evidence: what a row is about comes first, whole. */
export const rowFields = [
  'user.id',
  'user.email',
  'user.displayName',
  'part',
  'what',
  'id',
  'name',
  'value',
  'status',
  'at',
  'requestId',
] as const;

export const rowView: View = {
  columns: [
    { path: 'user.email', label: 'WHO' },
    { path: 'part' },
    { path: 'what', keep: true },
    { path: 'name' },
    { path: 'value' },
    { path: 'status', as: 'state' },
    { path: 'id' },
  ],
  fields: ['user', ...rowFields],
};

export const reportView: View = { columns: [], ...fieldPaths(Offboarding) };

/** All facts of everybody, in the order in which they come about. */
export function rowsOf({ people }: Pick<Offboarding, 'people'>): FactRow[] {
  return people.flatMap((leaver) => [
    ...heldRows(leaver),
    ...leaver.unseen.map(
      (one): FactRow => ({
        ...{ user: leaver.user, part: 'not seen', what: one.what },
        ...(one.id !== undefined && { id: one.id }),
        value: String(one.error.message ?? ''),
      }),
    ),
    ...leaver.actions.map((action) => actionRow(leaver, action)),
    ...afterRows(leaver),
  ]);
}

/** What is said of the whole: who ran it, when, where, and how far it came. */
export function runRows(report: Offboarding): FactRow[] {
  const { by, organization, platform, version, job, state, startedAt, finishedAt } = report;
  const row = (what: string, more: Partial<FactRow>): FactRow => ({ part: 'run', what, ...more });
  const { user, account, profile, why } = by;
  return [
    row('ran by', {
      ...(user !== undefined && { id: user.id, name: user.displayName }),
      value: user === undefined ? `not known: ${why}` : nameOf(user),
    }),
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
  const { does, team, to, status, at, requestId, error } = action;
  const request = [
    action.method,
    action.path,
    ...(action.body === undefined ? [] : [stringify(action.body)]),
  ];
  const said = error?.message ?? (to === undefined ? undefined : `to ${nameOf(to)}`);
  const value = status === 'planned' ? request.join(' ') : said;
  return {
    ...{ user, part: 'action', what: does },
    ...(team !== undefined && { id: team.id, name: team.title }),
    ...(value !== undefined && { value: String(value) }),
    status,
    ...(at !== undefined && { at }),
    ...(requestId !== undefined && { requestId }),
  };
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
