import { basename } from 'node:path';
import { type Action, type After, type Held, type Leaver, Offboarding } from '../../access/members.js';
import { unseenWords } from '../../access/offboarding.js';
import {
  type Evidence,
  type FactRow,
  rowFields,
  rowsOf,
  runRows,
} from '../../access/offboarding-evidence.js';
import { nameOf } from '../../access/person.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, outputFormat } from '../../cli/run/output.js';
import { platformName, rehearsalWords, reportPage } from '../../cli/run/report-page.js';
import {
  type Cell,
  type Columns,
  cellText,
  type Document,
  type Need,
  type TablePart,
  tablePart,
} from '../../document/document.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import type { View } from '../../output/printer.js';
import { counted, grouped, safeLine } from '../../output/text.js';

/** The page of `docs members offboard --html`: the facts of the evidence. */

/** The page of an offboarding. */
export interface OffboardingPage {
  /** @param evidence what it shows; files only where evidence is written @throws DocsError as `ReportPage.write` */
  write(evidence: Pick<Evidence, 'report'> & Partial<Evidence>, options?: { quiet?: boolean }): Promise<void>;
}

/** @returns undefined without `--html` @throws DocsError as `reportPage` */
export async function offboardingPage(
  session: Session,
  input: ManualInput,
): Promise<OffboardingPage | undefined> {
  const page = await reportPage(session, input);
  if (page === undefined) return undefined;
  // That of a rehearsal is gone with it.
  const isKept = session.settings.rehearsal === undefined;
  return {
    async write({ report, files }, options) {
      const evidence = isKept && files !== undefined ? { evidence: basename(files.json) } : {};
      await page.write(offboardingReport(report, { about: rehearsalWords(session), ...evidence }), options);
    },
  };
}

/** @param about sentences that it begins with @param evidence the name of the JSON, where it is kept: its folder is of this machine */
export function offboardingReport(
  report: Offboarding,
  { about, evidence }: { about: readonly string[]; evidence?: string },
): Document {
  const { people, state } = report;
  const [only] = people;
  const who =
    people.length === 1 && only !== undefined ? nameOf(only.user) : counted(people.length, 'member');
  const remains = people.flatMap(remainsOf);
  const planned = state === 'planned';
  return {
    title: `${planned ? 'Planned offboarding' : 'Offboarding'} of ${who}`,
    headline: headlineOf(report, who, remains.length),
    needs: planned ? undefined : remains.map(needOf),
    about: [...about, ...stateWords(report, remains.length)],
    missing: [...openWords(report), ...people.flatMap(unseenWords)],
    facts: [
      ...runRows(report).map(factOf),
      ...(evidence === undefined ? [] : [['Evidence', evidence] as const]),
    ],
    parts: [
      peopleTable(report),
      ...(planned ? [] : [remainsTable(remains), factTable(report, 'after', 'Verification')]),
      requestTable(report),
      factTable(report, 'before', 'Access before'),
    ],
  };
}

/** `Ada Okafor is out: reading again confirms it, 1 thing remains`. */
function headlineOf({ state, people }: Offboarding, who: string, remains: number): string {
  const open = remains === 0 ? '' : `, ${counted(remains, 'thing remains', 'things remain')}`;
  if (state === 'planned') return `${who} would be removed; nothing was changed yet`;
  const out = people.filter(({ after }) => after?.member === false).length;
  if (out === people.length)
    return `${who} ${people.length === 1 ? 'is' : 'are'} out: reading again confirms it${open}`;
  return `${who}: ${grouped(out)} of ${grouped(people.length)} confirmed as removed${open}`;
}

/** What is still open, in the words of the table. */
function needOf([who, what, why]: Cell[]): Need {
  const text = `${cellText(who ?? null)}, ${cellText(what ?? null)}: ${cellText(why ?? null)}`;
  return { severity: what === 'way back in' ? 'widening' : 'attention', text, part: remainsTitle };
}

const remainsTitle = 'Remaining access';

/** What the page says of how far it came. */
function stateWords({ state, people }: Offboarding, remains: number): string[] {
  if (state === 'planned')
    return ['Nothing was changed yet. docs apply carries it out and completes the evidence, not this page.'];
  if (state !== 'complete') return [];
  const still = remains === 0 ? '' : ` What remains: ${counted(remains, 'way')} back in.`;
  return [`${counted(people.length, 'member')} removed, and reading again confirms it.${still}`];
}

/** Why an offboarding is not over. */
function openWords({ state }: Offboarding): string[] {
  if (state === 'begun')
    return [
      'The offboarding was begun, and its end is not recorded here: more may have been done than is shown.',
    ];
  if (state !== 'incomplete') return [];
  return ['The offboarding is incomplete: requests were not done, or reading again does not confirm them.'];
}

/** `Ran by`, with who it was. */
function factOf({ what, id, name, value, status, at }: FactRow): readonly [string, string] {
  const label = what.charAt(0).toUpperCase() + what.slice(1);
  const shown = what === 'platform' && value !== undefined ? platformName(value) : value;
  const words = [name, shown, status, at].filter((word) => word !== undefined).join(', ');
  return [label, words === '' ? (id ?? '') : id === undefined ? words : `${words} (${id})`];
}

