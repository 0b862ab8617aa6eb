import { prepare } from '../api/client.js';
import { readAll } from '../jobs/in-order.js';
import type { Order } from '../jobs/journal.js';
import { isShownReference } from '../jobs/references.js';
import { isRefusal, type PlannedRequest, type Reads } from '../jobs/request.js';
import { anchorOf } from '../jobs/rules/builders.js';
import { SharedReads } from '../jobs/sequence.js';
import type { State } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';

/** What requests touch, as the platform shows it while their plan is made. */

export interface Reading {
  /** Where it was read, in order, without the host. */
  paths: readonly string[];
  /** Of something in a list: the ids in the path of the request that are not in that of the list. */
  item?: string;
  state: State;
  order?: readonly Order[];
}

/** Requests whose path names only what is there already; the others rest on nothing. */
export type Readable = PlannedRequest & { isMade: boolean };

/** Eight at a time, and a list once for all that rest on it, as far as they come close to each other. */
const pace = { concurrency: 8 };
const sharing = { most: 16, maxAgeMs: Number.POSITIVE_INFINITY, now: () => 0 };

/**
 * The states that requests touch; undefined where nothing shows them, or the token may not read them.
 * @throws DocsError where the platform is out of reach
 */
export function readStates(
  reads: Reads,
  requests: readonly (Readable | undefined)[],
): Promise<(Reading | undefined)[]> {
  const shared = new SharedReads(reads, sharing);
  const moved = movedBy(requests);
  const again = movedAgain(requests);
  return readAll(pace, requests, async (request) => {
    const rule = request && ruleOf(request.op);
    if (request === undefined || request.isMade || rule?.read === undefined) return undefined;
    const { op, input } = request;
    const recorder = recording(shared.for(op.id, 0));
    try {
      const state = await rule.read(recorder.reads, input);
      const orders = rule.orders && (await rule.orders(recorder.reads, input));
      if (state === null && !rule.creates && namesMade(input.body)) return undefined;
      const order = orders && orderOf(orders, request, { moved, again: again.has(request) });
      return { ...recorder.found(input.path), state, ...(order && order.length > 0 && { order }) };
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      return undefined;
    }
  });
}

/** Whether a body is about something that the plan makes: that nothing shows it yet tells nothing. */
function namesMade(body: unknown): boolean {
  return textsIn(body).some((text) => isShownReference(text));
}

function recording(reads: Reads) {
  const paths = new Set<string>();
  let list: string | undefined;
  const noted: Reads = {
    one(op, input) {
      paths.add(prepare(op, input).path);
      return reads.one(op, input);
    },
    all(op, input) {
      const { path } = prepare(op, input);
      paths.add(path);
      if (paths.size === 1) list = path;
      return reads.all(op, input);
    },
  };
  const found = (path: Readonly<Record<string, string>> = {}): Pick<Reading, 'paths' | 'item'> => {
    const parts = new Set(list?.split(/[/?]/).map(decodeURIComponent));
    const item = list && Object.values(path).filter((id) => !parts.has(id));
    return { paths: [...paths], ...(item && item.length > 0 && { item: item.join(' ') }) };
  };
  return { reads: noted, found };
}

/** Ids of what a plan puts elsewhere, creates among others or removes: no other move rests on their places. */
export function movedBy(requests: readonly (PlannedRequest | undefined)[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const request of requests) {
    const { inOrder, creates } = request ? ruleOf(request.op) : {};
    if (request === undefined || !(inOrder || creates)) continue;
    const { position: _, ...body } = (request.input.body ?? {}) as Record<string, unknown>;
    for (const text of textsIn([request.id, body])) found.add(text);
  }
  return found;
}

/** Moves of what an earlier request moves: where it stands until then is nothing to rest on. */
function movedAgain(requests: readonly (PlannedRequest | undefined)[]): ReadonlySet<PlannedRequest> {
  const before = new Set<string>();
  const moves = requests.filter(
    (request) => request !== undefined && ruleOf(request.op).orders !== undefined,
  );
  return new Set(
    (moves as PlannedRequest[]).filter(({ id }) => {
      const isMoved = before.has(id);
      before.add(id);
      return isMoved;
    }),
  );
}

/** All texts in a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * What a move rests on: the order among what it moves, what it puts it beside, and the nearest siblings of both
 * that the plan leaves where they are. So a sibling that somebody adds does not matter, nor does what the plan
 * itself moves before; but whoever moves one of these past another makes it stale. A thing that leaves one
 * parent for another, or was moved before by the plan, rests on the order around its new place alone.
 */
function orderOf(
  orders: readonly (readonly string[])[],
  { id, input }: PlannedRequest,
  { moved, again }: { moved: ReadonlySet<string>; again: boolean },
): Order[] {
  const anchor = anchorOf(input);
  if (anchor === undefined) return [];
  const own = orders.find((siblings) => siblings.includes(id));
  const target = orders.find((siblings) => siblings.includes(anchor));
  const stays = target !== undefined && !moved.has(anchor);
  const found: Order[] = [];
  if (own && !again && (target === undefined || own === target))
    found.push(around(own, id, stays ? [anchor] : [], moved));
  if (stays) found.push(around(target, anchor, [], new Set([...moved, id])));
  return found.filter(({ ids }) => ids.length > 1);
}

function around(
  siblings: readonly string[],
  of: string,
  more: readonly string[],
  moved: ReadonlySet<string>,
): Order {
  const at = siblings.indexOf(of);
  const stays = (id: string) => !moved.has(id);
  const before = siblings.slice(0, at).findLast(stays);
  const after = siblings.slice(at + 1).find(stays);
  const named = new Set([before, of, after, ...more]);
  return { of, ids: siblings.filter((id) => named.has(id)) };
}
