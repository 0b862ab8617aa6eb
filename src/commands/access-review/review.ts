import { listMemberSpaces, listMembers, type Member } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listTeams } from '../../api/resources/teams.js';
import { DocsError, usageError } from '../../errors.js';
import { readFailure } from '../../jobs/unread.js';
import { counted } from '../../output/counted.js';
import type { Page } from '../../output/printer.js';
import { parseSpan } from '../../settings/duration.js';
import { concurrencyOf } from '../change.js';
import type { ManualInput } from '../command.js';
import { contextId } from '../context.js';
import { each, type Reading, readTeam } from '../offboard/holdings.js';
import type { Session } from '../session.js';
import { flagsOf, type Gauge, inCells, isInactive, type ReviewRow, type ReviewTeam, rowView } from './row.js';

/** The access review: every member that is asked for, as they come, with what they can reach. */

const usualInactiveMs = 90 * 86_400_000;

/** How many members are read before their rows are printed, as a multiple of those read at once. */
const ahead = 8;

interface Filter {
  inactive: boolean;
  roles: readonly string[];
  noSso: boolean;
}

/**
 * Prints a row a member.
 * @throws DocsError usage; partial `not_all_read` (exit 3) where something could not be read
 */
export async function reviewAccess(session: Session, input: ManualInput): Promise<void> {
  const { options } = input;
  const inactiveMs = inactiveOf(input);
  const roles = (options.role as string[] | undefined) ?? [];
  const filter: Filter = { inactive: options.inactive !== undefined, roles, noSso: options.sso === false };
  const concurrency = concurrencyOf(input);
  await session.printer.check(rowView);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const organizationId = await contextId(session, 'org');
  const { emailDomains } = await client.call(getOrg, { path: { organizationId } });
  const reading: Reading = { client, organizationId, concurrency, signal: session.io.signal };
  const nowMs = client.platformNowMs ?? session.io.now();
  const review = new Review(reading, filter, { inactiveMs, nowMs, emailDomains });
  await session.printer.list(review.pages(isStructured(session)), rowView);
  conclude(session, review);
}

function inactiveOf({ options }: ManualInput): number {
  if (typeof options.inactive !== 'string') return usualInactiveMs;
  const ms = parseSpan(options.inactive);
  if (ms !== undefined) return ms;
  throw usageError(
    'invalid_duration',
    `--inactive takes a time such as 90d or 12w, not ${JSON.stringify(options.inactive)}.`,
  );
}

/** Programs get lists as lists. */
function isStructured({ settings, globals }: Session): boolean {
  return globals.jq !== undefined || ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '');
}

/** Something that could not be read. */
interface Unread {
  what: string;
  error: DocsError;
}

class Review {
  readonly unread: Unread[] = [];
  rows = 0;
  readonly #reading: Reading;
  readonly #filter: Filter;
  readonly #gauge: Gauge;
  readonly #teams = new Map<string, ReviewTeam[]>();
  /** Teams whose members are not known: anybody may be in them. */
  readonly #hidden: string[] = [];

  constructor(reading: Reading, filter: Filter, gauge: Gauge) {
    this.#reading = reading;
    this.#filter = filter;
    this.#gauge = gauge;
  }

  async *pages(structured: boolean): AsyncGenerator<Page> {
    await this.#readTeams();
    const size = this.#reading.concurrency * ahead;
    let waiting: Member[] = [];
    for await (const member of this.#members()) {
      waiting.push(member);
      if (waiting.length < size) continue;
      yield* this.#shown(waiting, structured);
      waiting = [];
    }
    yield* this.#shown(waiting, structured);
  }

  async *#shown(members: readonly Member[], structured: boolean): AsyncGenerator<Page> {
    const items: unknown[] = [];
    for await (const row of each(this.#reading, members, (member) => this.#row(member)))
      items.push(structured ? row : inCells(row));
    this.rows += items.length;
    if (items.length > 0) yield { items, next: 'more' };
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

  /** The teams of everybody: a list a team, which are fewer than members. */
  async #readTeams(): Promise<void> {
    const { client, organizationId, signal } = this.#reading;
    const teams: { id: string; title: string }[] = [];
    try {
      for await (const { id, title } of client.call(listTeams, { path: { organizationId } }))
        teams.push({ id, title });
    } catch (cause) {
      this.unread.push({ what: 'teams', error: readFailure(cause, signal) });
      this.#hidden.push('teams');
    }
    for await (const read of each(this.#reading, teams, (team) => readTeam(this.#reading, team))) {
      if ('roles' in read) this.#addTeam(read);
      else {
        this.unread.push({ what: read.what, error: failureOf(read.error) });
        this.#hidden.push(read.what);
      }
    }
  }

  #addTeam({
    id,
    title,
    owners,
    roles,
  }: Exclude<Awaited<ReturnType<typeof readTeam>>, { what: string }>): void {
    for (const [user, role] of roles) {
      const onlyOwner = role === 'owner' && owners.length === 1;
      const own = this.#teams.get(user) ?? [];
      this.#teams.set(user, [...own, { id, title, role, onlyOwner }]);
    }
  }

  async #row(member: Member): Promise<ReviewRow> {
    const { id, user, role, lastSeenAt, joinedAt, sso, disabled } = member;
    const notRead = [...this.#hidden];
    const teams = this.#teams.get(id) ?? [];
    const spaces = await this.#spacesOf(member, notRead);
    return {
      id,
      user: { displayName: user.displayName, ...(user.email !== undefined && { email: user.email }) },
      ...{ role, ...(lastSeenAt !== undefined && { lastSeenAt }), joinedAt, sso, disabled },
      flags: flagsOf(member, teams, notRead, this.#gauge),
      ...{ teams, spaces, notRead, decision: '' },
    };
  }

  async #spacesOf({ id, user }: Member, notRead: string[]): Promise<ReviewRow['spaces']> {
    const { client, organizationId, signal } = this.#reading;
    const spaces: ReviewRow['spaces'] = [];
    try {
      const listing = client.call(listMemberSpaces, { path: { organizationId, userId: id } });
      for await (const { permission, space } of listing)
        spaces.push({ id: space.id, title: space.title, role: permission });
    } catch (cause) {
      const error = readFailure(cause, signal);
      this.unread.push({ what: `spaces of ${user.email ?? id}`, error });
      notRead.push('spaces');
    }
    return spaces;
  }
}

function failureOf(error: Record<string, unknown>): DocsError {
  return new DocsError('partial', String(error.code), String(error.message), { details: { error } });
}

/** What could not be read, and how many there are. */
function conclude({ printer, settings }: Session, { unread, rows }: Review): void {
  const words = `${counted(rows, 'member')} to review.`;
  if (unread.length === 0) {
    printer.note(words);
    return;
  }
  if (!['json', 'ndjson'].includes(settings.output?.value ?? ''))
    for (const { what, error } of unread) printer.warn(`Not read: ${what}: ${error.message}`);
  const message = `${words} ${counted(unread.length, 'list')} could not be read; the rows concerned say so.`;
  throw new DocsError('partial', 'not_all_read', message, {
    details: { rows, unread: unread.map(({ what, error }) => ({ what, error: error.toJSON() })) },
    retryable: unread.some(({ error }) => error.failure.retryable === true),
  });
}
