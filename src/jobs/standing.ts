import { type Client, prepare } from '../api/client.js';
import { readAll } from './in-order.js';
import { certainReadsOf, isRefusal, type Reads, type Resource } from './request.js';
import { difference, matches } from './state.js';
import { type Undoing, withDependence } from './undo.js';
import { ruleOf } from './undo-rules.js';

/** What the platform says about an undo before it is sent. */

/** Eight reads at a time. */
const pace = { concurrency: 8 };

/**
 * What can be undone now: a removed resource may exist again, and the platform may refuse
 * what was possible before.
 * @throws DocsError where the platform is out of reach
 */
export async function appraise(client: Client, items: readonly Undoing[]): Promise<Undoing[]> {
  const reads = remembering(certainReadsOf(client));
  const own = items.map(({ free, ...item }) => free ?? item);
  const blocked = items.some(({ free }) => free !== undefined);
  const removals = blocked
    ? own.filter(({ undo, change }) => undo === 'none' && change.op.method === 'DELETE')
    : [];
  const exists = await readAll(pace, removals, ({ change: { op, input } }) =>
    unlessRefused(async () => (await ruleOf(op).read?.(reads, input)) ?? null),
  );
  const present = removals.flatMap(({ index }, at) => (exists[at] ? index : []));
  const now = await readAll(pace, own, (item) => withObstacle(reads, item));
  return withDependence(now, new Set(present));
}

async function withObstacle(reads: Reads, item: Undoing): Promise<Undoing> {
  const { request, index, id, change } = item;
  const look = request && ruleOf(request.op).obstacle;
  if (request === undefined || look === undefined) return item;
  const why = await unlessRefused(() => look(reads, request.input));
  if (why === undefined) return item;
  const own = { undo: 'none', why } as const;
  return { index, id, ...own, change: { ...change, own } };
}

export type Standing =
  /** As the job left it: it can be undone. */
  | { now: 'as left' }
  /** As it was before the job: nothing to do. */
  | { now: 'back' }
  | { now: 'changed'; how: string }
  | { now: 'not known' };

/** Reads the current states. @throws DocsError where the platform is out of reach */
export function readStandings(client: Client, items: readonly Undoing[]): Promise<Standing[]> {
  return readAll(pace, items, (item) => standingOf(certainReadsOf(client), item));
}

async function standingOf(reads: Reads, { request, expect }: Undoing): Promise<Standing> {
  const rule = request && ruleOf(request.op);
  const unknown = { now: 'not known' } as const;
  if (request === undefined || rule?.read === undefined) return unknown;
  const found = await unlessRefused(async () => ({ state: await rule.read?.(reads, request.input) }));
  if (found?.state === undefined) return unknown;
  const { state } = found;
  const wanted = rule.wanted?.(request.input, state);
  if (wanted !== undefined && matches(state, wanted)) return { now: 'back' };
  if (expect === undefined || matches(state, expect)) return { now: 'as left' };
  return { now: 'changed', how: difference(state, expect) };
}

/** @throws DocsError where the platform is out of reach */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (cause) {
    if (isRefusal(cause)) return undefined;
    throw cause;
  }
}

/** Reads each resource once. */
function remembering(reads: Reads): Reads {
  const known = new Map<string, Promise<Resource | null>>();
  return {
    ...reads,
    one(op, input) {
      const { path } = prepare(op, input);
      const found = known.get(path) ?? reads.one(op, input);
      known.set(path, found);
      return found;
    },
  };
}
