import { type Inactivity, isAtDomain, isInactive } from '../../access/guards.js';
import type { Member } from '../../api/resources/members.js';
import { timestamp } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import { closed, flag, maybe, oneOf, orNull, text } from '../../output/printed-shapes.js';

const reviewFlags = [
  ...(['admin', 'guest', 'disabled', 'inactive', 'never-seen'] as const),
  ...(['no-sso', 'outside', 'only-owner', 'not-read'] as const),
];
export type ReviewFlag = (typeof reviewFlags)[number];

/** What each flag says of a member, as a sentence. */
export const flagMeanings: Readonly<Record<ReviewFlag, string>> = {
  admin: 'Has the organization role admin.',
  guest: 'Has no organization role.',
  disabled: 'Is disabled and cannot sign in.',
  inactive: 'Was not seen for the time above.',
  'never-seen': 'Was never seen.',
  'no-sso': 'Does not sign in with SSO.',
  outside: 'Has an address outside the email domains of the organization.',
  'only-owner': 'Is the only owner of a team.',
  'not-read': 'Has access that could not be read.',
};

export const ReviewTeam = closed({
  id: text,
  title: text,
  role: text,
  onlyOwner: Type.Boolean({ description: 'The team has no other owner' }),
});
export type ReviewTeam = Static<typeof ReviewTeam>;

/** A member in an access review: their access, and flags for what needs attention. */
export const ReviewRow = closed({
  id: text,
  user: closed({ displayName: text, email: maybe }),
  role: orNull(text),
  lastSeenAt: Type.Optional(timestamp),
  joinedAt: timestamp,
  sso: flag,
  disabled: flag,
  flags: Type.Array(oneOf(...reviewFlags)),
  teams: Type.Array(ReviewTeam),
  spaces: Type.Array(closed({ id: text, title: text, role: text })),
  notRead: Type.Array(text, { description: 'Failed reads' }),
  decision: Type.String({ description: 'Empty: for the reviewer to fill in' }),
});
export type ReviewRow = Static<typeof ReviewRow>;

export interface Gauge extends Inactivity {
  /** Email domains of the organization; may be empty. */
  emailDomains: readonly string[];
}

export function flagsOf(
  member: Member,
  teams: readonly ReviewTeam[],
  notRead: readonly string[],
  gauge: Gauge,
): ReviewFlag[] {
  const { role, disabled, lastSeenAt, sso, user } = member;
  const { emailDomains } = gauge;
  const raised: Record<ReviewFlag, boolean> = {
    admin: role === 'admin',
    guest: role === null,
    disabled,
    inactive: isInactive(member, gauge),
    'never-seen': lastSeenAt === undefined,
    'no-sso': !sso,
    outside: emailDomains.length > 0 && !isAtDomain(user.email, emailDomains),
    'only-owner': teams.some(({ onlyOwner }) => onlyOwner),
    'not-read': notRead.length > 0,
  };
  return reviewFlags.filter((name) => raised[name]);
}
