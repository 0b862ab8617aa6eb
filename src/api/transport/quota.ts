const capacity = 500;
const costOfRetry = 5;
const costOfTimeout = 10;
/** What a success without retries gives back, so that a long job outlives a few bad items. */
const reward = 1;

/**
 * Retries of all requests of a run draw on one quota, so that a large job stops hammering a server
 * that is gone (RELIABILITY.md, "Retries").
 */
export class RetryQuota {
  #tokens = capacity;

  /**
   * Pays for one retry.
   * @param afterTimeout whether the attempt before it timed out: that costs double
   * @returns what was paid, or undefined where the quota is spent
   */
  take(afterTimeout: boolean): number | undefined {
    const cost = afterTimeout ? costOfTimeout : costOfRetry;
    if (cost > this.#tokens) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Gives back what a request paid, once it succeeded. */
  refund(paid: number): void {
    this.#tokens = Math.min(capacity, this.#tokens + Math.max(paid, reward));
  }
}