/** What is not done or not confirmed of a member, and what the offboarding leaves open. */
function remainsOf({ user, actions, after, warnings }: Leaver): Cell[][] {
  const undone = actions.filter(({ status }) => status !== 'ok');
  const open: readonly (readonly [what: string, why: string])[] = [
    ...undone.map((action) => [actionWords(action), whyOpen(action)] as const),
    ...(after === undefined ? [['read again', 'not done'] as const] : unconfirmed(after, actions)),
    ...warnings.map((warning) => ['way back in', warning] as const),
  ];
  return open.map(([what, why]) => [nameOf(user), what, why]);
}

function whyOpen({ status, error }: Action): string {
  if (status === 'planned') return 'not sent';
  if (status === 'unknown') return 'sent, and the answer was lost';
  return String(error?.message ?? 'failed');
}

/** What reading again does not confirm. */
function unconfirmed({ member, teams }: After, actions: readonly Action[]): [string, string][] {
  const still = (is: boolean | null) => (is === null ? 'could not be read again' : 'still a member');
  const kept = teams.filter((team) => team.member !== false);
  const unowned = actions.filter(({ does, team, to }) => {
    const owners = teams.find(({ id }) => id === team?.id)?.owners ?? [];
    return does === 'hand over team' && !owners.some(({ id }) => id === to?.id);
  });
  return [
    ...(member === false ? [] : [['membership', still(member)] satisfies [string, string]]),
    ...kept.map((team): [string, string] => [`team ${team.title}`, still(team.member)]),
    ...unowned.map(({ team, to }): [string, string] => [
      `team ${team?.title ?? ''}`,
      `not shown as owned by ${to === undefined ? 'its new owner' : nameOf(to)}`,
    ]),
  ];
}

function peopleTable({ people }: Offboarding): TablePart {
  const columns: Columns = {
    Person: 'text',
    Email: 'text',
    Role: 'role',
    Had: 'text',
    'Last seen': 'time',
    'Requests done': 'text',
    'Still a member': 'text',
    ID: 'id',
  };
  const rows = people.map(({ user, before, actions, after }): Cell[] => {
    const done = actions.filter(({ status }) => status === 'ok').length;
    const member = after?.member;
    const { role, teams, spaces, changeRequests, lastSeenAt } = before;
    const had = [
      counted(teams.length, 'team'),
      counted(spaces.length, 'space'),
      counted(changeRequests.length, 'change request'),
    ].join(', ');
    return [
      ...[user.displayName, user.email ?? null, role ?? 'guest', had, lastSeenAt ?? null],
      ...[`${done} of ${actions.length}`, memberWords(member), user.id],
    ];
  });
  return tablePart('People', columns, {
    rows,
    empty: 'No one.',
    note: 'Role, and what the person had, are from before.',
  });
}

function memberWords(member: boolean | null | undefined): string {
  if (member === undefined || member === null) return 'not read again';
  return member ? 'yes' : 'no';
}

function requestTable({ people }: Offboarding): TablePart {
  const columns: Columns = {
    Person: 'text',
    Request: 'text',
    State: 'state',
    At: 'time',
    Sent: 'text',
    'Request ID': 'id',
    Error: 'text',
  };
  const rows = people.flatMap(({ user, actions }) =>
    actions.map((action): Cell[] => {
      const { status, at, method, path, requestId, error } = action;
      const failed = error === undefined ? null : String(error.message ?? '');
      return [
        nameOf(user),
        actionWords(action),
        status,
        at ?? null,
        `${method} ${path}`,
        requestId ?? null,
        failed,
      ];
    }),
  );
  const note = 'The requests of one member are sent in this order.';
  return tablePart('Requests', columns, { rows, empty: 'None.', note });
}

function remainsTable(rows: Cell[][]): TablePart {
  const columns: Columns = { Person: 'text', What: 'text', Why: 'text' };
  return tablePart(remainsTitle, columns, { rows, empty: 'Nothing remains.' });
}

/** The facts of one part of the evidence. */
function factTable(report: Offboarding, part: FactRow['part'], title: string): TablePart {
  const columns: Columns = {
    Person: 'text',
    What: 'text',
    Name: 'text',
    Value: 'text',
    State: 'state',
    At: 'time',
    ID: 'id',
  };
  const rows = rowsOf(report)
    .filter((row) => row.part === part)
    .map(({ user, what, name, value, status, at, id }): Cell[] => [
      ...[user === undefined ? null : nameOf(user), what, name ?? null, value ?? null],
      ...[status ?? null, at ?? null, id ?? null],
    ]);
  return tablePart(title, columns, { rows, empty: 'Nothing.' });
}

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
  if (outputFormat(session) === 'id') return idView;
  return session.settings.fields !== undefined || isStructured(session) ? reportView : rowView(people);
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
