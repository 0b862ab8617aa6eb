import { defined } from '../defined.js';
import { takesIn } from './filled.js';
import type { Covered, ItemRecord, Job, LockLine, PlanLine, Restores, Take } from './journal.js';
import type { PlannedRequest } from './request.js';
import type { State } from './state.js';
import { type Step, stepOf } from './step.js';
import type { Undoing } from './undoing.js';

/** The requests of an undo, in the order in which they are sent. */

export interface UndoSteps {
  steps: Step[];
  /** What cannot be undone, each with its index among all items. */
  leftOut: { index: number; item: Undoing }[];
}

/** @param items from the last change to the first */
export function undoSteps(job: Job, items: readonly Undoing[]): UndoSteps {
  const stepper = new Stepper(job);
  for (const item of items) stepper.add(item);
  return stepper;
}

interface Expected {
  lock: LockLine | undefined;
  covers: readonly Covered[] | undefined;
  expect: State | undefined;
  restores: Restores | undefined;
}

/** What one request of an undo needs beside itself. */
interface More extends Partial<Expected> {
  id: string;
  after: readonly number[];
  undoes?: number;
  sealed?: readonly string[] | undefined;
  partOf?: number;
  /** The old id of what it creates. */
  remakes?: string | undefined;
}

class Stepper implements UndoSteps {
  readonly steps: Step[] = [];
  readonly leftOut: UndoSteps['leftOut'] = [];
  /** The items that depended on each, by its index in the job that is undone. */
  readonly #later = new Map<number, number[]>();
  /** The steps of each item, by its index in the job that is undone. */
  readonly #placed = new Map<number, number[]>();
  /** The step that creates a resource anew, by the old id. */
  readonly #remade = new Map<string, number>();
  #next = 0;

  constructor(job: Job) {
    for (const { plan } of job.items) {
      for (const item of plan.after ?? [])
        this.#later.set(item, [...(this.#later.get(item) ?? []), plan.item]);
    }
  }

  add(item: Undoing): void {
    const { request, index, id, expect, further = [], restores, remakes, lock, sealed } = item;
    const { covers = [] } = item;
    if (request === undefined) {
      this.leftOut.push({ index: this.#next, item });
      this.#next += 1;
      return;
    }
    const last = further.length === 0;
    const after = [index, ...covers.map((covered) => covered.item)].flatMap((own) => this.#dependents(own));
    const first = this.#push(request, {
      id,
      after,
      undoes: index,
      expect,
      remakes,
      sealed,
      ...(covers.length > 0 && { covers }),
      ...(last && { restores, lock }),
    });
    const parts = further.map((part, at) => {
      const { remakes: old, expect: found } = part;
      const own = { id: old ?? part.request.id, expect: found, remakes: old, sealed };
      const ends = at === further.length - 1 && { restores, lock };
      return this.#push(part.request, { ...own, after: [first], partOf: first, ...ends });
    });
    this.#placed.set(index, [first, ...parts]);
  }

  /** An item is undone after all items that depended on it. */
  #dependents(index: number): number[] {
    return (this.#later.get(index) ?? []).flatMap((item) => this.#placed.get(item) ?? []);
  }

  /** @returns the index of the step */
  #push(request: PlannedRequest, { id, remakes, after, ...more }: More): number {
    const item = this.#next;
    this.#next += 1;
    if (remakes !== undefined) this.#remade.set(remakes, item);
    const takes = this.#takes(item, { input: request.input, ...more });
    const awaited = new Set([...after, ...takes.map(({ from }) => from)]);
    awaited.delete(item);
    const plan: Partial<PlanLine> = {
      ...defined(more),
      ...(awaited.size > 0 && { after: [...awaited] }),
      ...(takes.length > 0 && { takes }),
    };
    this.steps.push(stepOf({ ...request, id }, item, plan));
    return item;
  }

  /**
   * Where a request, the read after it or the lock names a resource by its old id that a request creates anew.
   * Of its own new id only the read and the lock know.
   */
  #takes(
    item: number,
    { input, expect, restores, lock, covers }: Pick<PlanLine, 'input'> & Partial<Expected>,
  ): Take[] {
    if (this.#remade.size === 0) return [];
    const sent = takesIn(this.#remade, { input, expect }).filter(({ from }) => from !== item);
    const read = restores && { input: restores.input, state: restores.state };
    return [...sent, ...takesIn(this.#remade, { restores: read, lock, covers })];
  }
}

/**
 * The records of a job that are left, where the last request of an undo is done and others are not: the last
 * of those reads what is restored.
 */
export function withReads(left: readonly ItemRecord[], all: readonly ItemRecord[]): ItemRecord[] {
  const isLeft = new Set(left);
  const done = all.filter((record) => record.plan.restores !== undefined && !isLeft.has(record));
  const heirs = new Map(
    done.flatMap(({ plan }) => {
      const heir = left.findLast((record) => isOfOneUndo(record.plan, plan));
      return heir === undefined ? [] : [[heir, plan] as const];
    }),
  );
  return left.map((record) => {
    const from = heirs.get(record);
    if (from === undefined) return record;
    const takes = [
      ...(record.plan.takes ?? []),
      ...(from.takes ?? []).filter(({ into }) => into[0] === 'restores'),
    ];
    return { ...record, plan: { ...record.plan, ...defined({ restores: from.restores, takes }) } };
  });
}

function isOfOneUndo(a: PlanLine, b: PlanLine): boolean {
  return (a.partOf ?? a.item) === (b.partOf ?? b.item);
}
