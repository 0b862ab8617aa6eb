import { prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { InUse } from '../base/in-use.js';
import { nameKey } from '../base/name.js';
import { isObject } from '../base/values.js';
import { nameIn } from './change.js';
import type { JobItem } from './journal.js';
import { onceEach, type Reads, type Resource } from './reads.js';
import type { Rule } from './rule.js';
import type { RuleBook } from './rule-book.js';

interface InOrderOptions {
  /** Items that run at once, at least 1. */
  concurrency: number;
  /** Indexes of earlier items that must end before this one begins. */
  after?(index: number): readonly number[] | undefined;
  /** Items that may run ahead of the reader of the results; default: 2000. */
  ahead?: number;
}

const furthestAhead = 2000;

/**
 * What is done for an index. `free` lets the next item begin before this one ends: once its request is
 * answered, while the outcome is still being written.
 */
type Act<T> = (index: number, free: () => void) => Promise<T>;

/**
 * Runs an action for each index from 0 and yields the results in order. Once the caller stops reading,
 * nothing new starts, and the generator ends when the running items have ended.
 * @param act a rejection is thrown here when its turn comes
 */
export async function* runInOrder<T>(count: number, act: Act<T>, options: InOrderOptions): AsyncGenerator<T> {
  for await (const group of runInGroups(count, act, options)) yield* group;
}

/** As `runInOrder`, but yields at once all results that are there, so that those that end together are printed together. */
export async function* runInGroups<T>(
  count: number,
  act: Act<T>,
  options: InOrderOptions,
): AsyncGenerator<readonly T[]> {
  const pool = new Pool(count, act, options);
  try {
    for (let index = 0; index < count; ) {
      const group = await pool.group(index);
      index += group.length;
      yield group;
    }
  } finally {
    await pool.end();
  }
}

type Pace = Pick<InOrderOptions, 'concurrency' | 'ahead'>;

/** Reads something for each item, some at a time; yields in the order of the items. @throws the first failure */
export function readEach<T, R>(
  { concurrency, ahead }: Pace,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  return runInOrder(items.length, (index) => read(items[index] as T), { concurrency, ahead });
}

/** As `readEach`, but all at the end. */
export async function readAll<T, R>(
  pace: Pace,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for await (const result of readEach(pace, items, read)) results.push(result);
  return results;
}

class Pool<T> {
  readonly #count: number;
  readonly #act: Act<T>;
  readonly #options: InOrderOptions;
  /** Items that have begun, or wait for others; by index. A list, since a Map keeps what left it (base/in-use.ts). */
  readonly #running: (Promise<T> | undefined)[] = [];
  /** Items whose turn has come, and which have no place yet; by index. */
  readonly #ready = new Map<number, () => void>();
  readonly #begun = new InUse<Promise<T>>();
  /** How many items wait for others. */
  #waiting = 0;
  /** The running items that count for the concurrency. */
  readonly #busy = new InUse<number>();
  /** Results that were not read, by index. */
  readonly #finished: ({ value: T } | { cause: unknown } | undefined)[] = [];
  #wake: () => void = () => {};
  #next = 0;
  #read = 0;
  #ended = false;

  constructor(count: number, act: Act<T>, options: InOrderOptions) {
    this.#count = count;
    this.#act = act;
    this.#options = options;
  }

  /** The results from an index on that are there, at least one. @throws what the action of the first threw */
  async group(index: number): Promise<readonly T[]> {
    this.#read = index;
    this.#fill();
    while (this.#finished[index] === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const group: T[] = [];
    for (let at = index; ; at += 1) {
      const found = this.#finished[at];
      if (found === undefined) return group;
      if ('value' in found) group.push(found.value);
      else if (group.length > 0) return group;
      else throw found.cause;
      this.#finished[at] = undefined;
    }
  }

  /** Starts nothing more and waits for the items that have begun. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#begun);
  }

  #fill(): void {
    const { ahead = furthestAhead } = this.#options;
    const most = Math.min(this.#count, this.#read + ahead);
    while (!this.#ended && this.#busy.size < this.#options.concurrency) {
      const begin = this.#firstReady();
      if (begin !== undefined) begin();
      else if (this.#next < most && !this.#keepsOrder) {
        this.#start(this.#next);
        this.#next += 1;
      } else return;
    }
  }

  /** One at a time is one after the other: nothing overtakes an item that waits. */
  get #keepsOrder(): boolean {
    return this.#options.concurrency === 1 && this.#waiting > 0;
  }

  /** The next item that need not wait for another any more. */
  #firstReady(): (() => void) | undefined {
    const index = this.#ready.size === 0 ? undefined : Math.min(...this.#ready.keys());
    const begin = index === undefined ? undefined : this.#ready.get(index);
    if (index !== undefined) this.#ready.delete(index);
    return begin;
  }

  #start(index: number): void {
    // Earlier items that are not running have ended.
    const awaited = this.#options.after?.(index)?.flatMap((other) => this.#running[other] ?? []) ?? [];
    let begin = () => {};
    const run = new Promise<T>((resolve) => {
      begin = () => {
        this.#busy.add(index);
        this.#begun.add(run);
        resolve(Promise.resolve().then(() => this.#act(index, () => this.#free(index))));
      };
    });
    const done = (result: { value: T } | { cause: unknown }) => {
      this.#running[index] = undefined;
      this.#begun.delete(run);
      this.#finished[index] = result;
      this.#free(index);
      this.#wake();
    };
    this.#running[index] = run;
    run.then(
      (value) => done({ value }),
      (cause: unknown) => done({ cause }),
    );
    if (awaited.length === 0) {
      begin();
      return;
    }
    // An item that waits for others takes no place meanwhile.
    this.#waiting += 1;
    void Promise.allSettled(awaited).then(() => {
      this.#waiting -= 1;
      this.#ready.set(index, begin);
      this.#fill();
    });
  }

  #free(index: number): void {
    this.#busy.delete(index);
    this.#fill();
  }
}

