import { type Client, createClient } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { operationAt } from '../api/resources/index.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import type { Transport, TransportRequest, TransportResponse } from '../api/transport.js';
import type { Handler } from '../sandbox/handle.js';
import { handlers } from '../sandbox/handlers/index.js';
import { notFound, refusal } from '../sandbox/refusal.js';
import type { User } from '../sandbox/scope.js';
import type { PageParts } from '../sandbox/server/front.js';
import { type Responder, readQuery } from '../sandbox/server/respond.js';
import { mostPowerful } from '../sandbox/server/tokens.js';
import { homePath, type Link, orgPath, type Page, spacePath } from './parts.js';

/** A visit of one page. */
export interface Visit {
  parts: PageParts;
  /** Path of the page. */
  at: string;
  query: URLSearchParams;
  /** Aborts where the visitor has gone. */
  signal: AbortSignal;
}

/** Bytes in place of a page. */
export interface Sent {
  type: string;
  bytes: Uint8Array | string;
  headers?: Readonly<Record<string, string>>;
}

/** Makes the page at a path. @param words the variable segments of it @throws DocsError as the platform answers */
export type View = (visit: Visit, words: readonly string[]) => Promise<Page | Sent>;

/** An organization, as the one of its members sees it who sees most. */
export interface InOrg {
  client: Client;
  user: User;
  org: Organization;
  trail: readonly Link[];
  beside: NonNullable<Page['beside']>;
}

export interface InSpace extends InOrg {
  space: Space;
}

/** @throws 404 */
export async function inOrg({ parts }: Visit, organizationId: string): Promise<InOrg> {
  const user = mostPowerful(parts.db, organizationId);
  if (user === undefined) throw notFound('organization', organizationId);
  const client = clientAs(parts.responder, user);
  const org = await client.call(getOrg, { path: { organizationId } });
  const links = [
    { label: 'Overview', href: orgPath(org.id) },
    { label: 'Spaces', href: orgPath(org.id, 'spaces') },
    { label: 'Members', href: orgPath(org.id, 'members') },
    { label: 'Teams', href: orgPath(org.id, 'teams') },
    { label: 'Sites', href: orgPath(org.id, 'sites') },
    { label: 'OpenAPI specs', href: orgPath(org.id, 'openapi') },
  ];
  const trail = [
    { label: 'Organizations', href: homePath },
    { label: org.title, href: orgPath(org.id) },
  ];
  return { client, user, org, trail, beside: { label: org.title, links } };
}

/** @throws 404 also for a space of another organization */
export async function inSpace(visit: Visit, organizationId: string, spaceId: string): Promise<InSpace> {
  const found = await inOrg(visit, organizationId);
  const space = await found.client.call(getSpace, { path: { spaceId } });
  if (space.organization !== organizationId) throw notFound('space', spaceId);
  const trail = [
    ...found.trail,
    { label: 'Spaces', href: orgPath(organizationId, 'spaces') },
    { label: space.title, href: spacePath(organizationId, spaceId) },
  ];
  return { ...found, space, trail };
}

/** The platform's own handlers, asked without a request over the network: what a page shows is what they answer. */

const byOperation = new Map<AnyOperation, Handler>(handlers.map((handler) => [handler.operation, handler]));

/** A client that reads as a user. @throws as the handlers: their refusals, with their statuses */
function clientAs(responder: Responder, user: User): Client {
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
  if (found === undefined || handler === undefined) throw refusal(501, `the sandbox does not answer ${path}`);
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
