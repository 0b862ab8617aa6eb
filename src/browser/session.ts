import { createHash, randomBytes } from 'node:crypto';

/** Who has opened the pages: cookies of this server, kept in memory alone, so that they end with it. */

/** For how long a browser may look without opening the pages anew. */
const lifetimeMs = 12 * 60 * 60 * 1000;
/** The oldest ends where one more comes. */
const mostSessions = 50;
/** Forms that wait to be sent, of one session: of the pages that it has open. */
const mostTickets = 200;

/** What an action did, for the next page to say. */
export interface ActionOutcome {
  text: string;
  /** The command that does the same. */
  command: string;
}

/** A browser that has opened the pages. */
export class Session {
  readonly endsAt: number;
  /** The user whom the pages show an organization as, by its id; none for the one who sees most. */
  readonly seenAs = new Map<string, string>();
  /** The organization that was looked at last. */
  org: string | undefined;
  readonly #tickets = new Set<string>();
  #told: ActionOutcome | undefined;

  constructor(endsAt: number) {
    this.endsAt = endsAt;
  }

  /** Makes what one form may be sent with, once. */
  makeTicket(): string {
    const ticket = secretText();
    this.#tickets.add(hashOf(ticket));
    forgetOldest(this.#tickets, mostTickets);
    return ticket;
  }

  /** Removes a ticket and says whether it was good: made for this session, and not used before. */
  takeTicket(ticket: string): boolean {
    return this.#tickets.delete(hashOf(ticket));
  }

  tell(told: ActionOutcome): void {
    this.#told = told;
  }

  /** What there is to say, once. */
  takeTold(): ActionOutcome | undefined {
    const told = this.#told;
    this.#told = undefined;
    return told;
  }
}

export class Sessions {
  /** By the hash of their secrets, the oldest first. */
  readonly #all = new Map<string, Session>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins one and returns its secret. */
  begin(): string {
    const secret = secretText();
    this.#all.set(hashOf(secret), new Session(this.#now() + lifetimeMs));
    forgetOldest(this.#all, mostSessions);
    return secret;
  }

  find(secret: string | undefined): Session | undefined {
    const session = secret === undefined ? undefined : this.#all.get(hashOf(secret));
    return session !== undefined && session.endsAt > this.#now() ? session : undefined;
  }
}

/** Other servers of this machine share the cookies of its address, so each has a name of its own. */
export function cookieName(port: number | undefined): string {
  return `docs_sandbox_${port ?? 0}`;
}

/** The value of a cookie in a header. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

function forgetOldest(all: Set<string> | Map<string, unknown>, most: number): void {
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
}

function secretText(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
