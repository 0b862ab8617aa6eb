import { type Client, callOne, prepare } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { operations } from '../../api/resources/index.js';
import { asText, defined, isObject } from '../../base/values.js';
import type { Change } from '../../jobs/change.js';
import { readAll } from '../../jobs/sequence.js';
import { aboutOperation, type ObjectName, resourceOfObject } from '../../model/resources.js';
import { outOfTime } from '../../snapshot/tasks.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import { Findings, readThing, resourceFor } from './findings.js';
import {
  type Affected,
  actionsOf,
  type Impact,
  type ImpactAction,
  type ImpactAspect,
  type ImpactQuestion,
  impactAspects,
} from './shapes.js';
import { type Summarized, together } from './summary.js';

/** The impact that is asked about before a request is sent, from the declaration of its operation alone. */

type To = NonNullable<ImpactQuestion['to']>;

/** Fields that addresses are made of. A title is in none. */
const addressFields = ['path', 'basename', 'hostname', 'proxy'] as const satisfies (keyof To)[];

/** What an operation does to the resource at its path, as far as an impact can be asked about it. */
interface Asked {
  action: ImpactAction;
  object: Affected['object'];
}

/** @returns undefined for operations that delete, move, transfer and rename nothing */
export function askedOf({ id, body }: AnyOperation): Asked | undefined {
  const { resource, verb = '' } = aboutOperation(id) ?? {};
  const action = actionOf(verb, Object.keys((body?.properties ?? {}) as object));
  const object = resource?.printed.object as ObjectName;
  return action && canLook(action, object) ? { action, object } : undefined;
}

function actionOf(verb: string, fields: readonly string[]): ImpactAction | undefined {
  if (verb === 'delete' || verb === 'transfer') return verb;
  // Others change an order, which nothing depends on.
  if (verb === 'move') return fields.includes('parent') ? verb : undefined;
  const renames = verb === 'update' && addressFields.some((field) => fields.includes(field));
  return renames ? 'rename' : undefined;
}

export type Request = Pick<Change, 'op' | 'input'>;

/** What requests would do, as few questions: one for each action, and for each place that things go to. */
interface Questions {
  questions: ImpactQuestion[];
  /** Requests whose target is only made by an earlier one, so that nothing can be asked about them. */
  open: number;
}

/** @param requests ids and values that others make are objects in place of texts */
export function questionsOf(requests: readonly Request[]): Questions {
  const groups = new Map<
    string,
    { question: Omit<ImpactQuestion, 'things'>; things: Map<string, Affected>; earlier: number }
  >();
  const freed: string[] = [];
  let open = 0;
  for (const { op, input } of requests) {
    const asked = askedOf(op);
    const to = asked && targetOf(asked.action, input.body);
    const thing = asked && thingIn(op, asked.object, input.path ?? {});
    if (asked === undefined || to === undefined || thing === undefined) continue;
    if (to === 'open') {
      open += 1;
      continue;
    }
    const { action } = asked;
    const key = JSON.stringify([action, to]);
    const group = groups.get(key) ?? {
      question: { action, ...(Object.keys(to).length > 0 && { to }) },
      things: new Map(),
      earlier: 0,
    };
    group.things.set(JSON.stringify(thing), thing);
    group.earlier = freed.length;
    groups.set(key, group);
    freed.push(...namesFreed(action, to).map((field) => `${field} ${thing.id}`));
  }
  const questions = [...groups.values()].map(({ question, things, earlier }) => ({
    ...question,
    things: [...things.values()],
    ...(question.action === 'rename' && earlier > 0 && { freed: new Set(freed.slice(0, earlier)) }),
  }));
  return { questions, open };
}

/** The fields whose values others may take once a request was sent. */
function namesFreed(action: ImpactAction, to: To): readonly string[] {
  if (action === 'delete') return addressFields;
  return action === 'rename' ? Object.keys(to) : [];
}

/**
 * Where things go, or what they are called then; undefined where the request leaves that as it is, `open` where an
 * earlier request or the environment tells it.
 */
function targetOf(action: ImpactAction, given: unknown): To | 'open' | undefined {
  if (action === 'delete') return {};
  const body = isObject(given) ? given : {};
  const names =
    action === 'rename' ? addressFields : ([action === 'move' ? 'parent' : 'organization'] as const);
  const found = names.filter((name) => body[name] !== undefined);
  if (found.length === 0) return undefined;
  if (found.some((name) => body[name] !== null && typeof body[name] !== 'string')) return 'open';
  return Object.fromEntries(found.map((name) => [name, body[name]]));
}

