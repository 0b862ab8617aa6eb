import type { Client } from '../../api/client.js';
import { type FirstRequest, sendFirst } from '../../snapshot/ahead.js';
import type { FileOutline } from '../files/named-in-text.js';
import type { KindName } from '../model.js';

/** The requests that reading the platform begins with, sent before the declarations of the kinds are loaded. */

/** What is known of reading without these (first-requests.ts). */
export interface ReadingOutline {
  files: readonly FileOutline[];
  /** In the order in which they are sent. */
  first: readonly FirstRequest<Needed>[];
}

export interface Needed {
  /** Each of these needs the request. */
  kinds: readonly KindName[];
}

const namedBy = new WeakMap<Client, ReadonlySet<string>>();

/** @param named what the files of a folder seem to name (named-in-text.ts) */
export function sendAhead(
  client: Client,
  { first }: ReadingOutline,
  organizationId: string,
  named: ReadonlySet<string>,
): void {
  const isNamed = ({ kinds }: Needed) => kinds.some((kind) => named.has(kind));
  const wanted = first.filter(isNamed).map((request) => ({ ...request, each: request.each.filter(isNamed) }));
  sendFirst(client, wanted, organizationId);
  namedBy.set(client, named);
}

/** What files seem to name, where requests were sent for it. */
export function namedAhead(client: Client): ReadonlySet<string> | undefined {
  return namedBy.get(client);
}
