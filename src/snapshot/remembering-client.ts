import { type Client, type Listing, type LooseInput, type Page, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';

/**
 * A client that sends each read once. Who asks for a list again gets its pages as they were read, also while the
 * rest is being read, and the failure at the page at which it failed.
 */
export function rememberingClient(client: Client): Client {
  const known = new Map<string, unknown>();
  const call = (op: AnyOperation, input: LooseInput, ...options: unknown[]): unknown => {
    const send = client.call as (op: AnyOperation, input: LooseInput, ...options: unknown[]) => unknown;
    if (op.method !== 'GET') return send(op, input, ...options);
    const key = prepare(op, input).path;
    const read = () =>
      op.returns.kind === 'page' ? readOnce(send(op, input) as Listing<unknown>) : send(op, input);
    const found = known.get(key) ?? read();
    known.set(key, found);
    return found;
  };
  return Object.create(client, { call: { value: call } }) as Client;
}

function readOnce<T>(list: Listing<T>): Listing<T> {
  const read: Promise<IteratorResult<Page<T>>>[] = [];
  let source: AsyncIterator<Page<T>> | undefined;
  const pages = async function* (): AsyncGenerator<Page<T>> {
    source ??= list.pages()[Symbol.asyncIterator]();
    for (let at = 0; ; at += 1) {
      const next = read[at] ?? source.next();
      read[at] = next;
      const page = await next;
      if (page.done === true) return;
      yield page.value;
    }
  };
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}
