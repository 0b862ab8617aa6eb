import { createHash, randomBytes } from 'node:crypto';

/** Who has opened the pages: cookies of this server, kept in memory alone, so that they end with it. */

/** For how long a browser may look without opening the pages anew. */
const lifetimeMs = 12 * 60 * 60 * 1000;
/** The oldest ends where one more comes. */
const mostSessions = 50;

export class Sessions {
  /** When each ends, by the hash of its secret, the oldest first. */
  readonly #ends = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins one and returns its secret. */
  begin(): string {
    const secret = randomBytes(32).toString('base64url');
    this.#ends.set(hashOf(secret), this.#now() + lifetimeMs);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > mostSessions && oldest !== undefined) this.#ends.delete(oldest);
    return secret;
  }

  isOpen(secret: string | undefined): boolean {
    if (secret === undefined) return false;
    return (this.#ends.get(hashOf(secret)) ?? 0) > this.#now();
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

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
