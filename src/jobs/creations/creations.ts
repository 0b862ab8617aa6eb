import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import type { ItemRecord, PlanLine } from '../journal.js';
import { shownLine } from '../references.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Settled } from '../resume.js';
import type { Step } from '../step.js';
import { createdMsOf, folded, idsOf, type Trace, traceOf } from './trace.js';

/** How far the platform's clock may be from what this machine knows of it, in milliseconds. */
const clockDoubtMs = 10 * 60_000;
/** Times of the platform may be cut to whole seconds. */
const roundingMs = 2000;

export interface CreationsParts {
  reads: Reads;
  steps: readonly Step[];
  /** The plan of an item with the ids that earlier items made; undefined where one of them is unknown. */
  filled(plan: PlanLine): PlanLine | undefined;
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
  #verdicts: Promise<Map<number, Verdict>> | undefined;

  constructor(parts: CreationsParts) {
    this.#parts = parts;
  }

  /** Ids of the resources like what a request will create; undefined where no list shows them. */
  async known(op: AnyOperation, input: LooseInput): Promise<string[] | undefined> {
    const trace = traceOf(op);
    const listed = trace && (await this.#list(trace, op, input, 'before'));
    if (trace === undefined || !listed) return undefined;
    return listed
      .named(trace, input)
      .filter((resource) => trace.like(resource, input) !== 'unlike')
      .flatMap((resource) => idsOf(resource)[0] ?? []);
  }

  /** Whether a creation without an answer took effect. @throws DocsError where the list cannot be read */
  async settle({ op, record: { plan } }: Step): Promise<Settled> {
    this.#verdicts ??= this.#all();
    const verdict = (await this.#verdicts).get(plan.item);
    if (verdict === undefined) return { is: 'unknown', why: 'the platform does not show its effect' };
    if (verdict.is === 'done') return { is: 'done', answer: verdict.resource };
    if (verdict.is === 'not-done' && traceOf(op)?.partial !== true)
      return { is: 'not-done', before: undefined };
    const candidates = verdict.is === 'unknown' ? verdict.candidates : [];
    const made = candidates.length === 0 ? 'anything' : candidates.join(' or ');
    const why = `nothing shows whether it created ${made}`;
    return { is: 'unknown', why, candidates };
  }

  /** All at once: which resource belongs to which creation depends on the others. */
  async #all(): Promise<Map<number, Verdict>> {
    const lost = new Map<string, Lost[]>();
    for (const { op, record } of this.#parts.steps) {
      const trace = traceOf(op);
      if (trace === undefined || (record.state !== 'started' && record.state !== 'unknown')) continue;
      // What it sent held the ids that earlier items had made.
      const plan = this.#parts.filled(record.plan) ?? shownLine(record.plan);
      const listed = await this.#list(trace, op, plan.input, 'after');
      if (listed === null) continue;
      const key = keyOf(op, plan.input);
      lost.set(key, [...(lost.get(key) ?? []), this.#lost({ ...record, plan }, trace, listed)]);
    }
    return new Map([...lost.values()].flatMap((all) => [...assign(all)]));
  }

  #lost({ plan, started }: ItemRecord, trace: Trace, listed: Listed): Lost {
    const { item, input } = plan;
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
    const found = new Map<unknown, Resource[]>();
    for (const resource of this.#all) {
      const name = folded(resource[field]);
      const same = found.get(name);
      if (same === undefined) found.set(name, [resource]);
      else same.push(resource);
    }
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
  started: ItemRecord['started'],
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
  const groups = new Map<string, Group>();
  for (const lost of all) {
    const group = groups.get(lost.input) ?? { lost: [], like: new Set() };
    group.lost.push(lost);
    for (const id of lost.like.keys()) group.like.add(id);
    groups.set(lost.input, group);
  }
  return [...groups.values()];
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
