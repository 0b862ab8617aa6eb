import {
  type Cell,
  type Columns,
  type Document,
  type TablePart,
  tablePart,
} from '../../document/document.js';
import { counted } from '../../output/text.js';
import {
  countsByRole,
  type Filter,
  flagMeanings,
  ownedWords,
  type ReviewFlag,
  type ReviewRow,
} from './shapes.js';

/** The page of `docs members review --html`: what needs attention, the members, and teams with one owner. */

/** What the page says beside the rows. */
export interface ReviewHead extends Required<Pick<Document, 'facts' | 'about' | 'missing'>> {
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
export function reviewReport(tables: ReviewTables, head: ReviewHead): Document {
  const { organization, about, facts, missing } = head;
  return {
    title: `Access review of ${organization.title}`,
    about: [...about, ...askedWords(tables, head)],
    missing,
    facts,
    parts: [findings(tables), memberTable(tables), ownerTable(tables)],
  };
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

function findings({ flags }: ReviewTables): TablePart {
  const names = Object.keys(flagMeanings) as ReviewFlag[];
  const columns: Columns = { Flag: 'state', Meaning: 'text', Members: 'count' };
  const rows = names.flatMap((name): Cell[][] => {
    const count = flags.get(name);
    return count === undefined ? [] : [[name, flagMeanings[name], count]];
  });
  const note = 'Filter the members by a flag to see who has it.';
  return tablePart('Findings', columns, { rows, empty: 'No member has a flag.', note });
}

function memberTable({ members }: ReviewTables): TablePart {
  const columns: Columns = {
    Name: 'text',
    Email: 'text',
    Role: 'role',
    Flags: 'text',
    'Last seen': 'time',
    Joined: 'time',
    SSO: 'yesno',
    Disabled: 'yesno',
    Teams: 'text',
    Spaces: 'text',
    ID: 'id',
  };
  const note = 'Spaces are counted by role. Decisions go into the CSV of the review, which --apply takes.';
  return tablePart('Members', columns, { rows: members, empty: 'No members.', note });
}

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
  return tablePart('Teams with one owner', columns, {
    rows: owners,
    empty: 'None of these members is the only owner of a team.',
    note,
  });
}
