import { DocsError } from '../errors.js';

/** Many items, one request each: results in input order, whatever finishes first. */

export type ItemStatus = 'ok' | 'failed' | 'unknown' | 'skipped';

/** The outcome of one item (RELIABILITY, "Many items"). */
export interface ItemResult {
  index: number;
  id: string;
  status: ItemStatus;
  error?: Record<string, unknown>;
}

export interface ManyOptions {
  /** Requests under way at once, at least 1. */
  concurrency: number;
  /** Start nothing new after the first failure; what was not started is `skipped`. */
  failFast: boolean;
  /** Aborted: start nothing new. */
  signal: AbortSignal;
}

/**
 * Runs one action an item, some at a time, and gives the results in input order.
 * Failures do not stop the rest unless `failFast`; a bug (not a DocsError) does.
 */
export async function* runMany(
  ids: readonly string[],
  act: (id: string, index: number) => Promise<unknown>,
  options: ManyOptions,
): AsyncGenerator<ItemResult & { failure?: DocsError }> {
  let stopped = false;
  const one = async (id: string, index: number): Promise<ItemResult & { failure?: DocsError }> => {
    if (stopped || options.signal.aborted) return { index, id, status: 'skipped' };
    try {
      await act(id, index);
      return { index, id, status: 'ok' };
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
      if (options.failFast) stopped = true;
      const status = cause.failure.outcome === 'unknown' ? 'unknown' : 'failed';
      return { index, id, status, error: cause.toJSON(), failure: cause };
    }
  };
  const window: Promise<ItemResult & { failure?: DocsError }>[] = [];
  for (const [index, id] of ids.entries()) {
    window.push(one(id, index));
    if (window.length >= options.concurrency) yield await (window.shift() as (typeof window)[number]);
  }
  for (const result of window) yield await result;
}

/**
 * The failure of a whole run, or undefined where every item is ok.
 * Partial is exit 3; where nothing went well for one reason of the caller's (401, rate limit), that.
 */
export function failureOfRun(
  results: readonly (ItemResult & { failure?: DocsError })[],
): DocsError | undefined {
  const bad = results.filter((result) => result.status !== 'ok');
  if (bad.length === 0) return undefined;
  const kinds = new Set(bad.map((result) => result.failure?.kind));
  const [kind] = kinds;
  const shared = kinds.size === 1 && bad.length === results.length ? kind : undefined;
  if (shared === 'unauthenticated' || shared === 'rate-limited') return bad[0]?.failure;
  const count = (status: ItemStatus) => bad.filter((result) => result.status === status).length;
  const parts = (['failed', 'unknown', 'skipped'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`);
  const message = `${results.length - bad.length} of ${results.length} items are done; ${parts.join(', ')}.`;
  return new DocsError('partial', 'partial', message, {
    details: { total: results.length, notOk: bad.length },
  });
}
