import { type LooseInput, prepare } from '../api/client.js';
import { addTo, findParts, isObject, isText } from '../base/values.js';
import { type Change, findReferences, isShownReference, type Order } from '../jobs/change.js';
import { folded, traceOf } from '../jobs/creations.js';
import { sealedFields, sealedRule, sealedState, withoutSealed } from '../jobs/environment.js';
import { isRefusal, type Reads } from '../jobs/reads.js';
import type { Rule } from '../jobs/rule.js';
import { anchorOf } from '../jobs/rules/builders.js';
import { readAll, resourcePath, SharedReads } from '../jobs/sequence.js';
import { narrowed, type State } from '../jobs/state.js';
import { allRules, ruleOf } from '../jobs/undo-rules.js';
import type { PlanOperation } from './plan.js';

/** What requests touch, as the platform shows it while their plan is made. */

export interface Reading {
  /** Where it was read, in order, without the host. */
  paths: readonly string[];
  /** Of something in a list: the ids in the path of the request that are not in that of the list. */
  item?: string;
  state: State;
  order?: readonly Order[];
}

/** A change as it is read: ids to come are texts, in what it finds as the file of a plan has them. */
export interface Readable extends Change {
  /** Its input as the file has it. */
  sent: LooseInput;
  job?: PlanOperation['job'];
  /** Its path names something that is not there yet, so it rests on nothing. */
  isMade: boolean;
}

/** Eight at a time, and a list once for all that rest on it, as far as they come close to each other. */
const pace = { concurrency: 8 };
const sharing = { most: 16, maxAgeMs: Number.POSITIVE_INFINITY, now: () => 0 };

/**
 * The states that requests touch; undefined where nothing shows them, or the token may not read them.
 * @throws DocsError where the platform is out of reach
 */
