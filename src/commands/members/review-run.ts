import {
  countsByRole,
  type Filter,
  flagMeanings,
  ownedWords,
  type ReviewFlag,
  type ReviewRow,
} from '../../access/members.js';
import { openReview, type Review } from '../../access/review.js';
import { roles } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import { defined, groupBy } from '../../base/values.js';
import { isStructured } from '../../cli/run/output.js';
import { placeFacts, rehearsalWords } from '../../cli/run/report-page.js';
import type { Page, Report, ReportEnding } from '../../cli/run/run-report.js';
import {
  type BarPart,
  type Cell,
  type Columns,
  cellText,
  type Decisions,
  type Document,
  type Need,
  type TablePart,
  tablePart,
} from '../../document/document.js';
import { counted, grouped } from '../../output/text.js';
import { parseSpan } from '../../settings/duration.js';
import { notAllRead } from '../../snapshot/unread.js';

/** The page of `docs members review --html`: what needs attention, the members, and teams with one owner. */

/** What the page says beside the rows. */
interface ReviewHead extends Required<Pick<Document, 'facts' | 'about' | 'missing'>> {
  organization: { title: string };
  /** After how long a member is inactive: `90d`. */
  span: string;
  asked: Filter;
}

/** The rows of the tables, as members are read: what a page shows of each, and no more. */
export class ReviewTables {
  readonly members: Cell[][] = [];
  readonly owners: Cell[][] = [];
  readonly flags = new Map<ReviewFlag, number>();

  add(row: ReviewRow): void {
    const { id, user, role, lastSeenAt, joinedAt, sso, disabled, flags, teams, spaces, notRead } = row;
    for (const flag of flags) this.flags.set(flag, (this.flags.get(flag) ?? 0) + 1);
    const unread = notRead.map((what) => `not read: ${what}`);
    this.members.push([
      user.displayName,
      user.email ?? null,
      role ?? 'guest',
      flags,
      lastSeenAt ?? null,
      joinedAt,
      sso,
      disabled,
      teams.map(ownedWords),
      [...countsByRole(spaces), ...unread],
      id,
    ]);
    for (const team of teams)
      if (team.onlyOwner)
        this.owners.push([team.title, user.displayName, user.email ?? null, role ?? 'guest', team.id, id]);
  }
}

/** The page of a review. */
export function reviewPage(tables: ReviewTables, head: ReviewHead): Document {
  const { organization, about, facts, missing } = head;
  const needs = needsOf(tables);
  return {
    title: `Access review of ${organization.title}`,
    headline: headlineOf(tables),
    needs,
    about: [...about, ...askedWords(tables, head)],
    missing,
    facts,
    parts: [rolesBar(tables), memberTable(tables), ownerTable(tables), findings(tables)],
  };
}

/** `400 members to review: 7 admins, 54 inactive, 63 never seen`. */
function headlineOf({ members, flags }: ReviewTables): string {
  const found = (['admin', 'inactive', 'never-seen'] as const).flatMap((flag) => {
    const count = flags.get(flag) ?? 0;
    const noun = flag === 'admin' ? (count === 1 ? 'admin' : 'admins') : flag.replace('-', ' ');
    return count === 0 ? [] : [`${grouped(count)} ${noun}`];
  });
  return `${counted(members.length, 'member')} to review${found.length === 0 ? '' : `: ${found.join(', ')}`}`;
}

