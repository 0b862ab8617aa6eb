const windowMs = 60_000;
const perWindow = 1_000_000;

/** Counts requests per token and minute of the sandbox's clock. The limit is high; for a 429, add a fault. */
export class RateLimit {
  #window = -1;
  readonly #spent = new Map<string, number>();

  /** Counts a request. Returns whether it is within the limit, and the headers (platform-facts, "Errors"). */
  spend(authorization: string, now: number): { within: boolean; headers: Record<string, string> } {
    const window = Math.floor(now / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#spent.clear();
    }
    const spent = (this.#spent.get(authorization) ?? 0) + 1;
    this.#spent.set(authorization, spent);
    return {
      within: spent <= perWindow,
      headers: {
        'x-ratelimit-limit': String(perWindow),
        'x-ratelimit-remaining': String(Math.max(0, perWindow - spent)),
        'x-ratelimit-reset': String(((window + 1) * windowMs) / 1000),
      },
    };
  }
}
