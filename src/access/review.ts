import type { Member } from '../api/resources/members.js';
import { getOrg } from '../api/resources/orgs.js';
import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { isIn } from '../shards/shard.js';
import type { Reading, Unread } from '../snapshot/unread.js';
import { type Inactivity, isAtDomain, isInactive } from './guards.js';
import { type Filter, type ReviewFlag, type ReviewRow, reviewFlags } from './members.js';
import { openTeams, type PersonAccess, readPeople } from './people.js';

/** Reads the members of an organization for a review: a row each, with what they reach. */

interface UnreadList {
  what: string;
  error: DocsError;
}

/** @param options.nowMs the time where the platform's is not known @throws DocsError as `Client.call` */
export async function openReview(
  reading: Reading,
  filter: Filter,
  { inactiveMs, nowMs }: { inactiveMs: number; nowMs(): number },
): Promise<Review> {
  const { client, organizationId } = reading;
  const { title, emailDomains } = await client.call(getOrg, { path: { organizationId } });
  const gauge = { inactiveMs, nowMs: client.platformNowMs ?? nowMs(), emailDomains };
  return new Review(reading, filter, gauge, { id: organizationId, title });
}

/** Reads the members of an organization with their access. */
export class Review {
  readonly unread: UnreadList[] = [];
  count = 0;
  readonly organization: { id: string; title: string };
  readonly #reading: Reading;
  readonly #filter: Filter;
  readonly #gauge: Gauge;

  constructor(reading: Reading, filter: Filter, gauge: Gauge, organization: Review['organization']) {
    this.organization = organization;
    this.#reading = reading;
    this.#filter = filter;
    this.#gauge = gauge;
  }

  /** The rows, some members at a time. Reads that fail are noted in the row, and in `unread`. */
  async *rows(): AsyncGenerator<ReviewRow[]> {
    const { roles, noSso, inactive, shard } = this.#filter;
    const teams = await openTeams(this.#reading);
    const isAsked = (member: Member) =>
      !(noSso && member.sso) && (!inactive || isInactive(member, this.#gauge));
    const only = (member: Member) => isIn(shard, member.id) && isAsked(member);
    let told = 0;
    for await (const people of readPeople(this.#reading, { roles, only, teams })) {
      // What could not be read of teams is not known about any member.
      for (; told < teams.unread.length; told += 1)
        this.unread.push(...teams.unread.slice(told, told + 1).map(failed));
      const hidden = teams.unread.map((one) => failed(one).what);
      const rows = people.map((person) => this.#row(person, hidden));
      this.count += rows.length;
      yield rows;
    }
  }

  #row({ member, spaces, partial, teams, unread }: PersonAccess, hidden: readonly string[]): ReviewRow {
    const { id, role, lastSeenAt, joinedAt, sso, disabled } = member;
    const { displayName, email } = member.user;
    this.unread.push(...unread.map(failed));
    const notRead = [...hidden, ...unread.map(({ kind }) => listNames[kind] ?? kind)];
    const own = teams?.teams ?? [];
    const flags = flagsOf(member, own, notRead, this.#gauge);
    const facts = defined({ id, user: defined({ displayName, email }), role, lastSeenAt, joinedAt, sso });
    const reached = (spaces ?? partial ?? []).map(({ space, role: level }) => ({
      id: space.id,
      title: space.title,
      role: level,
    }));
    return { ...facts, disabled, flags, teams: own, spaces: reached, notRead, decision: '' };
  }
}

/** What a row calls the lists of its member. */
const listNames: Readonly<Record<string, string>> = { 'member-spaces': 'spaces', 'member-teams': 'teams' };

function failed({ kind, id, title = id, error }: Unread): UnreadList {
  if (kind === 'team-members') return { what: `members of team ${title}`, error: within(error) };
  const list = listNames[kind];
  return { what: list === undefined ? kind : `${list} of ${title}`, error };
}

/** The failure of a team, which `details` of the review have one level deeper than those of members. */
function within(error: DocsError): DocsError {
  return new DocsError('partial', error.code, error.message, { details: { error: error.toJSON() } });
}

interface Gauge extends Inactivity {
  /** Email domains of the organization; may be empty. */
  emailDomains: readonly string[];
}

function flagsOf(
  member: Member,
  teams: ReviewRow['teams'],
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