/** What the path names; undefined where an earlier request makes it, so that nothing can depend on it. */
function thingIn(
  { path }: AnyOperation,
  object: Affected['object'],
  given: Readonly<Record<string, unknown>>,
): Affected | undefined {
  const names = pathParameters(path);
  if (names.some((name) => typeof given[name] !== 'string')) return undefined;
  const ids = given as Readonly<Record<string, string>>;
  const own = names.at(-1) ?? '';
  const around = names.slice(0, -1).filter((name) => name !== 'organizationId');
  const within = Object.fromEntries(around.map((name) => [name, ids[name] ?? '']));
  return { object, id: ids[own] ?? '', ...defined({ within: around.length > 0 ? within : undefined }) };
}

/** What an action would break, from reads alone: the entry to all kinds of things. */

interface ImpactOptions {
  /** What to look for; all where it is not given. */
  aspects?: readonly ImpactAspect[];
  /** Called after the links of each space were read, with the number read and of all. */
  onSpace?: (read: number, of: number) => void;
}

/** Looks at the things of a question, which are of one kind, and tells what it finds. */
type FindImpact = (found: Findings, question: ImpactQuestion) => Promise<unknown>;
type Looks = Partial<Record<Affected['object'], () => Promise<FindImpact>>>;

const contents = () => import('./contents.js');
const sites = () => import('./sites.js');
const people = () => import('./people.js');
const settings = () => import('./settings.js');
const moves = async () => (await contents()).moveContents;
const orders = async () => (await sites()).orderSiteParts;
const transfers = async () => (await import('./transfer.js')).transferThings;
const renames = async () => (await import('./rename.js')).rename;

/** By kind, what rests on things that are deleted. Others are only read, and told by their title. */
const deletions: Looks = {
  space: async () => (await contents()).deleteSpaces,
  collection: async () => (await contents()).deleteCollections,
  site: async () => (await sites()).deleteSites,
  'site-section': async () => (await sites()).deleteSections,
  'site-section-group': async () => (await sites()).deleteSectionGroups,
  'site-space': async () => (await sites()).deleteSiteSpaces,
  team: async () => (await people()).deleteTeams,
  member: async () => (await people()).deleteMembers,
  'custom-field': async () => (await settings()).deleteFields,
  'openapi-spec': async () => (await settings()).deleteSpecs,
  'saml-provider': async () => (await settings()).deleteProviders,
  invite: async () => (await settings()).deleteInvites,
  comment: async () => (await settings()).deleteComments,
};

/** What looks at an action on things of a kind; which there are, the registry says (test/commands/impact.test.ts). */
function lookFor(action: ImpactAction, object: Affected['object']): (() => Promise<FindImpact>) | undefined {
  const resource = resourceOfObject(object);
  if (resource === undefined || !actionsOf(resource).includes(action)) return undefined;
  if (action === 'transfer') return transfers;
  if (action === 'rename') return renames;
  if (action === 'move') return resource.parents.includes('siteId') ? orders : moves;
  return deletions[object] ?? (async () => (await settings()).deleteOthers);
}

/** Whether the impact of an action on a kind can be told. */
export function canLook(action: ImpactAction, object: Affected['object']): boolean {
  return lookFor(action, object) !== undefined;
}

/**
 * What a change would break: links, addresses, what rests on it, and who loses access. Sends reads only.
 * @param question its things are of one kind; those of a transfer may be spaces and collections
 * @returns with what could not be read in `unknown`
 * @throws DocsError if one of the things cannot be read; where the token is refused or the run was interrupted
 */
export async function readImpact(
  reading: Reading,
  question: ImpactQuestion,
  { aspects = impactAspects, onSpace }: ImpactOptions = {},
): Promise<Impact> {
  const found = new Findings(reading, new Set(aspects), onSpace);
  const { action, things } = question;
  const objects = new Set(things.map(({ object }) => object));
  for (const object of objects) {
    const load = lookFor(action, object);
    if (load === undefined) throw new Error(`${action} of ${object} has no impact to tell.`);
    const look = await load();
    // Spaces and collections that go to another organization together keep what is between them.
    if (action === 'transfer') {
      await look(found, question);
      break;
    }
    await look(found, { ...question, things: things.filter((thing) => thing.object === object) });
  }
  return found.impact(question);
}

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
  const found = await readAll(reading, things, async (thing) => {
    if (resourceFor(thing).gets.length === 0) return undefined;
    try {
      await readThing(reading, thing);
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
  const found =
    read.get(path) ?? callOne(client, { op: top, input: { path: input.path ?? {} } }).then(ownerOf);
  read.set(path, found);
  return found;
}

function ownerOf(answer: unknown): string | undefined {
  return asText(isObject(answer) ? answer.organization : undefined);
}

/** The operation that reads what a path begins with: of `/v1/spaces/{spaceId}/comments/{commentId}` the space. */
function topOf({ path }: AnyOperation): AnyOperation | undefined {
  const top = /^\/v1\/\w+\/\{\w+\}/.exec(path)?.[0];
  return operations.find((one) => one.method === 'GET' && one.path === top);
}
