/**
 * A limit of time that is set again and again: to connect, until a head comes, between two pieces of a body. Its timer is
 * left to ring, and only then set for what is left. To make one for each limit, and cancel it, takes a fiftieth of a read,
 * most of it to compile what Node does for that. The timer keeps no process alive: what it limits does.
 */
export class Limit {
  #timer: NodeJS.Timeout | undefined;
  /** When the timer rings, and when the time is over. */
  #rings = 0;
  #ends = Number.POSITIVE_INFINITY;
  #ms = 0;
  #over: (() => void) | undefined;

  /**
   * @param over called unless it is set anew or cleared within so many milliseconds
   * @param mayBeLate whether `over` may wait for a timer that runs: who needs to know sooner asks `isDue`
   */
  set(ms: number, over: () => void, mayBeLate = false): void {
    this.#ends = nowMs() + ms;
    this.#ms = ms;
    this.#over = over;
    if (this.#timer === undefined || (!mayBeLate && this.#ends < this.#rings)) this.#wait(ms);
  }

  /** Begins it anew, unless it was cleared. */
  refresh(): void {
    if (this.#over !== undefined) this.#ends = nowMs() + this.#ms;
  }

  /** Whether the time is over. */
  get isDue(): boolean {
    return nowMs() >= this.#ends;
  }

  clear(): void {
    this.#ends = Number.POSITIVE_INFINITY;
    this.#over = undefined;
  }

  #wait(ms: number): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#rings = this.#ends;
    this.#timer = setTimeout(this.#onRing, ms).unref();
  }

  readonly #onRing = (): void => {
    this.#timer = undefined;
    const leftMs = this.#ends - nowMs();
    if (leftMs > 0 && this.#over !== undefined) this.#wait(leftMs);
    else this.#over?.();
  };
}

/** By a clock that nobody sets. Node loads `performance` at its first use. */
export function nowMs(): number {
  return process.uptime() * 1000;
}