export function readStates(reads: Reads, requests: readonly Readable[]): Promise<(Reading | undefined)[]> {
  const shared = new SharedReads(reads, sharing);
  const moved = movedBy(requests);
  const again = movedAgain(requests);
  const gone = goneBy(requests);
  return readAll(pace, requests, async (request) => {
    const rule = ruleOf(request.op);
    if (request.isMade || rule.read === undefined) return undefined;
    const { op, input } = request;
    const recorder = recording(shared.for(op.id, 0));
    try {
      const state = await rule.read(recorder.reads, input);
      const orders = rule.orders && (await rule.orders(hiding(recorder.reads, gone), input));
      // That nothing shows yet what the plan makes tells nothing.
      if (state === null && !rule.creates && findReferences(request.sent.body).length > 0) return undefined;
      const order = orders && orderOf(orders, request, { moved, again: again.has(request) });
      return { ...recorder.found(input.path), state, ...(order && order.length > 0 && { order }) };
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      return undefined;
    }
  });
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
function movedBy(requests: readonly Change[]): ReadonlySet<string> {
  const moving = requests.filter(({ op }) => ruleOf(op).inOrder || ruleOf(op).creates);
  const named = moving.map(({ id, input }) => {
    const { position: _, ...body } = (input.body ?? {}) as Record<string, unknown>;
    return [id, body];
  });
  return new Set(findParts(named, isText));
}

/** Ids of what a plan deletes, or takes into a group or out of it. */
function goneBy(requests: readonly Change[]): ReadonlySet<string> {
  const found = requests.map((request) => {
    const about = ruleOf(request.op).about?.(request.input);
    return about ?? (request.op.method === 'DELETE' ? request : undefined);
  });
  return new Set(found.flatMap((one) => one?.id ?? []));
}

/** Without what the plan takes away: once its last section is gone, no list shows where a group stands. */
function hiding(reads: Reads, gone: ReadonlySet<string>): Reads {
  const all: Reads['all'] = async (op, input) =>
    (await reads.all(op, input))?.filter(({ id }) => !gone.has(String(id))) ?? null;
  return { ...reads, all };
}

/** Moves of what an earlier request moves: where it stands until then is nothing to rest on. */
function movedAgain(requests: readonly Change[]): ReadonlySet<Change> {
  const moves = requests.filter(({ op }) => ruleOf(op).orders !== undefined);
  const first = new Set(new Map(moves.toReversed().map((move) => [move.id, move])).values());
  return new Set(moves.filter((move) => !first.has(move)));
}

/**
 * What a move rests on: the order among what it moves, what it puts it beside, and the nearest siblings of both
 * that the plan leaves where they are. So a sibling that somebody adds does not matter, nor does what the plan
 * itself moves before; but whoever moves one of these past another makes it stale. A thing that leaves one
 * parent for another, or was moved before by the plan, rests on the order around its new place alone.
 */
function orderOf(
  orders: readonly (readonly string[])[],
  { id, input }: Change,
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

/**
 * What each operation of a plan finds, once the operations before it have done their part. Where the rule of an
 * earlier one says what it leaves, that is expected; where it only shows that something may change, nothing is.
 */

/** Longer texts of a body are no ids. */
const longestId = 200;

/** What the plan so far leaves in one place. */
interface Left {
  /** Index of the last operation that touches it. */
  by: number;
  path: string;
  /** gone: deleted; unknown: made by the plan, or changed in a way that no rule foresees. */
  whole?: 'gone' | 'unknown';
  /** Fields that it sets; undefined where it may have changed them. */
  fields: Map<string, unknown>;
}

export interface OperationBasis {
  /** The state before the operation, as far as it is known. */
  before?: State | undefined;
  /** What it rests on; undefined where it rests on nothing. */
  expect?: State | undefined;
  /** The state that it asks for. */
  wanted?: State | undefined;
  /** Indexes of earlier operations that it builds on. */
  after: readonly number[];
}

export class Overlay {
  readonly #isToCome: (text: string) => boolean;
  readonly #places = new Map<string, Left>();
  /** Ids named by the operations so far, with the indexes of those that name them. */
  readonly #named = new Map<string, number[]>();
  /** Ids of what the operations so far delete, and of what they may empty, each with the index of the last that does. */
  readonly #deleted = new Map<string, number>();
  /** What the operations so far give to the states of others, by the operation that touches these, and by field. */
  readonly #given = new Map<string, Map<string, { by: number; value: unknown }>>();
  /** What the operations so far leave of what several kinds of them touch, by the name that these have for it. */
  readonly #shared = new Map<string, { by: number; value: unknown }>();
  /** Names of what the operations so far create or rename, by resource. */
  readonly #names = new Set<string>();

  /** @param texts titles and the like that look like an id to come, and are none */
  constructor(texts: ReadonlySet<string>) {
    this.#isToCome = (text) => isShownReference(text) && !texts.has(text);
  }

  /** The next operation of the plan. @param reading what the platform shows; undefined where nothing does */
  next(index: number, request: Change, reading: Reading | undefined): OperationBasis {
    const sealed = sealedFields(request, ruleOf(request.op));
    const rule = sealedRule(ruleOf(request.op), sealed);
    const own = reading && { ...reading, state: sealedState(reading.state, sealed) };
    const found = own ? this.#find(index, request, own, rule) : { after: [] };
    this.#note(index, request);
    this.#give(index, request);
    const { wanted, before } = found;
    // The forecast of undo sees what the journal will hold.
    return { ...found, wanted, before: withoutSealed(before, sealed) };
  }

  #find(index: number, request: Change, reading: Reading, rule: Rule): OperationBasis {
    // Several sections enter one group: each is about its section, and their path names the group alone.
    const about = rule.about?.(request.input);
    const key = `${reading.paths[0]} ${about?.id ?? reading.item ?? ''}`;
    const left = this.#places.get(key);
    const path = resourceOf(request);
    const after = new Set<number>();
    const shares = rule.shares?.(request.input);
    const now = withShared(stateNow(reading.state, left), shares, this.#shared, after);
    const before = this.#withGiven(now, request, after);
    const wanted = rule.wanted?.(request.input, before);
    for (const [field, name] of Object.entries(shares?.fields ?? {}))
      this.#shared.set(name, { by: index, value: wanted === null ? null : wanted?.[field] });
    let expect = rule.creates ? this.#freeName(request, before) : before && resting(before, wanted, rule);
    if (left && (left.path !== path || builds(expect, left))) after.add(left.by);
    if (expect && left) expect = without(expect, (field) => isUnknown(left, field));
    if (expect) expect = this.#unaffected(index, request, expect, wanted, after);
    if (wanted === null) {
      this.#deleted.set(request.id, index);
      const around = before && rule.takesFrom?.(before);
      if (typeof around === 'string') this.#deleted.set(around, index);
    }
    const then = leaves(index, path, { before, wanted, left }, rule);
    if (then !== undefined) this.#places.set(key, then);
    return { before, expect, wanted, after: [...after] };
  }

  /** A creation rests on there being nothing of its name, unless there is, or the plan itself gives it away. */
  #freeName({ op, input }: Change, before: State | undefined): State | undefined {
    const name = traceOf(op, allRules)?.name(input)?.value;
    return before === null && !this.#names.has(`${op.id.split('.')[0]} ${name}`) ? null : undefined;
  }

  /** Without what earlier operations on other things may change: what it contains, and who names it. */
  #unaffected(
    index: number,
    request: Change,
    expect: Readonly<Record<string, unknown>>,
    wanted: State | undefined,
    after: Set<number>,
  ): State {
    return without(expect, (field) => {
      const value = expect[field];
      // The platform puts something else in place of what is deleted, such as another default.
      const deletedBy = typeof value === 'string' ? this.#deleted.get(value) : undefined;
      if (deletedBy !== undefined) {
        after.add(deletedBy);
        return true;
      }
      if (findParts(wanted?.[field], isText).some((text) => this.#isToCome(text))) return true;
      if (!isObject(value) && !Array.isArray(value)) return false;
      const ids = [request.id, ...findParts(value, isText), ...(isObject(value) ? Object.keys(value) : [])];
      const others = ids.flatMap((id) => this.#named.get(id) ?? []).filter((other) => other !== index);
      for (const other of others) after.add(other);
      return others.length > 0;
    });
  }

  /** A state with what earlier operations give it, where it has nothing. */
  #withGiven(state: State | undefined, { op }: Change, after: Set<number>): State | undefined {
    const given = this.#given.get(op.id);
    if (!state || given === undefined) return state;
    const parts = Object.entries(state).map(([field, value]) => {
      const found = (value ?? null) === null ? given.get(field) : undefined;
      if (found !== undefined) after.add(found.by);
      return [field, found === undefined ? value : found.value] as const;
    });
    return Object.fromEntries(parts);
  }

  #give(index: number, { op, input }: Change): void {
    const given = ruleOf(op).gives?.(input);
    if (given === undefined) return;
    const known = this.#given.get(given.to) ?? new Map<string, { by: number; value: unknown }>();
    for (const [field, value] of Object.entries(given.fields)) known.set(field, { by: index, value });
    this.#given.set(given.to, known);
  }

  #note(index: number, { op, input, id }: Change): void {
    const { position: _, ...body } = (isObject(input.body) ? input.body : {}) as Record<string, unknown>;
    const own = Object.entries(input.path ?? {}).filter(([name]) => name !== 'organizationId');
    const texts = findParts(body, isText).filter((text) => text.length <= longestId);
    for (const text of new Set([id, ...own.map(([, value]) => value), ...texts])) {
      addTo(this.#named, text, index);
    }
    for (const value of Object.values(body))
      if (typeof value === 'string') this.#names.add(`${op.id.split('.')[0]} ${folded(value)}`);
  }
}

/** The resource that a request is about; requests about one are sent in their order. */
function resourceOf({ op, input }: Change): string {
  return prepare({ ...op, path: resourcePath(op) }, { path: input.path ?? {} }).path;
}

/** The state as the plan so far leaves it; undefined where no rule foresees it. */
function stateNow(read: State, left: Left | undefined): State | undefined {
  if (left === undefined) return read;
  if (left.whole !== undefined) return left.whole === 'gone' ? null : undefined;
  return { ...read, ...Object.fromEntries(left.fields) };
}

/** A state with what other operations left of it. */
function withShared(
  state: State | undefined,
  shares: ReturnType<NonNullable<Rule['shares']>> | undefined,
  left: ReadonlyMap<string, { by: number; value: unknown }>,
  after: Set<number>,
): State | undefined {
  const found = Object.entries(shares?.fields ?? {}).flatMap(([field, name]) => {
    const one = left.get(name);
    if (one !== undefined) after.add(one.by);
    return one === undefined ? [] : [[field, one.value] as const];
  });
  if (state === undefined || found.length === 0) return state;
  const isGone = shares?.whole === true && found.every(([, value]) => value === null);
  return isGone ? null : { ...state, ...Object.fromEntries(found) };
}

/** The fields that a request rests on: those it changes, or all where it changes the whole. */
function resting(before: State, wanted: State | undefined, rule: Rule): State {
  const isPart = wanted && Object.keys(wanted).length > 0;
  const fields = isPart ? narrowed(before, wanted) : before;
  return fields && without(fields, (field) => rule.passing?.includes(field) === true);
}

function without(
  state: Readonly<Record<string, unknown>>,
  isLeftOut: (field: string) => boolean,
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(state).filter(([field]) => !isLeftOut(field));
  return Object.fromEntries(kept.map(([field, value]) => [field, value ?? null]));
}

/** Whether an expectation holds only if an earlier operation did what it should. */
function builds(expect: State | undefined, { whole, fields }: Left): boolean {
  return whole !== undefined || Object.keys(expect ?? {}).some((field) => fields.has(field));
}

function isUnknown({ fields }: Left, field: string): boolean {
  return fields.has(field) && fields.get(field) === undefined;
}

interface Effect {
  before: State | undefined;
  wanted: State | undefined;
  left: Left | undefined;
}

/** What an operation leaves; undefined where it makes something that no later read of the plan can name. */
function leaves(by: number, path: string, { before, wanted, left }: Effect, rule: Rule): Left | undefined {
  const own = { by, path, fields: new Map<string, unknown>() };
  if (rule.creates) return wanted === undefined ? undefined : { ...own, whole: 'unknown' };
  if (wanted === null) return { ...own, whole: 'gone' };
  if (wanted === undefined || before === undefined) return { ...own, whole: 'unknown' };
  for (const [field, value] of left?.whole ? [] : (left?.fields ?? [])) own.fields.set(field, value);
  // What it may change without saying so, such as an icon by an emoji.
  for (const field of Object.keys(before ?? {})) own.fields.set(field, undefined);
  for (const [field, value] of Object.entries(wanted)) own.fields.set(field, value);
  return own;
}
