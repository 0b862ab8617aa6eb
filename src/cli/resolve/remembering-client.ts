import type { Client, LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';

/** A client that sends each read once: for titles of many rows, which are looked up in the same lists. */
export function rememberingClient(client: Client): Client {
  const lists = new Map<string, Promise<unknown[]>>();
  const singles = new Map<string, Promise<unknown>>();
  const call = (op: AnyOperation, input: LooseInput): unknown => {
    const send = client.call as (op: AnyOperation, input: LooseInput) => unknown;
    const key = JSON.stringify([op.id, input.path, input.query]);
    if (op.returns.kind !== 'page') return remembered(singles, key, async () => send(op, input));
    const items = () => remembered(lists, key, () => gathered(send(op, input) as AsyncIterable<unknown>));
    return {
      async *pages() {
        yield { items: await items() };
      },
      async *[Symbol.asyncIterator]() {
        yield* await items();
      },
    };
  };
  return Object.create(client, { call: { value: call } }) as Client;
}

function remembered<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

async function gathered(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of list) items.push(item);
  return items;
}
