import type { Member } from '../../api/resources/members.js';
import { roles, timestamp } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import type { View } from '../../output/printer.js';
import { closed, flag, maybe, oneOf, orNull, roleText, text } from '../printed-shapes.js';
import { fieldPaths } from '../view.js';

/** A member in an access review: what they may do, and what about them wants a look. */

export const reviewFlags = [
  'admin',
  'guest',
  'disabled',
  'inactive',
  'never-seen',
  'no-sso',
  'outside',
  'only-owner',
  'not-read',
] as const;
export type ReviewFlag = (typeof reviewFlags)[number];

export const ReviewTeam = closed({
  id: text,
  title: text,
  role: text,
  onlyOwner: Type.Boolean({ description: 'Nobody else owns the team' }),
});
export type ReviewTeam = Static<typeof ReviewTeam>;

export const ReviewRow = closed({
  id: text,
  user: closed({ displayName: text, email: maybe }),
  role: orNull(roleText),
  lastSeenAt: Type.Optional(timestamp),
  joinedAt: timestamp,
  sso: flag,
  disabled: flag,
  flags: Type.Array(oneOf(...reviewFlags)),
  teams: Type.Array(ReviewTeam),
  spaces: Type.Array(closed({ id: text, title: text, role: text })),
  notRead: Type.Array(text, { description: 'What of it could not be read' }),
  decision: Type.String({ description: 'Empty: for the reviewer to fill in' }),
});
export type ReviewRow = Static<typeof ReviewRow>;

export const rowView: View = {
  columns: [
    { path: 'user.displayName', label: 'NAME' },
    { path: 'user.email', label: 'EMAIL' },
    { path: 'role' },
    { path: 'lastSeenAt' },
    { path: 'sso' },
    { path: 'flags', keep: true },
    { path: 'teams' },
    { path: 'spaces' },
    { path: 'decision' },
    { path: 'id' },
  ],
  ...fieldPaths(ReviewRow),
  empty: 'No members.',
};

/** What the flags of a member are told by. */
export interface Gauge {
  /** Not seen for so long is inactive, in milliseconds. */
  inactiveMs: number;
  /** By the platform's clock, in milliseconds since the epoch. */
  nowMs: number;
  /** Domains whose addresses belong to the organization; none where it names none. */
  emailDomains: readonly string[];
}

/** Who was never seen counts from the day they joined. */
export function isInactive({ lastSeenAt, joinedAt }: Member, { inactiveMs, nowMs }: Gauge): boolean {
  return nowMs - Date.parse(lastSeenAt ?? joinedAt) >= inactiveMs;
}

export function flagsOf(
  member: Member,
  teams: readonly ReviewTeam[],
  notRead: readonly string[],
  gauge: Gauge,
): ReviewFlag[] {
  const { role, disabled, lastSeenAt, sso, user } = member;
  const domain = user.email?.split('@').at(-1)?.toLowerCase();
  const { emailDomains } = gauge;
  const raised: Record<ReviewFlag, boolean> = {
    admin: role === 'admin',
    guest: role === null,
    disabled,
    inactive: isInactive(member, gauge),
    'never-seen': lastSeenAt === undefined,
    'no-sso': !sso,
    outside: emailDomains.length > 0 && !emailDomains.some((one) => one.toLowerCase() === domain),
    'only-owner': teams.some(({ onlyOwner }) => onlyOwner),
    'not-read': notRead.length > 0,
  };
  return reviewFlags.filter((name) => raised[name]);
}

/** The row in cells of text, for tables and spreadsheets: a guest has a word, lists are told in one line. */
export function inCells(row: ReviewRow): Record<string, unknown> {
  const { teams, spaces, flags, role, notRead } = row;
  const unread = notRead.length === 0 ? [] : [`not read: ${notRead.join(', ')}`];
  return {
    ...row,
    role: role ?? 'guest',
    flags: flags.join(', '),
    teams: teams
      .map((team) =>
        team.role === 'owner' ? `${team.title} (${team.onlyOwner ? 'only owner' : 'owner'})` : team.title,
      )
      .join(', '),
    spaces: [...countsByRole(spaces), ...unread].join(', '),
    notRead: notRead.join(', '),
  };
}

/** `admin 2, read 57`, from the highest role. */
function countsByRole(spaces: ReviewRow['spaces']): string[] {
  const known: readonly string[] = roles;
  const names = [...new Set([...known, ...spaces.map(({ role }) => role)])];
  return names.flatMap((name) => {
    const count = spaces.filter(({ role }) => role === name).length;
    return count === 0 ? [] : [`${name} ${count}`];
  });
}
