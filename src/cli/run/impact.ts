import { callOne } from '../../api/call-loose.js';
import { type Client, prepare } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import type { Impact, ImpactQuestion } from '../../access/impact/change.js';
import { type Asked, askedOf, questionsOf } from '../../access/impact/questions.js';
import { countsOf, type ImpactCounts, summaryOf, type Told, together } from '../../access/impact/summary.js';
import { DocsError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import { readAll } from '../../jobs/in-order.js';
import type { PlannedRequest } from '../../jobs/request.js';
import { counted } from '../../output/counted.js';
import { startProgress } from '../../output/progress.js';
import { lateError, limitedClient } from '../../reading/limited-client.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import type { Session } from '../declare/session.js';
import { impactCommands } from './impact-commands.js';

/** What changes would break elsewhere, for confirmations, dry runs and plans. */

type Request = Pick<PlannedRequest, 'op' | 'input'>;
type ReadImpact = (reading: Reading, question: ImpactQuestion) => Promise<Impact>;

export interface Look {
  /** How long it may take. */
  seconds: number;
  /** What is told beside it. */
  told?: ReadonlySet<Told>;
  /** Where all requests are about one organization. */
  organizationId?: string;
  /** The reader; default: the engine of `docs impact`. */
  read?: ReadImpact;
}

export interface FoundImpact {
  /** Sentences, sanitised. */
  lines: string[];
  /** Commands that show all of it; none where nothing was found. */
  commands: string[];
  /** Absent where it could not be looked up at all. */
  counts?: ImpactCounts;
}

/**
 * Looks up what requests would break. Sends only reads; undefined, and no read at all, where nothing is deleted,
 * moved, transferred or renamed. Whatever cannot be read is told in the lines.
 * @throws DocsError interrupted, terminated: nothing was sent
 */
export async function impactOf(
  session: Session,
  client: () => Promise<Client>,
  requests: readonly Request[],
  look: Look,
): Promise<FoundImpact | undefined> {
  const { questions, open } = questionsOf(requests);
  if (questions.length === 0) return open === 0 ? undefined : { lines: openLines(open), commands: [] };
  try {
    const { impact, unknown } = await inTime(session, client, look, (reading) => ask(reading, requests, look));
    const all = { ...impact, unknown: [...unknown, ...impact.unknown] };
    const { told } = look;
    const lines = summaryOf(all, { seconds: look.seconds, ...(told && { told }) });
    const commands = lines.length === 0 ? [] : impactCommands(session, questions);
    return { lines: [...lines, ...openLines(open)], commands, counts: countsOf(all) };
  } catch (cause) {
    if (session.io.signal.aborted || !(cause instanceof DocsError)) throw cause;
    return { lines: [`Could not look up what else this affects: ${cause.message}`], commands: [] };
  }
}

function openLines(open: number): string[] {
  if (open === 0) return [];
  return [`Could not look at ${counted(open, 'change')} to something that does not exist yet.`];
}

/** Reads until the time is up; shows on a terminal that work is under way. */
async function inTime<T>(
  { io, globals, settings }: Session,
  client: () => Promise<Client>,
  look: Look,
  work: (reading: Omit<Reading, 'organizationId'>) => Promise<T>,
): Promise<T> {
  const text = 'Looking up what would be affected';
  const progress = startProgress(io, { text, quiet: globals.quiet ?? false });
  const [over, ended] = [new AbortController(), new AbortController()];
  const limit = io.sleep(look.seconds * 1000, AbortSignal.any([io.signal, ended.signal]));
  limit.then(
    () => over.abort(lateError()),
    () => {},
  );
  try {
    const limited = limitedClient(await client(), {
      until: over.signal,
      onRequest: (requests) => progress.count(requests),
      pageSize: settings.pageSize?.value,
    });
    return await work({ client: limited, concurrency: 8, signal: io.signal });
  } finally {
    ended.abort();
    progress.stop();
  }
}

async function ask(
  reading: Omit<Reading, 'organizationId'>,
  requests: readonly Request[],
  { read = engine, organizationId }: Look,
): Promise<{ impact: ReturnType<typeof together>; unknown: Unread[] }> {
  const unknown: Unread[] = [];
  const impacts: Impact[] = [];
  for (const [id, own] of await byOrganization(reading, requests, organizationId, unknown)) {
    for (const question of questionsOf(own).questions) {
      try {
        impacts.push(await read({ ...reading, organizationId: id }, question));
      } catch (cause) {
        for (const thing of question.things)
          unknown.push(unreadOf(cause, reading.signal, { kind: thing.object, id: thing.id }));
      }
    }
  }
  return { impact: together(impacts), unknown };
}

async function engine(reading: Reading, question: ImpactQuestion): Promise<Impact> {
  const { readImpact } = await import('../../access/impact/read.js');
  return readImpact(reading, question);
}

/**
 * Requests by the organization that they are about: that of their path, else that of what the path begins with,
 * which is read. That of the settings may be another.
 */
async function byOrganization(
  reading: Omit<Reading, 'organizationId'>,
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
      unknown.push(unreadOf(cause, reading.signal, thingOf(about, request)));
    }
  });
  return found;
}

function thingOf({ object }: Asked, { op, input }: Request): Omit<Unread, 'error'> {
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
    read.get(path) ??
    callOne(client, { op: top, input: { path: input.path ?? {} } }).then((answer) => {
      const organization = isObject(answer) ? answer.organization : undefined;
      return typeof organization === 'string' ? organization : undefined;
    });
  read.set(path, found);
  return found;
}

/** The operation that reads what a path begins with: of `/v1/spaces/{spaceId}/comments/{commentId}` the space. */
function topOf({ path }: AnyOperation): AnyOperation | undefined {
  const top = /^\/v1\/\w+\/\{\w+\}/.exec(path)?.[0];
  return operations.find((one) => one.method === 'GET' && one.path === top);
}
