import { nameOf } from '../../access/person.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured } from '../../cli/run/output.js';
import { counted } from '../../output/counted.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { View } from '../../output/printer.js';
import { safeLine } from '../../output/safe-text.js';
import { type Action, type Held, type Leaver, Offboarding } from '../../workflows/offboard/report.js';
import { rowFields, rowsOf } from '../../workflows/offboard/rows.js';

/** An offboarding on standard output: one value for programs, one row per fact for people and pipes. */

const idView: View = { columns: [{ path: 'id' }], fields: ['id'] };
const reportView: View = { columns: [], ...fieldPaths(Offboarding) };
/** Of one person the rows are known to be; of several, names of what they held are given up first. */
function rowView(people: number): View {
  const isAlone = people === 1;
  return {
    columns: [
      { path: 'user.email', label: 'WHO', keep: !isAlone },
      { path: 'part' },
      { path: 'what', keep: true },
      { path: 'name', keep: isAlone },
      { path: 'value', keep: true },
      { path: 'status', as: 'state', keep: true },
      { path: 'id' },
    ],
    fields: ['user', ...rowFields],
  };
}

/** `--fields` names fields of the report, in any format. */
function viewOf(session: Session, people = 1): View {
  const { output, fields } = session.settings;
  if (output?.value === 'id') return idView;
  return fields !== undefined || isStructured(session) ? reportView : rowView(people);
}

/** Checks `--fields` and the like; to be called before anything is sent. @throws DocsError usage */
export function checkPrinting(session: Session): Promise<void> {
  return session.printer.check(viewOf(session));
}

export async function printOffboarding(session: Session, report: Offboarding): Promise<void> {
  const { printer } = session;
  const view = viewOf(session, report.people.length);
  if (view === reportView) return printer.one(report, view);
  const items = view === idView ? report.people.map(({ user }) => user) : rowsOf(report);
  await printer.list(items, view);
}

const mostListed = 8;

/** What a member holds and what will be done, for the confirmation. */
export function leaverLines({ user, before, unseen, warnings, actions }: Leaver): string[] {
  const { id, email, displayName } = user;
  const { teams, spaces, changeRequests } = before;
  const name = email === undefined ? displayName : `${displayName}, ${email}`;
  const listed = [
    list('team', teams, ({ title, role, onlyOwner }) => `${title} (${onlyOwner ? 'only owner' : role})`),
    list('space', spaces, ({ title, role }) => `${title} (${role})`),
    list('open change request', changeRequests, (one) => `${one.space.title} #${one.number} ${one.subject}`),
  ];
  return [
    `${safeLine(name)} (${id})`,
    `  ${roleWords(before)}`,
    ...listed.map((line) => `  ${line}`),
    ...unseen.map(
      ({ what, error }) => `  Cannot read ${safeLine(what)}: ${safeLine(String(error.message ?? ''))}`,
    ),
    ...warnings.map((warning) => `  Warning: ${warning}`),
    ...actions.map((action, index) => `  ${index + 1}. ${actionWords(action)}`),
  ];
}

function roleWords({ role, sso, disabled, lastSeenAt }: Held): string {
  const parts = [
    role === null ? 'guest' : `role ${safeLine(role)}`,
    sso ? 'SSO' : 'no SSO',
    ...(disabled ? ['disabled'] : []),
    lastSeenAt === undefined ? 'never seen' : `last seen ${lastSeenAt.slice(0, 10)}`,
  ];
  return parts.join(', ');
}

function list<T>(noun: string, items: readonly T[], words: (item: T) => string): string {
  if (items.length === 0) return `no ${noun}s`;
  const shown = items.slice(0, mostListed).map((item) => safeLine(words(item)));
  const more = items.length > mostListed ? [`${items.length - mostListed} more`] : [];
  return `${counted(items.length, noun)}: ${[...shown, ...more].join(', ')}`;
}

/** `hand over team Writers to ada@acme.example`. */
export function actionWords({ does, team, to, undo }: Action): string {
  const words = team === undefined ? does : does.replace(/team$/, () => `team ${safeLine(team.title)}`);
  const heir = to === undefined ? '' : ` to ${safeLine(nameOf(to))}`;
  return `${words}${heir}${undo === 'none' ? ', which cannot be undone' : ''}`;
}

/** Where the evidence is; a rehearsal keeps none, since nobody was offboarded. */
export function evidenceSentence(
  { settings }: Pick<Session, 'settings'>,
  { json, csv }: { json: string; csv: string },
  isComplete: boolean,
): string {
  if (settings.rehearsal !== undefined)
    return isComplete
      ? 'A rehearsal keeps no evidence.'
      : 'The evidence, which a rehearsal does not keep, is incomplete.';
  return `${isComplete ? 'Evidence' : 'The evidence is incomplete'}: ${json} and ${csv}.`;
}
