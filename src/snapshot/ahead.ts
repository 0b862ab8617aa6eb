import type { Client } from '../api/client.js';
import type { TransportRequest, TransportResponse } from '../api/transport/contract.js';
import { encodeSegment } from '../api/transport/exchange.js';
import { isObject } from '../base/values.js';
import { type Gate, gated } from './gate.js';

/** The requests that a reading begins with, sent before the declarations are loaded that tell the others. */

/** Stand for ids in paths. */
export const organizationToken = 'THE-ORGANIZATION';
export const itemToken = 'THE-ITEM';

/** A request without its declaration (first-requests.ts). */
export interface RequestOutline {
  path: string;
  expect: TransportRequest['expect'];
}

/** @typeParam More what else is known of each request */
export type FirstRequest<More = unknown> = RequestOutline &
  More & {
    /** What is sent for each item of the answer. */
    each: readonly (RequestOutline & More)[];
  };

const sentBy = new WeakMap<Client, Gate>();

/** Sends them in their order, and what their items ask for once these are known. */
export function sendFirst(client: Client, first: readonly FirstRequest[], organizationId: string): void {
  const gate = gated(client);
  const send = ({ path, expect }: RequestOutline, id = '') => {
    const filled = path
      .replace(organizationToken, () => encodeSegment(organizationId))
      .replace(itemToken, () => encodeSegment(id));
    return gate.ahead({ method: 'GET', path: filled, expect, read: 'json' });
  };
  for (const { each, ...request } of first) {
    const answer = send(request);
    if (each.length === 0) continue;
    const sendEach = (list: TransportResponse) => {
      for (const one of each) for (const id of idsIn(list)) send(one, id);
    };
    answer.then(sendEach, () => {}); // Reading reports why it failed.
  }
  sentBy.set(client, gate);
}

function idsIn({ body }: TransportResponse): string[] {
  const items: readonly unknown[] = isObject(body) && Array.isArray(body.items) ? body.items : [];
  return items.flatMap((item) => (isObject(item) && typeof item.id === 'string' ? [item.id] : []));
}

/** The gate for one reading by a client that sent requests ahead. */
export function gateAhead(client: Client): Gate | undefined {
  const gate = sentBy.get(client);
  sentBy.delete(client);
  return gate;
}
