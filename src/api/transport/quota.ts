const capacity = 500;
const costOfRetry = 5;
const costOfTimeout = 10;
/** Refund of a success without retries, so that a long job survives a few bad items. */
const reward = 1;

/**
 * The quota shared by the retries of all requests, so that a large job stops hammering a dead server
 * (RELIABILITY.md, "Retries").
 */
export class RetryQuota {
  #tokens = capacity;

  /**
   * Pays for one retry.
   * @param afterTimeout whether the attempt before it timed out, which costs double
   * @returns the cost, or undefined if the quota is exhausted
   */
  take(afterTimeout: boolean): number | undefined {
    const cost = afterTimeout ? costOfTimeout : costOfRetry;
    if (cost > this.#tokens) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Refunds what a successful request paid. */
  refund(paid: number): void {
    this.#tokens = Math.min(capacity, this.#tokens + Math.max(paid, reward));
  }
}
