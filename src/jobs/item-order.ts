import { DocsError } from '../errors.js';
import type { PlanLine } from './journal-lines.js';
import type { ItemResult, ItemStatus } from './run-job.js';

type Outcome = Omit<ItemResult, 'index' | 'id'>;

/** Items that wait for others (`after`): they begin once those are done, and not at all where one is not. */
export class ItemOrder {
  /** How the items of this run end that others wait for. */
  readonly #ends: ReadonlyMap<number, End>;

  constructor(plans: readonly PlanLine[]) {
    const awaited = new Set(plans.flatMap(({ after }) => after ?? []));
    const own = plans.map(({ item }) => item).filter((item) => awaited.has(item));
    this.#ends = new Map(own.map((item) => [item, openEnd()]));
  }

  /**
   * Works on an item in its turn. What an earlier run has done is not among the items, and not waited for.
   * @param work not begun where something before it was not done
   */
  async inTurn({ item, id, after = [] }: PlanLine, work: () => Promise<Outcome>): Promise<Outcome> {
    const end = this.#ends.get(item);
    try {
      const before = await Promise.all(after.map((other) => this.#ends.get(other)?.told ?? 'ok'));
      const outcome = before.every((status) => status === 'ok') ? await work() : heldBack(id);
      end?.tell(outcome.status);
      return outcome;
    } finally {
      end?.tell('unknown'); // Told already, unless the work threw: then nobody may wait for ever.
    }
  }
}

interface End {
  told: Promise<ItemStatus>;
  tell(status: ItemStatus): void;
}

function openEnd(): End {
  let tell: End['tell'] = () => {};
  const told = new Promise<ItemStatus>((resolve) => {
    tell = resolve;
  });
  return { told, tell };
}

function heldBack(id: string): Outcome {
  const message = `Nothing was sent for ${id}: what must come first was not done.`;
  return {
    status: 'skipped',
    failure: new DocsError('partial', 'held_back', message, { outcome: 'not-sent' }),
  };
}
