import type { Client } from '../../api/client.js';
import type { TransportRequest, TransportResponse } from '../../api/transport/contract.js';
import { encodeSegment } from '../../api/transport/exchange.js';
import { isObject } from '../../base/values.js';
import type { FileOutline } from '../files/named-in-text.js';
import type { KindName } from '../model.js';
import { type Gate, gated } from './gate.js';

/** The requests that reading the platform begins with, sent before the declarations are loaded that tell the others. */

/** Stand for ids in paths. */
export const organizationToken = 'THE-ORGANIZATION';
export const itemToken = 'THE-ITEM';

/** What is known of reading without the declarations of the kinds (first-requests.ts). */
export interface ReadingOutline {
  files: readonly FileOutline[];
  /** In the order in which they are sent. */
  first: readonly (RequestOutline & {
    /** What is sent for each item of the answer. */
    each: readonly RequestOutline[];
  })[];
}

export interface RequestOutline {
  path: string;
  expect: TransportRequest['expect'];
  /** Each of these needs it. */
  kinds: readonly KindName[];
}

/** Requests under way at once. */
const atOnce = 8;

interface Sent {
  gate: Gate;
  /** What the files of the folder seem to name. */
  named: ReadonlySet<string>;
}

const sentBy = new WeakMap<Client, Sent>();

/** @param named what the files of a folder seem to name (named-in-text.ts) */
export function sendAhead(
  client: Client,
  { first }: ReadingOutline,
  organizationId: string,
  named: ReadonlySet<string>,
): void {
  const gate = gated(client, atOnce);
  const isNamed = ({ kinds }: RequestOutline) => kinds.some((kind) => named.has(kind));
  const send = ({ path, expect }: RequestOutline, id = '') => {
    const filled = path
      .replace(organizationToken, () => encodeSegment(organizationId))
      .replace(itemToken, () => encodeSegment(id));
    return gate.ahead({ method: 'GET', path: filled, expect, read: 'json' });
  };
  for (const request of first.filter(isNamed)) {
    const answer = send(request);
    const each = request.each.filter(isNamed);
    if (each.length === 0) continue;
    const sendEach = (list: TransportResponse) => {
      for (const one of each) for (const id of idsIn(list)) send(one, id);
    };
    answer.then(sendEach, () => {}); // Reading reports why it failed.
  }
  sentBy.set(client, { gate, named });
}

function idsIn({ body }: TransportResponse): string[] {
  const items: readonly unknown[] = isObject(body) && Array.isArray(body.items) ? body.items : [];
  return items.flatMap((item) => (isObject(item) && typeof item.id === 'string' ? [item.id] : []));
}

/** What files seem to name, where requests were sent for it. */
export function namedAhead(client: Client): ReadonlySet<string> | undefined {
  return sentBy.get(client)?.named;
}

/** The gate for one reading by a client, with what was sent ahead. */
export function gateOf(client: Client): Gate {
  const gate = sentBy.get(client)?.gate ?? gated(client, atOnce);
  sentBy.delete(client);
  return gate;
}
