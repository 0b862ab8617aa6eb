import { defined } from '../defined.js';
import type { PlanLine } from '../jobs/journal.js';
import type { Proof } from '../jobs/proofs.js';
import type { PlannedRequest } from '../jobs/request.js';
import type { Step } from '../jobs/step.js';
import { replaced } from './placeholders.js';
import type { LockChange, LockEntry, PlanHead, PlanOperation } from './plan.js';

/** What a plan is made from: by commands from the steps of their job, by the organization as code from its planner. */
export interface Draft extends Partial<Pick<PlanOperation, 'kind' | 'key' | 'action' | 'fields' | 'risk'>> {
  /** Absent for findings and for what is withheld. Ids that earlier drafts make are `{ $from: <index>, path }`. */
  request?: PlannedRequest;
  finding?: PlanOperation['finding'];
  /** Indexes of the drafts that must succeed first. */
  after?: readonly number[];
  /** Its line of the journal, where there is one already: of an undo. Indexes in it are those of the drafts. */
  line?: PlanLine;
  lock?: DraftLock;
  /** Of a read: what it must show before the drafts that come after it are sent. */
  proves?: readonly Proof<string | DraftFrom>[];
  /** How long it waits for the platform to show what earlier drafts make, in milliseconds. */
  waitMs?: number;
}

/** What stands for an id that another draft makes: a `From` that names the draft by its index. */
export interface DraftFrom {
  $from: string | number;
  path: string;
}

/** A change of the lock whose entry may have the id that another draft makes. */
export interface DraftLock extends Pick<LockChange, 'item'> {
  to: (Omit<LockEntry, 'id'> & { id: string | DraftFrom }) | null;
}

/** A draft in its place in a plan. */
export interface PlacedDraft extends Omit<Draft, 'lock'> {
  lock?: LockChange;
}

export type PlanFacts = Omit<PlanHead, 'plan' | 'id' | 'hash' | 'madeAt' | 'counts'> & { nowMs: number };

/** The steps of a job as drafts. Some items of a job may have no step, so indexes in lines become those of drafts. */
export function draftsOf(steps: readonly Step[]): Draft[] {
  const places = new Map(steps.map(({ record }, at) => [record.plan.item, at]));
  const at = (item: number) => places.get(item) ?? -1;
  return steps.map(({ op, record: { plan, before } }) => {
    const { input, id, after, partOf, takes, expect = before } = plan;
    const line: PlanLine = {
      ...plan,
      ...defined({
        expect,
        partOf: partOf === undefined ? undefined : at(partOf),
        takes: takes?.map((take) => ({ ...take, from: at(take.from) })),
      }),
    };
    const indexes = after?.map(at).filter((index) => index >= 0);
    const { lock } = plan;
    return {
      request: { op, input, id },
      line,
      ...(indexes && { after: indexes }),
      ...(lock && { lock: { item: lock.item, to: lock.to } }),
    };
  });
}

/** A draft whose indexes are those of the operations, and whose references name operations. */
export function placed(draft: Draft, places: ReadonlyMap<number, number>): PlacedDraft {
  const at = (index: number | string) => places.get(Number(index)) ?? -1;
  const named = <T>(value: T): T =>
    replaced(value, ({ $from, path }) => ({ $from: `o${at($from) + 1}`, path })) as T;
  const { lock, ...rest } = draft;
  const { request, after, line, proves } = rest;
  return {
    ...rest,
    ...(request && { request: { ...request, input: named(inputOf(request, line)), id: named(request.id) } }),
    ...(after && { after: after.map(at) }),
    ...(proves && { proves: named(proves) }),
    ...(lock && { lock: lockIn(lock, at) }),
    ...(line && {
      line: {
        ...line,
        ...defined({
          partOf: line.partOf === undefined ? undefined : at(line.partOf),
          takes: line.takes?.map((take) => ({ ...take, from: at(take.from) })),
        }),
      },
    }),
  };
}

function lockIn({ item, to }: DraftLock, at: (index: number | string) => number): LockChange {
  if (to === null || typeof to.id === 'string') return { item, to: to && { ...to, id: String(to.id) } };
  const { $from, path } = to.id;
  return { item, to: { ...to, id: { $from: `o${at($from) + 1}`, path } } };
}

/** The input of a request with what its line takes from others: `takes` of a journal as references of a draft. */
function inputOf({ input }: PlannedRequest, line: PlanLine | undefined): PlannedRequest['input'] {
  let own: unknown = input;
  for (const { from, into, path = 'id' } of line?.takes ?? [])
    if (into[0] === 'input') own = putFrom(own, into.slice(1), { $from: from, path });
  return own as PlannedRequest['input'];
}

function putFrom(target: unknown, [key, ...rest]: readonly string[], from: object): unknown {
  if (key === undefined) return from;
  if (Array.isArray(target))
    return target.map((part, at) => (String(at) === key ? putFrom(part, rest, from) : part));
  const own = target as Record<string, unknown>;
  return { ...own, [key]: putFrom(own[key], rest, from) };
}