/** Who keeps access that nobody uses, and teams that hang on one person. */
function needsOf({ members, owners, flags }: ReviewTables): Need[] {
  const hasAll = (row: readonly Cell[], wanted: readonly string[]) => {
    const own = row[3];
    return Array.isArray(own) && wanted.every((flag) => own.includes(flag));
  };
  const idle = members.filter(
    (row) => hasAll(row, ['admin']) && (hasAll(row, ['inactive']) || hasAll(row, ['never-seen'])),
  );
  const inactive = flags.get('inactive') ?? 0;
  const guests = flags.get('guest') ?? 0;
  const line = (count: number, need: () => Omit<Need, 'part'>): Need[] =>
    count === 0 ? [] : [{ part: membersTitle, ...need() }];
  return [
    ...idle.map(
      ([name, email]): Need => ({
        severity: 'widening',
        text: `${cellText(name ?? null)} is an admin and inactive`,
        command: `docs members get ${cellText(email ?? null)}`,
        part: membersTitle,
      }),
    ),
    ...line(inactive, () => ({
      severity: 'attention',
      text: `${counted(inactive, 'member is', 'members are')} inactive`,
      command: 'docs members review --inactive 90d -o csv',
    })),
    ...line(guests, () => ({
      severity: 'attention',
      text: `${counted(guests, 'guest has', 'guests have')} access to spaces without an organization role`,
    })),
    ...owners.map(
      ([team, owner]): Need => ({
        severity: 'attention',
        text: `${cellText(owner ?? null)} is the only owner of team ${cellText(team ?? null)}`,
        part: ownersTitle,
      }),
    ),
  ];
}

function askedWords({ members }: ReviewTables, { span, asked }: ReviewHead): string[] {
  const only = [
    ...(asked.roles.length > 0 ? [`with the role ${asked.roles.join(' or ')}`] : []),
    ...(asked.inactive ? ['who are inactive'] : []),
    ...(asked.noSso ? ['who do not sign in with SSO'] : []),
  ];
  const which = only.length === 0 ? '' : ` Only members ${only.join(', and ')} were asked for.`;
  return [
    `${counted(members.length, 'member')} with their access.${which}`,
    `Inactive: not seen for ${span}, or, if never seen, joined before that.`,
  ];
}

/** Who can do what in the organization. */
function rolesBar({ members }: ReviewTables): BarPart {
  const counts = groupBy(members, (row) => cellText(row[2] ?? null));
  const order = [...roles, 'guest'];
  return {
    kind: 'bar',
    title: 'Who can do what',
    segments: order.map((role, at) => ({
      label: role,
      count: counts.get(role)?.length ?? 0,
      tone: `r${Math.max(0, 6 - at)}`,
    })),
  };
}

function findings({ flags }: ReviewTables): TablePart {
  const names = Object.keys(flagMeanings) as ReviewFlag[];
  const columns: Columns = { Flag: 'state', Meaning: 'text', Members: 'count' };
  const rows = names.flatMap((name): Cell[][] => {
    const count = flags.get(name);
    return count === undefined ? [] : [[name, flagMeanings[name], count]];
  });
  return tablePart('Findings', columns, { rows, empty: 'No member has a flag.' });
}

const membersTitle = 'Members';

/** The CSV that `--apply` takes, with the names that `-o csv` gives its columns. */
const decisions: Decisions = {
  // A key goes through the roles: the weakest comes first.
  choices: ['keep', ...roles.map((role) => `role=${role}`).reverse(), 'role=none', 'remove'],
  file: 'decisions.csv',
  columns: [
    ['Name', 'user.displayName'],
    ['Email', 'user.email'],
    ['Role', 'role'],
    ['ID', 'id'],
  ],
  command: 'docs members review --apply decisions.csv --dry-run',
};

function memberTable({ members }: ReviewTables): TablePart {
  const columns: Columns = {
    Name: 'text',
    Email: 'text',
    Role: 'role',
    Flags: 'flags',
    'Last seen': 'time',
    Joined: 'time',
    SSO: 'yesno',
    Disabled: 'yesno',
    Teams: 'text',
    Spaces: 'text',
    ID: 'id',
  };
  const note =
    'Spaces are counted by role. Press K to keep, C to change the role, R to remove; save the decisions, then apply them.';
  return tablePart(membersTitle, columns, { rows: members, empty: 'No members.', note, decisions });
}

const ownersTitle = 'Teams with one owner';

