import { type Client, callOne, type LooseInput, prepare } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import { isObject } from '../../base/values.js';
import { readAll } from '../../jobs/in-order.js';
import { outOfTime } from '../../snapshot/tasks.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import type { Affected, Impact, ImpactQuestion } from './change.js';
import { readImpact } from './impact.js';
import { type Asked, askedOf, getterOf, questionsOf, type Request } from './questions.js';
import { type Summarized, together } from './summary.js';

/** Asks about the impact of requests before they are sent. */

/** A reading whose organizations the requests tell. */
export type OpenReading = Omit<Reading, 'organizationId'>;
type ReadImpact = (reading: Reading, question: ImpactQuestion) => Promise<Impact>;

export interface Asking {
  /** Where all requests are about one organization. */
  organizationId?: string;
  /** Default: the engine of `docs impact`. */
  read?: ReadImpact;
}

/**
 * The impact of requests, all together. Sends only reads.
 * @throws DocsError where the token is refused or the run was interrupted
 */
export async function askAll(
  reading: OpenReading,
  requests: readonly Request[],
  { organizationId, read = readImpact }: Asking = {},
): Promise<Summarized> {
  const unknown: Unread[] = [];
  const impacts: Impact[] = [];
  for (const [id, own] of await byOrganization(reading, requests, organizationId, unknown)) {
    const { questions } = questionsOf(own);
    for (const question of questions) {
      const found = await ask({ ...reading, organizationId: id }, question, read, unknown);
      if (found !== undefined) impacts.push(found);
    }
  }
  const all = together(impacts);
  return { ...all, unknown: [...unknown, ...all.unknown] };
}

/** An answer is about all things of a question; where some cannot be read, it is about the others. */
async function ask(
  reading: Reading,
  question: ImpactQuestion,
  read: ReadImpact,
  unknown: Unread[],
): Promise<Impact | undefined> {
  const { things } = question;
  try {
    return await read(reading, question);
  } catch (cause) {
    const first = unreadOf(cause, reading.signal, named(things[0]));
    const isLate = first.error.code === outOfTime;
    const there = isLate || things.length < 2 ? [] : await readable(reading, things);
    const isSplit = there.length > 0 && there.length < things.length;
    const lost = isSplit ? things.filter((thing) => !there.includes(thing)) : things;
    unknown.push(...lost.map((thing) => ({ ...named(thing), error: first.error })));
    return isSplit ? ask(reading, { ...question, things: there }, read, unknown) : undefined;
  }
}

function named({ object, id }: Pick<Affected, 'object' | 'id'> = { object: 'space', id: '' }) {
  return { kind: object, id };
}

/** Those that an operation reads one by one. */
async function readable(reading: Reading, things: readonly Affected[]): Promise<Affected[]> {
  const { client, organizationId } = reading;
  const found = await readAll(reading, things, async (thing) => {
    const op = getterOf(thing.object);
    if (op === undefined) return undefined;
    const own = pathParameters(op.path).at(-1) ?? '';
    try {
      await callOne(client, { op, input: { path: { organizationId, ...thing.within, [own]: thing.id } } });
      return thing;
    } catch (cause) {
      unreadOf(cause, reading.signal, named(thing));
      return undefined;
    }
  });
  return found.filter((thing) => thing !== undefined);
}

/**
 * Requests by the organization that they are about: that of their path, else that of what the path begins with,
 * which is read. That of the settings may be another.
 */
async function byOrganization(
  reading: OpenReading,
  requests: readonly Request[],
  known: string | undefined,
  unknown: Unread[],
): Promise<Map<string, Request[]>> {
  const found = new Map<string, Request[]>();
  const read = new Map<string, Promise<string | undefined>>();
  const asked = requests.flatMap((request) => {
    const about = askedOf(request.op);
    return about === undefined ? [] : [{ request, about }];
  });
  await readAll(reading, asked, async ({ request, about }) => {
    try {
      const id = known ?? (await organizationOf(reading.client, request, read));
      if (id === undefined) return;
      const own = found.get(id);
      if (own === undefined) found.set(id, [request]);
      else own.push(request);
    } catch (cause) {
      unknown.push(unreadOf(cause, reading.signal, nameOf(about, request)));
    }
  });
  return found;
}

function nameOf({ object }: Asked, { op, input }: Request): Omit<Unread, 'error'> {
  return { kind: object, id: String(input.path?.[pathParameters(op.path).at(-1) ?? ''] ?? '') };
}

/** @param read what was read, by path: a space with many comments is read once */
async function organizationOf(
  client: Client,
  { op, input }: Request,
  read: Map<string, Promise<string | undefined>>,
): Promise<string | undefined> {
  const own: unknown = input.path?.organizationId;
  if (typeof own === 'string') return own;
  const top = topOf(op);
  if (top === undefined) return undefined;
  const { path } = prepare(top, input);
  const found = read.get(path) ?? readOrganization(client, top, input);
  read.set(path, found);
  return found;
}

async function readOrganization(
  client: Client,
  op: AnyOperation,
  { path = {} }: LooseInput,
): Promise<string | undefined> {
  const answer = await callOne(client, { op, input: { path } });
  const organization = isObject(answer) ? answer.organization : undefined;
  return typeof organization === 'string' ? organization : undefined;
}

/** The operation that reads what a path begins with: of `/v1/spaces/{spaceId}/comments/{commentId}` the space. */
function topOf({ path }: AnyOperation): AnyOperation | undefined {
  const top = /^\/v1\/\w+\/\{\w+\}/.exec(path)?.[0];
  return operations.find((one) => one.method === 'GET' && one.path === top);
}
