import type { TObject, TSchema } from '@sinclair/typebox';
import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { exactKey, nameKey } from '../base/name.js';
import { groupBy, isObject } from '../base/values.js';
import { type JobChange, requestFor, shownChange } from './change.js';
import type { JobItem } from './journal.js';
import { type Settled, wasSent } from './look.js';
import type { Reads, Resource } from './reads.js';
import type { RuleBook } from './rule-book.js';
import { listFor } from './traced.js';

/** How far the platform's clock may be from what this machine knows of it, in milliseconds. */
const clockDoubtMs = 10 * 60_000;
/** Times of the platform may be cut to whole seconds. */
export const roundingMs = 2000;

interface CreationsParts {
  reads: Reads;
  /** Those of the job, as they are sent. */
  steps(): readonly JobItem[];
  rules: RuleBook;
  /** The plan of an item with the ids that earlier items made; undefined where one of them is unknown. */
  filled(plan: JobChange): JobChange | undefined;
  /** Ids that other items are known to have created. */
  claimed: Pick<ReadonlySet<string>, 'has'>;
  /** The platform's clock minus that of this machine, in milliseconds; undefined before its first answer. */
  clockDifferenceMs(): number | undefined;
}

/**
 * The creations of a job: what was there before each, and which of those without an answer took effect. Each
 * list is read once, before anything is added to it.
 */
export class Creations {
  readonly #parts: CreationsParts;
  readonly #lists = new Map<string, Promise<Listed | null>>();
  readonly #traces = new Map<AnyOperation, Trace | undefined>();
  #verdicts: Promise<Map<number, Verdict>> | undefined;

  constructor(parts: CreationsParts) {
    this.#parts = parts;
  }