function ownerTable({ owners }: ReviewTables): TablePart {
  const columns: Columns = {
    Team: 'text',
    Owner: 'text',
    Email: 'text',
    Role: 'role',
    'Team ID': 'id',
    'Owner ID': 'id',
  };
  const note = 'Whoever removes the owner has to name another one.';
  return tablePart(ownersTitle, columns, {
    rows: owners,
    empty: 'None of these members is the only owner of a team.',
    note,
  });
}

const usualInactive = '90d';

interface ReviewRead {
  review: Review;
  filter: Filter;
  /** `90d`. */
  span: string;
  /** With `--html`: what the page shows, as members are read. */
  tables: ReviewTables | undefined;
}

/** `docs members review`: one row per member. Usage; partial `not_all_read` (exit 3) where something could not be read. */
export const reviewReport: Report<ReviewRead> = {
  split({ options: { inactive, role, sso } }) {
    const flags = { inactive, role, sso: sso === false ? false : undefined };
    return { command: 'members review', flags };
  },
  async read({ session, input, shard, page, rawReading }) {
    const { inactive, role = [], sso } = input.options;
    const span = typeof inactive === 'string' ? inactive : usualInactive;
    const terms = { inactiveMs: inactiveOf(span), nowMs: session.io.now };
    const asked = { inactive: inactive !== undefined, roles: role as Filter['roles'], noSso: sso === false };
    const filter: Filter = { ...asked, ...defined({ shard }) };
    const review = await openReview(await rawReading(), filter, terms);
    const tables = page ? new ReviewTables() : undefined;
    return { review, filter, span, tables };
  },
  rows: ({ review, tables }, { session }) => ({ items: pagesOf(review, tables, isStructured(session)) }),
  async page({ review, filter, span, tables }, { session }) {
    if (tables === undefined) throw new Error('No tables were made.');
    return reviewPage(tables, {
      organization: review.organization,
      facts: placeFacts(session, review.organization),
      about: rehearsalWords(session),
      missing: missedWords(review),
      span,
      asked: filter,
    });
  },
  end: ({ review }) => endingOf(review),
};

function inactiveOf(span: string): number {
  const ms = parseSpan(span);
  if (ms !== undefined) return ms;
  const message = `--inactive: invalid duration ${JSON.stringify(span)}; expected one such as 90d or 12w`;
  throw usageError('invalid_duration', message);
}

async function* pagesOf(
  review: Review,
  tables: ReviewTables | undefined,
  keepsLists: boolean,
): AsyncGenerator<Page> {
  for await (const rows of review.rows()) {
    for (const row of rows) tables?.add(row);
    yield { items: keepsLists ? rows : rows.map(inCells), next: 'more' };
  }
}

/** The row as text for tables and spreadsheets: guests have a role, lists are joined. */
function inCells(row: ReviewRow): Record<string, unknown> {
  const { teams, spaces, flags, role, notRead } = row;
  const unread = notRead.length === 0 ? [] : [`not read: ${notRead.join(', ')}`];
  return {
    ...row,
    role: role ?? 'guest',
    flags: flags.join(', '),
    teams: teams.map(ownedWords).join(', '),
    spaces: [...countsByRole(spaces), ...unread].join(', '),
    notRead: notRead.join(', '),
  };
}

function endingOf({ unread, count: rows }: Review): ReportEnding {
  const words = `${counted(rows, 'member')} to review.`;
  if (unread.length === 0) return { note: words };
  const message = `${words} ${counted(unread.length, 'list')} could not be read; the affected rows have the flag not-read.`;
  const facts = unread.map(({ what, error }) => ({ what, error: error.toJSON() }));
  const failure = notAllRead(message, { unread, details: { rows, unread: facts } });
  return { warnings: missedWords({ unread }), failure };
}

/** What could not be read, a sentence each. */
function missedWords({ unread }: Pick<Review, 'unread'>): string[] {
  return unread.map(({ what, error }) => `Cannot read ${what}: ${error.message}`);
}
