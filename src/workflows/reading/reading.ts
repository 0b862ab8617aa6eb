import type { Client } from '../../api/client.js';
import { runInOrder } from '../../jobs/in-order.js';

/** What the reads of a workflow share. */
export interface Reading {
  client: Client;
  organizationId: string;
  /** Requests under way at once. */
  concurrency: number;
  signal: AbortSignal;
}

type Pace = Pick<Reading, 'concurrency'>;

/** Reads something for each item, some at a time; yields in the order of the items. @throws the first failure */
export function readEach<T, R>(
  { concurrency }: Pace,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  return runInOrder(items.length, (index) => read(items[index] as T), { concurrency });
}

/** As `readEach`, but all at the end. */
export async function readAll<T, R>(
  pace: Pace,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for await (const result of readEach(pace, items, read)) results.push(result);
  return results;
}
