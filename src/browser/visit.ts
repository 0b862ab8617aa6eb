import { type Client, createClient, type Listing } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { operationAt } from '../api/resources/index.js';
import { listMemberSpaces } from '../api/resources/members.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import type { Transport, TransportRequest, TransportResponse } from '../api/transport.js';
import { DocsError } from '../base/errors.js';
import type { Handler } from '../sandbox/handle.js';
import { handlers } from '../sandbox/handlers/index.js';
import { notFound, refusal } from '../sandbox/refusal.js';
import type { User } from '../sandbox/scope.js';
import type { PageParts } from '../sandbox/server/front.js';
import { type Responder, readQuery } from '../sandbox/server/respond.js';
import { memberOf, mostPowerful } from '../sandbox/server/tokens.js';
import type { PageSettings } from './action.js';
import { type Link, orgPath, type Page, spacePath } from './parts.js';
import type { Session } from './session.js';

/** A visit of one page. */
export interface Visit {
  parts: PageParts;
  /** Path of the page. */
  at: string;
  query: URLSearchParams;
  session: Session;
  settings: PageSettings;
  /** Aborts where the visitor has gone. */
  signal: AbortSignal;
  /** What the forms of the page are sent with: the first that is sent uses it up. */
  ticket(): string;
}

/** Bytes in place of a page. */
export interface Sent {
  type: string;
  bytes: Uint8Array | string;
  headers?: Readonly<Record<string, string>>;
}

/** Makes the page at a path. @param words the variable segments of it @throws DocsError as the platform answers */
export type View = (visit: Visit, words: readonly string[]) => Promise<Page | Sent>;

/** An organization, as a member sees it: the one who sees most, unless the visitor chose another. */
export interface InOrg {
  client: Client;
  user: User;
  org: Organization;
  trail: readonly Link[];
}

export interface InSpace extends InOrg {
  space: Space;
}

/** @throws 404 */
export async function inOrg(visit: Visit, organizationId: string): Promise<InOrg> {
  const { db, responder } = visit.parts;
  const user = seenAs(visit, organizationId) ?? mostPowerful(db, organizationId);
  if (user === undefined) throw notFound('organization', organizationId);
  const client = clientAs(responder, user);
  const org = await client.call(getOrg, { path: { organizationId } });
  visit.session.org = org.id;
  return { client, user, org, trail: [{ label: org.title, href: orgPath(org.id) }] };
}

/** The member whom the visitor chose, if there is one by now. */
export function seenAs({ parts, session }: Visit, organizationId: string): User | undefined {
  const userId = session.seenAs.get(organizationId);
  return userId === undefined ? undefined : memberOf(parts.db, organizationId, userId);
}

/** The spaces that the user sees, with counts of what is in them. */
export async function spacesOf({ client, org, user }: InOrg): Promise<Space[]> {
  const path = { organizationId: org.id, userId: user.userId };
  const spaces: Space[] = [];
  for await (const { space } of client.call(listMemberSpaces, { path, query: { order: 'asc' } }))
    spaces.push(space);
  return spaces;
}

/** How long a list is, of which one item is asked for; undefined where the user may not see it. */
export async function countOf(listing: Listing<unknown>): Promise<number | undefined> {
  try {
    for await (const { count } of listing.pages()) return count;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
  }
  return undefined;
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
    send: async (request) => {
      if (request.method !== 'GET') throw new Error('The pages change nothing as a user.');
      return answerAs(responder, user, request);
    },
    download: async () => {
      throw new Error('The pages read files from the database.');
    },
    platformNowMs: undefined,
    close: async () => {},
  };
  return createClient(transport);
}

/** What the platform answers a user. @throws as the handlers: their refusals, with their statuses */
export async function answerAs(
  responder: Responder,
  user: User,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { method, path, body: sent } = request;
  const found = operationAt({ method, path });
  const handler = found && byOperation.get(found.op);
  if (found === undefined || handler === undefined) throw refusal(501, `the sandbox does not answer ${path}`);
  const { op, input } = found;
  const asked = {
    user,
    path: input.path ?? {},
    query: readQuery(op, path.split('?')[1] ?? ''),
    body: sent,
    url: path,
  };
  const { status, body } = await responder.respond(handler, asked);
  const value: unknown = body === undefined ? undefined : JSON.parse(body.toString());
  return { status, headers: {}, body: value, attempts: 1 };
}
