import type { Client } from '../../api/client.js';
import { runInOrder } from '../../jobs/in-order.js';

export interface Reading {
  client: Client;
  organizationId: string;
  concurrency: number;
  signal: AbortSignal;
}

/** Reads something for each item, some at a time. @returns in the order of the items @throws the first failure */
export async function readAll<T, R>(
  { concurrency }: Pick<Reading, 'concurrency'>,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const settled = (index: number) =>
    read(items[index] as T).then(
      (value) => ({ value }),
      (failure: unknown) => ({ failure }),
    );
  for await (const result of runInOrder(items.length, settled, { concurrency })) {
    if ('failure' in result) throw result.failure;
    results.push(result.value);
  }
  return results;
}