  /** Ids of the resources like what a request will create; undefined where no list shows them. */
  async known(op: AnyOperation, input: LooseInput): Promise<string[] | undefined> {
    const trace = this.#traceOf(op);
    const listed = trace && (await this.#list(trace, op, input, 'before'));
    if (trace === undefined || !listed) return undefined;
    return listed
      .named(trace, input)
      .filter((resource) => trace.like(resource, input) !== 'unlike')
      .flatMap((resource) => idsOf(resource)[0] ?? []);
  }

  /** Whether a creation without an answer took effect. @throws DocsError where the list cannot be read */
  async settle({ change: { op, item } }: JobItem): Promise<Settled> {
    this.#verdicts ??= this.#all();
    const verdict = (await this.#verdicts).get(item);
    if (verdict === undefined) return { is: 'unknown', why: 'the platform does not show its effect' };
    if (verdict.is === 'done') return { is: 'done', answer: verdict.resource };
    if (verdict.is === 'not-done' && this.#traceOf(op)?.partial !== true)
      return { is: 'not-done', before: undefined };
    const candidates = verdict.is === 'unknown' ? verdict.candidates : [];
    const made = candidates.length === 0 ? 'anything' : candidates.join(' or ');
    const why = `nothing shows whether it created ${made}`;
    return { is: 'unknown', why, candidates };
  }

  /** All at once: which resource belongs to which creation depends on the others. */
  async #all(): Promise<Map<number, Verdict>> {
    const lost = new Map<string, Lost[]>();
    for (const step of this.#parts.steps()) {
      const { op } = step.change;
      const trace = this.#traceOf(op);
      if (trace === undefined || !wasSent(step)) continue;
      // What it sent held the ids that earlier items had made.
      const change = this.#parts.filled(step.change) ?? shownChange(step.change);
      const listed = await this.#list(trace, op, change.input, 'after');
      if (listed === null) continue;
      const key = keyOf(op, change.input);
      lost.set(key, [...(lost.get(key) ?? []), this.#lost({ ...step, change }, trace, listed)]);
    }
    return new Map([...lost.values()].flatMap((all) => [...assign(all)]));
  }

  #lost({ change, started }: JobItem, trace: Trace, listed: Listed): Lost {
    const { item, input } = change;
    const like = new Map<string, Resource>();
    const perhaps = new Map<string, Resource>();
    for (const resource of listed.named(trace, input)) {
      const [id] = idsOf(resource);
      const likeness = trace.like(resource, input);
      if (id === undefined || likeness === 'unlike') continue;
      if (this.#parts.claimed.has(id) || started?.known?.includes(id)) continue;
      const age = ageOf(resource, started, this.#parts.clockDifferenceMs());
      if (age === 'new' && likeness === 'like') like.set(id, resource);
      else if (age !== 'old') perhaps.set(id, resource);
    }
    return { item, input: JSON.stringify(input), like, perhaps };
  }

  #traceOf(op: AnyOperation): Trace | undefined {
    if (!this.#traces.has(op)) this.#traces.set(op, traceOf(op, this.#parts.rules));
    return this.#traces.get(op);
  }

  #list(trace: Trace, op: AnyOperation, input: LooseInput, when: 'before' | 'after'): Promise<Listed | null> {
    // Only a creation with a place of its own is read differently, before and after.
    const key = trace.partial ? `${when} ${keyOf(op, input)}` : keyOf(op, input);
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = trace.read(this.#parts.reads, input, when).then((all) => all && new Listed(all));
      list.catch(() => {}); // Awaited by each item that needs it.
      this.#lists.set(key, list);
    }
    return list;
  }
}

/** Creations that add to the same list. */
function keyOf(op: AnyOperation, { path }: LooseInput): string {
  return JSON.stringify([op.id, requestFor(op, path).input.path]);
}

/** The resources of a list, found by what names them. */
class Listed {
  readonly #all: readonly Resource[];
  readonly #byName = new Map<string, Map<unknown, Resource[]>>();

  constructor(all: readonly Resource[]) {
    this.#all = all;
  }

  /** Those with the name of what a request creates; all where it has none. */
  named(trace: Trace, input: LooseInput): readonly Resource[] {
    const name = trace.name(input);
    if (name === undefined) return this.#all;
    const known = this.#byName.get(name.field) ?? this.#index(name.field);
    return known.get(name.value) ?? [];
  }

  #index(field: string): Map<unknown, Resource[]> {
    const found = groupBy(this.#all, (resource) => folded(resource[field]));
    this.#byName.set(field, found);
    return found;
  }
}

/**
 * Whether a resource that was not there before a request is newer than it. Without a list from before it and
 * without a time of creation nothing shows.
 */
function ageOf(
  resource: Resource,
  started: JobItem['started'],
  differenceMs: number | undefined,
): 'new' | 'old' | 'doubtful' {
  const createdMs = createdMsOf(resource);
  const own = started?.known === undefined ? 'doubtful' : 'new';
  const startedMs = Date.parse(started?.platformAt ?? started?.at ?? '') - roundingMs;
  const sinceMs = started?.platformAt ? startedMs : startedMs + (differenceMs ?? Number.NaN);
  if (createdMs === undefined || Number.isNaN(sinceMs)) return own;
  if (createdMs >= sinceMs) return 'new';
  return createdMs < sinceMs - clockDoubtMs ? 'old' : 'doubtful';
}

/** Which of the new resources were made by which of the creations whose answers were lost. */

export interface Lost {
  /** Index in the job. */
  item: number;
  /** Equal for creations that sent the same: they are interchangeable. */
  input: string;
  /** New resources that are what it would have made, by id. */
  like: ReadonlyMap<string, Resource>;
  /** Resources that it may have made; nothing proves it. */
  perhaps: ReadonlyMap<string, Resource>;
}

type Verdict =
  | { is: 'done'; resource: Resource }
  | { is: 'not-done' }
  /** Several stories are possible. @param candidates all that it may have made */
  | { is: 'unknown'; candidates: string[] };

interface Group {
  lost: Lost[];
  like: Set<string>;
}

/**
 * Settles creations by what is new. Of k equal ones with n new resources like them, n are done and the others
 * are not; with more than k nothing shows which are theirs. The same where a resource is like creations that
 * differ, unless one of them has fewer to choose from: what fits more closely belongs to it.
 */
export function assign(all: readonly Lost[]): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  const taken = new Set<string>();
  const sure = new Set(all.flatMap(({ like }) => [...like.keys()]));
  const groups = groupsOf(all).sort((a, b) => a.like.size - b.like.size);
  for (const group of groups) {
    for (const id of taken) group.like.delete(id);
    const doubt = group.lost.some(({ perhaps }) => [...perhaps.keys()].some((id) => !sure.has(id)));
    const shared = groups.some((other) => other !== group && isRival(group, other));
    const found = doubt || shared ? undefined : pairs(group);
    for (const one of group.lost) {
      const resource = found?.get(one.item);
      if (found === undefined)
        verdicts.set(one.item, { is: 'unknown', candidates: candidatesOf(one, taken) });
      else verdicts.set(one.item, resource === undefined ? { is: 'not-done' } : { is: 'done', resource });
    }
    if (found !== undefined) for (const id of group.like) taken.add(id);
  }
  return verdicts;
}

function groupsOf(all: readonly Lost[]): Group[] {
  const groups = groupBy(all, ({ input }) => input);
  return [...groups.values()].map((lost) => {
    return { lost, like: new Set(lost.flatMap(({ like }) => [...like.keys()])) };
  });
}

/** Whether two groups could have made the same resource, and nothing shows to which it is closer. */
function isRival({ like }: Group, other: Group): boolean {
  const common = [...like].filter((id) => other.like.has(id));
  return common.length > 0 && !(common.length === like.size && other.like.size > like.size);
}

/** A resource for each creation of a group, as far as they go; undefined where some are left over. */
function pairs({ lost, like }: Group): Map<number, Resource> | undefined {
  const free = new Set(like);
  const found = new Map<number, Resource>();
  // Those sent later knew more resources, so fewer are new to them.
  const byChoice = [...lost].sort((a, b) => a.like.size - b.like.size);
  for (const one of byChoice) {
    const [id] = [...one.like.keys()].filter((each) => free.has(each));
    const resource = id === undefined ? undefined : one.like.get(id);
    if (id === undefined || resource === undefined) continue;
    free.delete(id);
    found.set(one.item, resource);
  }
  return free.size === 0 ? found : undefined;
}

function candidatesOf({ like, perhaps }: Lost, taken: ReadonlySet<string>): string[] {
  return [...like.keys(), ...perhaps.keys()].filter((id) => !taken.has(id));
}

/** Where a creation shows afterwards, from the declarations: the list it adds to, and the fields it sent. */

/** like: all that was sent; perhaps: the same name, but something else differs. */
type Likeness = 'like' | 'perhaps' | 'unlike';

interface Trace {
  /**
   * All resources among which the new one is; null where no list shows them.
   * @param when before the creation, or after it, which asks for more
   */
  read(reads: Reads, input: LooseInput, when: 'before' | 'after'): Promise<Resource[] | null>;
  /** Whether it may be elsewhere, too: that nothing is there shows nothing. */
  partial: boolean;
  /** Whether a resource may be what the request created. */
  like(resource: Resource, input: LooseInput): Likeness;
  /** The field that names what is created, as it was sent; what is named otherwise is never like it. */
  name(input: LooseInput): { field: string; value: unknown } | undefined;
}

/** The trace of a creation; undefined for every other operation. */
export function traceOf(op: AnyOperation, rules: RuleBook): Trace | undefined {
  const { shows, like } = rules.ruleOf(op);
  const list = listFor(op, rules);
  const read: Trace['read'] | undefined = shows ?? (list && ((reads, input) => readList(reads, list, input)));
  if (read === undefined) return undefined;
  return {
    read,
    partial: shows !== undefined,
    like(resource, input) {
      const sent = sentIn(input);
      return like?.(resource, sent) === false ? 'unlike' : likenessOf(op, resource, sent);
    },
    name(input) {
      const sent = sentIn(input);
      const found = comparable(op, sent).find(({ field }) => isFreeText(op, field));
      return found && { field: found.shown, value: folded(sent[found.field]) };
    },
  };
}

function sentIn({ body }: LooseInput): Resource {
  return isObject(body) ? body : {};
}

/** All items, whatever their status, with texts as they were sent. */
async function readList(reads: Reads, list: AnyOperation, { path }: LooseInput): Promise<Resource[] | null> {
  const fields = list.query.properties as Record<string, TSchema>;
  const base = 'format' in fields ? { format: 'markdown' } : {};
  const found: Resource[] = [];
  for (const status of statusesOf(fields.status)) {
    const query = { ...base, ...(status !== undefined && { status }) };
    const items = await reads.all(list, { ...requestFor(list, path).input, query });
    if (items === null) return null;
    found.push(...items);
  }
  return found;
}

/** The statuses to list one after the other, where a list shows those of one status only. */
function statusesOf(schema: TSchema | undefined): (string | undefined)[] {
  const known = (schema?.['x-known'] ?? []) as string[];
  return known.length === 0 || known.includes('all') ? [undefined] : known;
}

function likenessOf(op: AnyOperation, resource: Resource, sent: Resource): Likeness {
  const fields = comparable(op, sent);
  if (fields.every(({ field, shown }) => isSame(sent[field], resource[shown]))) return 'like';
  const name = fields.find(({ field }) => isFreeText(op, field));
  return name && folded(sent[name.field]) === folded(resource[name.shown]) ? 'perhaps' : 'unlike';
}

/** The fields of a body that its answer shows, and under which name: `spaceId` as `space`. */
function comparable(op: AnyOperation, sent: Resource): { field: string; shown: string }[] {
  const answered = shownFields(op);
  return Object.keys(sent).flatMap((field) => {
    const shown = answered.has(field) ? field : field.replace(/Id$/, '');
    const isSent = sent[field] !== undefined && !Array.isArray(sent[field]);
    return isSent && answered.has(shown) ? [{ field, shown }] : [];
  });
}

function shownFields({ returns }: AnyOperation): ReadonlySet<string> {
  const schema = returns.kind === 'one' ? (returns.schema as TObject) : undefined;
  return new Set(Object.keys(schema?.properties ?? {}));
}

/** Whether a field of a body is a text of the caller's own: a title, not one of several known values. */
function isFreeText({ body }: AnyOperation, field: string): boolean {
  const schema = (body?.properties as Record<string, TSchema> | undefined)?.[field];
  return schema?.type === 'string' && schema.enum === undefined && schema['x-known'] === undefined;
}

/** Whether a resource shows a value as it was sent. What is not set may be left out; a reference may be whole. */
function isSame(sent: unknown, shown: unknown): boolean {
  if (sent === null || sent === '') return shown === undefined || shown === null || shown === '';
  if (typeof sent === 'string') return normal(sent) === normal(isObject(shown) ? shown.id : shown);
  if (!isObject(sent)) return sent === shown;
  return Object.entries(sent).every(([key, value]) =>
    isSame(value, isObject(shown) ? shown[key] : undefined),
  );
}

/** The platform may trim a text, and write its white space in another way. */
function normal(text: unknown): unknown {
  return typeof text === 'string' ? exactKey(text).replace(/\s+/g, ' ').trim() : text;
}

/** A name, or the id of a reference, as names are compared. */
export function folded(value: unknown): unknown {
  const text = isObject(value) ? value.id : value;
  return typeof text === 'string' ? nameKey(text) : text;
}

/** What a resource is known by: its id, and the name in its path where that differs. */
export function idsOf(resource: unknown): string[] {
  if (!isObject(resource)) return [];
  return [resource.id, resource.name, resource.slug].filter((id) => typeof id === 'string');
}

/** When a resource was created, in milliseconds of the platform's clock; undefined where it does not tell. */
export function createdMsOf({ createdAt, postedAt }: Resource): number | undefined {
  const ms = Date.parse(String(createdAt ?? postedAt ?? ''));
  return Number.isNaN(ms) ? undefined : ms;
}
