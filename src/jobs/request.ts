import type { CallOptions, Client, LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';

/** Requests held as data: an operation and an input that was checked against its declaration. */

/** One request to come. */
export interface PlannedRequest {
  op: AnyOperation;
  input: LooseInput;
  /** The id that names the item: the last path parameter; '' where the path has none. */
  id: string;
}

/**
 * The one seam where types end: a request held as data names its operation at run time, so the
 * client's typed call is entered with an input that was checked against the operation's own schemas.
 * @returns the resource, or undefined where nothing comes back
 * @throws DocsError as `Client.call`
 */
export async function callOne(
  client: Client,
  { op, input }: Pick<PlannedRequest, 'op' | 'input'>,
  options?: CallOptions,
): Promise<unknown> {
  return client.call(op, input as Parameters<Client['call']>[1], options);
}
