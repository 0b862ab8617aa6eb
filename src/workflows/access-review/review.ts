import { listMemberSpaces, listMembers, type Member, type RoleFilter } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listTeams } from '../../api/resources/teams.js';
import { defined } from '../../defined.js';
import { DocsError } from '../../errors.js';
import { readAll } from '../../jobs/in-order.js';
import { type Reading, readFailure } from '../../reading/reading.js';
import { readTeam } from '../offboard/holdings.js';
import { flagsOf, type Gauge, isInactive, type ReviewRow, type ReviewTeam } from './row.js';

/** How many members are read before their rows are given out, as a multiple of the concurrency. */
const ahead = 8;

export interface Filter {
  inactive: boolean;
  /** Only members with one of these roles; all where there are none. */
  roles: readonly RoleFilter[];
  noSso: boolean;
}

interface Unread {
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
  const { emailDomains } = await client.call(getOrg, { path: { organizationId } });
  return new Review(reading, filter, { inactiveMs, nowMs: client.platformNowMs ?? nowMs(), emailDomains });
}

/** Reads the members of an organization with their access. */
export class Review {
  readonly unread: Unread[] = [];
  count = 0;
  readonly #reading: Reading;
  readonly #filter: Filter;
  readonly #gauge: Gauge;
  readonly #teams = new Map<string, ReviewTeam[]>();
  /** What is not known about any member: teams that could not be read. */
  readonly #hidden: string[] = [];

  constructor(reading: Reading, filter: Filter, gauge: Gauge) {
    this.#reading = reading;
    this.#filter = filter;
    this.#gauge = gauge;
  }

  /** The rows, some members at a time. Reads that fail are noted in the row, and in `unread`. */
  async *rows(): AsyncGenerator<ReviewRow[]> {
    await this.#readTeams();
    const read = async (members: readonly Member[]) => {
      const rows = await readAll(this.#reading, members, (member) => this.#row(member));
      this.count += rows.length;
      return rows;
    };
    const size = this.#reading.concurrency * ahead;
    let waiting: Member[] = [];
    for await (const member of this.#members()) {
      waiting.push(member);
      if (waiting.length < size) continue;
      yield await read(waiting);
      waiting = [];
    }
    if (waiting.length > 0) yield await read(waiting);
  }

  async *#members(): AsyncGenerator<Member> {
    const { client, organizationId } = this.#reading;
    const { roles, noSso, inactive } = this.#filter;
    const seen = new Set<string>();
    for (const role of roles.length === 0 ? [undefined] : roles) {
      const query = role === undefined ? {} : { role };
      for await (const member of client.call(listMembers, { path: { organizationId }, query })) {
        const wanted = !(noSso && member.sso) && (!inactive || isInactive(member, this.#gauge));
        if (wanted && !seen.has(member.id)) yield member;
        seen.add(member.id);
      }
    }
  }

  /** Lists the members of each team: fewer requests than the teams of each member. */
  async #readTeams(): Promise<void> {
    const { client, organizationId, signal } = this.#reading;
    const teams: { id: string; title: string }[] = [];
    try {
      for await (const { id, title } of client.call(listTeams, { path: { organizationId } }))
        teams.push({ id, title });
    } catch (cause) {
      this.#hide('teams', readFailure(cause, signal));
    }
    for (const team of await readAll(this.#reading, teams, (one) => readTeam(this.#reading, one))) {
      if (!('roles' in team)) {
        this.#hide(team.what, failureOf(team.error));
        continue;
      }
      const { id, title, owners, roles } = team;
      for (const [user, role] of roles) {
        const own = { id, title, role, onlyOwner: role === 'owner' && owners.length === 1 };
        this.#teams.set(user, [...(this.#teams.get(user) ?? []), own]);
      }
    }
  }

  #hide(what: string, error: DocsError): void {
    this.unread.push({ what, error });
    this.#hidden.push(what);
  }

  async #row(member: Member): Promise<ReviewRow> {
    const { id, role, lastSeenAt, joinedAt, sso, disabled } = member;
    const { displayName, email } = member.user;
    const notRead = [...this.#hidden];
    const teams = this.#teams.get(id) ?? [];
    const spaces = await this.#spacesOf(member, notRead);
    const flags = flagsOf(member, teams, notRead, this.#gauge);
    const facts = defined({ id, user: defined({ displayName, email }), role, lastSeenAt, joinedAt, sso });
    return { ...facts, disabled, flags, teams, spaces, notRead, decision: '' };
  }

  async #spacesOf({ id, user }: Member, notRead: string[]): Promise<ReviewRow['spaces']> {
    const { client, organizationId, signal } = this.#reading;
    const spaces: ReviewRow['spaces'] = [];
    try {
      const listing = client.call(listMemberSpaces, { path: { organizationId, userId: id } });
      for await (const { permission, space } of listing)
        spaces.push({ id: space.id, title: space.title, role: permission });
    } catch (cause) {
      this.unread.push({ what: `spaces of ${user.email ?? id}`, error: readFailure(cause, signal) });
      notRead.push('spaces');
    }
    return spaces;
  }
}

function failureOf(error: Record<string, unknown>): DocsError {
  return new DocsError('partial', String(error.code), String(error.message), { details: { error } });
}
