import type { Client, LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../errors.js';
import { callOne } from './request.js';
import type { Reads, Resource } from './rule.js';

/** Reads of the platform for rules: what is not there is null, every other failure is thrown. */
export function readsOf(client: Client): Reads {
  return {
    one: (op, input) => unlessGone(async () => (await callOne(client, { op, input })) as Resource),
    all: (op, input) =>
      unlessGone(async () => {
        const items: Resource[] = [];
        for await (const item of listOf(client, op, input)) items.push(item as Resource);
        return items;
      }),
  };
}

/** The other side of the seam in request.ts: a list held as data. */
export function listOf(client: Client, op: AnyOperation, input: LooseInput): AsyncIterable<unknown> {
  return client.call(op, input as Parameters<Client['call']>[1]) as unknown as AsyncIterable<unknown>;
}

async function unlessGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return null;
    throw cause;
  }
}

/** Refusals of a read, which say nothing of the change: it is sent all the same, its own answer tells. */
const refusals: ReadonlySet<string> = new Set([
  'unauthenticated',
  'forbidden',
  'conflict',
  'refused',
  'bad-response',
]);

/** Whether a failed read leaves the state unknown, rather than the platform out of reach. */
export function isRefusal(cause: unknown): boolean {
  return cause instanceof DocsError && refusals.has(cause.kind);
}
