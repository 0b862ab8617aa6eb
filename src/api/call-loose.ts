import type { CallOptions, Client, Listing, LooseInput } from './client.js';
import type { AnyOperation } from './operation.js';

/** The one seam where types end: for operations known only at run time, with inputs that were checked. */

type TypedInput = Parameters<Client['call']>[1];

/** Calls an operation that answers one resource or nothing. @throws DocsError as `Client.call` */
export async function callOne(
  client: Client,
  { op, input }: { op: AnyOperation; input: LooseInput },
  options?: CallOptions,
): Promise<unknown> {
  return client.call(op, input as TypedInput, options);
}

/** Calls an operation that answers pages. */
export function listOf(
  client: Client,
  op: AnyOperation,
  input: LooseInput,
  options?: CallOptions,
): Listing<unknown> {
  return client.call(op, input as TypedInput, options) as unknown as Listing<unknown>;
}
