import { defined } from '../base/values.js';
import type { Change, JobChange } from './change.js';
import { type Job, type JobItem, jobItem } from './journal.js';
import { changeId, changeIndex, findReferences, referTo } from './references.js';
import type { Undoing } from './undo.js';

/** The requests of an undo, in the order in which they are sent. */

interface UndoSteps {
  steps: JobItem[];
  /** What cannot be undone, each with its index among all items. */
  leftOut: { index: number; item: Undoing }[];
}

/** @param items from the last change to the first */
export function undoSteps(job: Job, items: readonly Undoing[]): UndoSteps {
  const stepper = new Stepper(job);
  for (const item of items) stepper.add(item);
  return stepper;
}

class Stepper implements UndoSteps {
  readonly steps: JobItem[] = [];
  readonly leftOut: UndoSteps['leftOut'] = [];
  /** The items that depended on each, by its index in the job that is undone. */
  readonly #later = new Map<number, number[]>();
  /** The steps of each item, by its index in the job that is undone. */
  readonly #placed = new Map<number, number[]>();
  /** The step that creates a resource anew, by the old id. */
  readonly #remade = new Map<string, string>();
  #next = 0;

  constructor(job: Job) {
    for (const { change } of job.items) {
      for (const item of change.after ?? [])
        this.#later.set(item, [...(this.#later.get(item) ?? []), change.item]);
    }
  }

  add(item: Undoing): void {
    const { request, index, id, expect, further = [], restores, remakes, lock, sealed, covers = [] } = item;
    if (request === undefined) {
      this.leftOut.push({ index: this.#next, item });
      this.#next += 1;
      return;
    }
    const after = [index, ...covers.map((covered) => covered.item)].flatMap((own) => this.#dependents(own));
    const own = { id, undoes: index, expect, sealed, after, ...(covers.length > 0 && { covers }) };
    const ends = { restores, lock };
    const first = this.#push({ ...request, ...own, ...(further.length === 0 && ends) }, remakes);
    const parts = further.map((part, at) => {
      const last = at === further.length - 1 && ends;
      return this.#push({ ...part, sealed, after: [first], partOf: first, ...last });
    });
    this.#placed.set(index, [first, ...parts]);
  }

  /** An item is undone after all items that depended on it. */
  #dependents(index: number): number[] {
    return (this.#later.get(index) ?? []).flatMap((item) => this.#placed.get(item) ?? []);
  }

  /** @param remakes the old id of what it creates @returns the index of the step */
  #push(change: Change, remakes?: string): number {
    const item = this.#next;
    this.#next += 1;
    if (remakes !== undefined) this.#remade.set(remakes, changeId(item));
    const { op, id, input, ...own } = this.#referring(item, change);
    const { undoes, expect, sealed, covers, partOf, restores, lock } = own;
    const makers = findReferences([input, expect, covers, restores, lock]);
    const awaited = new Set([...(own.after ?? []), ...makers.map(({ $from }) => changeIndex($from))]);
    awaited.delete(item);
    const after = awaited.size > 0 ? [...awaited] : undefined;
    const line = defined({ undoes, expect, sealed, covers, partOf, restores, lock, after });
    this.steps.push(jobItem({ op, id, input, ...line }, item));
    return item;
  }

  /**
   * With references where a request, the read after it or the lock names a resource by its old id that a request
   * creates anew. Of its own new id only the read and the lock know.
   */
  #referring(item: number, change: Change): Change {
    if (this.#remade.size === 0) return change;
    const { input, expect, restores, lock, covers } = change;
    const maker = (id: string) => this.#remade.get(id);
    const other = (id: string) => (maker(id) === changeId(item) ? undefined : maker(id));
    const read = restores && referTo(maker, defined({ input: restores.input, state: restores.state }));
    return {
      ...change,
      ...referTo(other, { input, expect }),
      ...referTo(maker, { lock, covers }),
      restores: restores && { ...restores, ...read },
    };
  }
}

/**
 * The records of a job that are left, where the last request of an undo is done and others are not: the last
 * of those reads what is restored.
 */
export function withReads(left: readonly JobItem[], all: readonly JobItem[]): JobItem[] {
  const isLeft = new Set(left);
  const done = all.filter((record) => record.change.restores !== undefined && !isLeft.has(record));
  const heirs = new Map(
    done.flatMap(({ change }) => {
      const heir = left.findLast((record) => isOfOneUndo(record.change, change));
      return heir === undefined ? [] : [[heir, change] as const];
    }),
  );
  return left.map((record) => {
    const from = heirs.get(record);
    if (from === undefined) return record;
    return { ...record, change: { ...record.change, ...defined({ restores: from.restores }) } };
  });
}

function isOfOneUndo(a: JobChange, b: JobChange): boolean {
  return (a.partOf ?? a.item) === (b.partOf ?? b.item);
}