interface Sharing {
  /** Of readings that are kept at once; the oldest goes first. */
  most: number;
  /** How long a reading may be used, in milliseconds. */
  maxAgeMs: number;
  /** Milliseconds of any clock that does not go back. */
  now(): number;
}

/** Within a job no reading serves longer than ten seconds: others may change what it shows. */
const ofJobs: Sharing = { most: 16, maxAgeMs: 10_000, now: () => performance.now() };

interface Reading {
  /** The moment at which it began. */
  since: number;
  beganMs: number;
  items: Promise<Resource[] | null>;
}

/**
 * Lists that several operations of one kind read are read once for all of them. Moments are counted, not timed:
 * a reading serves those who need nothing that ended after it began.
 */
export class SharedReads {
  readonly #reads: Reads;
  readonly #sharing: Sharing;
  readonly #lists = new Map<string, Reading>();
  #moment = 0;

  constructor(reads: Reads, sharing: Sharing = ofJobs) {
    this.#reads = reads;
    this.#sharing = sharing;
  }

  /** A new moment, later than all readings that began before. */
  moment(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /**
   * Reads whose lists may be shared.
   * @param kind readings are shared within one kind only
   * @param after the moment that a reading must not precede; 0 for any
   */
  for(kind: string, after: number): Reads {
    return {
      // One item may need a resource twice: for its state, and for its place.
      ...onceEach(this.#reads),
      all: (op, input) => {
        const key = `${kind} ${prepare(op, input).path}`;
        const known = this.#lists.get(key);
        if (known !== undefined && known.since > after && !this.#isOld(known)) return known.items;
        return this.#begin(key, this.#reads.all(op, input));
      },
    };
  }

  #isOld({ beganMs }: Reading): boolean {
    return this.#sharing.now() - beganMs > this.#sharing.maxAgeMs;
  }

  #begin(key: string, items: Promise<Resource[] | null>): Promise<Resource[] | null> {
    const reading = { since: this.moment(), beganMs: this.#sharing.now(), items };
    this.#lists.delete(key);
    this.#lists.set(key, reading);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > this.#sharing.most && oldest !== undefined) this.#lists.delete(oldest);
    // Only callers that are already waiting get the failure; later ones read again.
    items.catch(() => {
      if (this.#lists.get(key) === reading) this.#lists.delete(key);
    });
    return items;
  }
}

/** The key of what builds on each other in the job of a plan. */
const inTurn = 'in turn';

/**
 * Which items of a job wait for which. In the job of a plan only the requests that build on each other, such as
 * moves and what is added to one ordered list, take turns; in every other job one such request makes all items take turns.
 */
export class Sequence {
  /** Items that run at once. */
  readonly concurrency: number;
  readonly #steps: readonly JobItem[];
  readonly #rules: RuleBook;
  readonly #places: ReadonlyMap<number, number>;
  readonly #isFree: boolean;
  readonly #keysOf: readonly StepKeys[];
  /** The steps before each that change the same resource, or that it takes turns with. */
  readonly #turns: number[][];
  /** When items and keys ended last, as moments of the caller. */
  readonly #items = new Map<number, number>();
  readonly #keys = new Map<string, number>();
  #last = 0;

  constructor(steps: readonly JobItem[], concurrency: number, rules: RuleBook) {
    this.#steps = steps;
    this.#rules = rules;
    this.#places = new Map(steps.map(({ change }, index) => [change.item, index]));
    const lines = steps.map(({ change }) => change);
    // The requests of an undo build on each other beyond what their lines say.
    this.#isFree =
      lines.every(
        ({ operation, undoes, partOf }) => operation && undoes === undefined && partOf === undefined,
      ) || !steps.some((step) => this.#ruleOf(step).inOrder);
    this.concurrency = this.#isFree ? concurrency : 1;
    const last = new Map<string, number>();
    /** By ordered list, the last creation in it since something took its turn. */
    const added = new Map<string, number>();
    this.#keysOf = steps.map((step) => keysOf(step, this.#ruleOf(step), rules));
    const sameNames = this.#sameNames();
    this.#turns = this.#keysOf.map(({ turn, own }, index) => {
      const keys = [turn ?? [], own ?? []].flat();
      const before = [...keys.flatMap((key) => last.get(key) ?? []), ...(sameNames.get(index) ?? [])];
      for (const key of keys) last.set(key, index);
      if (turn !== undefined && turn !== inTurn) added.set(turn, index);
      if (turn !== inTurn) return before;
      // What moves finds among its siblings what was added before.
      const siblings = [...added.values()];
      added.clear();
      return [...before, ...siblings];
    });
  }

  /**
   * In the job of a plan, for a creation the renames before it that give something else the same name, and for such a
   * rename the creations: whether something of that name is there is looked up before a creation.
   */
  #sameNames(): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, number[]>();
    const named = { creations: new Map<string, number[]>(), renames: new Map<string, number[]>() };
    for (const [index, step] of this.#steps.entries()) {
      const name = step.change.operation === undefined ? undefined : givenName(step);
      if (name === undefined) continue;
      const [own, others] = this.#ruleOf(step).creates
        ? [named.creations, named.renames]
        : [named.renames, named.creations];
      own.set(name, [...(own.get(name) ?? []), index]);
      const before = others.get(name);
      if (before !== undefined) found.set(index, before);
    }
    return found;
  }

  /** Indexes of the steps that must end before one begins. */
  after(index: number): number[] {
    const { after = [], partOf } = (this.#steps[index] as JobItem).change;
    return [
      ...after.flatMap((item) => this.#places.get(item) ?? []),
      // The last part reads what all parts restored.
      ...(partOf !== undefined && index > 0 ? [index - 1] : []),
      ...(this.#turns[index] ?? []),
    ];
  }

  /** @param moment a later one than all before */
  ended({ change: { item } }: JobItem, moment: number): void {
    this.#items.set(item, moment);
    const { own, turn } = this.#keysAt(item);
    if (own !== undefined) this.#keys.set(own, moment);
    if (turn !== undefined) this.#keys.set(inTurn, moment);
    this.#last = moment;
  }

  /** When the last of those ended on which an item builds; 0 where it builds on none. */
  lastBefore({ change: { item, after = [] } }: JobItem): number {
    if (!this.#isFree) return this.#last;
    const { own, turn } = this.#keysAt(item);
    const moments = after.map((other) => this.#items.get(other) ?? 0);
    if (own !== undefined) moments.push(this.#keys.get(own) ?? 0);
    if (turn === inTurn) moments.push(this.#keys.get(inTurn) ?? 0);
    return Math.max(0, ...moments);
  }

  /** Kept from the plan: an id that has come in place of a reference makes it no other resource. */
  #keysAt(item: number): StepKeys {
    return this.#keysOf[this.#places.get(item) ?? -1] ?? {};
  }

  #ruleOf({ change }: JobItem): Rule {
    return this.#rules.ruleOf(change.op);
  }
}

/** What a request takes turns with: what builds on each other; in the job of a plan, what is added to the same list. */
function turnOf({ change }: JobItem, { inOrder }: Rule, rules: RuleBook): string | undefined {
  const { op } = change;
  if (inOrder) return inTurn;
  if (change.operation === undefined || change.undoes !== undefined || !isOrdered(op, rules))
    return undefined;
  const { path, body } = change.input;
  return JSON.stringify([op.id, Object.entries(path ?? {}).sort(), isObject(body) ? body.parent : undefined]);
}

/** Whether an operation adds to the end of a list whose order counts: its items can be moved. */
function isOrdered({ id }: AnyOperation, rules: RuleBook): boolean {
  return id.endsWith('.create') && rules.resourceOf(id.replace(/create$/, 'move')) !== undefined;
}

/** What an item has to do with others. */
interface StepKeys {
  /** The resource that it changes. */
  own?: string | undefined;
  /** What it takes turns with. */
  turn?: string | undefined;
}

function keysOf(step: JobItem, rule: Rule, rules: RuleBook): StepKeys {
  return { own: keyOf(step, rule), turn: turnOf(step, rule, rules) };
}

/** Items with the same path change the same resource, so they keep their order. */
function keyOf({ change }: JobItem, { creates }: Rule): string | undefined {
  const { op } = change;
  if (creates) return undefined;
  // In the job of a plan, a move of something and a change of it are about the same resource.
  const path = change.operation === undefined ? op.path : resourcePath(op);
  return JSON.stringify([path, Object.entries(change.input.path ?? {}).sort()]);
}

/** The name that a request gives to what it creates or changes, with the kind of that; undefined where it gives none. */
function givenName({ change: { op, input } }: JobItem): string | undefined {
  const name = nameIn(input);
  return typeof name === 'string'
    ? JSON.stringify([op.id.slice(0, op.id.lastIndexOf('.')), nameKey(name)])
    : undefined;
}

/** The path of the resource that an operation is about: up to its last parameter. */
export function resourcePath({ path }: Pick<AnyOperation, 'path'>): string {
  return path.slice(0, path.lastIndexOf('}') + 1);
}
