import { type Client, createClient } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { operationAt } from '../../api/operation-at.js';
import type { Transport, TransportRequest, TransportResponse } from '../../api/transport.js';
import type { Handler } from '../../sandbox/handle.js';
import { handlers } from '../../sandbox/handlers/index.js';
import { refusal } from '../../sandbox/refusal.js';
import type { User } from '../../sandbox/scope.js';
import { type Responder, readQuery } from '../../sandbox/server/respond.js';

/** The platform's own handlers, asked without a request over the network: what a page shows is what they answer. */

const byOperation = new Map<AnyOperation, Handler>(handlers.map((handler) => [handler.operation, handler]));

/** A client that reads as a user. @throws as the handlers: their refusals, with their statuses */
export function clientAs(responder: Responder, user: User): Client {
  const transport: Transport = {
    send: (request) => answer(responder, user, request),
    download: async () => {
      throw new Error('The pages read files from the database.');
    },
    platformNowMs: undefined,
    close: async () => {},
  };
  return createClient(transport);
}

async function answer(
  responder: Responder,
  user: User,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { method, path } = request;
  if (method !== 'GET') throw new Error('The pages change nothing.');
  const found = operationAt({ method, path });
  const handler = found && byOperation.get(found.op);
  if (found === undefined || handler === undefined)
    throw refusal(501, `The sandbox does not answer ${path}.`);
  const { op, input } = found;
  const asked = {
    user,
    path: input.path ?? {},
    query: readQuery(op, path.split('?')[1] ?? ''),
    body: undefined,
    url: path,
  };
  const { status, body } = await responder.respond(handler, asked);
  const value: unknown = body === undefined ? undefined : JSON.parse(body.toString());
  return { status, headers: {}, body: value, attempts: 1 };
}
