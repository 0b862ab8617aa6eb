import type { Lock } from '../plans/lock.js';
import type { Address, DesiredItem, KindName, Live, LiveItem, Missed } from './model.js';

/**
 * What may be on the platform although it was not found, since the platform refused to show all of it. Nothing is
 * removed, created or forgotten for that.
 */
export class MissedItems {
  readonly #missed: readonly Missed[];
  readonly #addresses: ReadonlyMap<string, Address>;
  readonly #lock: Lock | undefined;
  #locked?: ReadonlyMap<string, Address>;

  /** @param addresses of live items, by kind and id */
  constructor({ missed }: Pick<Live, 'missed'>, addresses: ReadonlyMap<string, Address>, lock?: Lock) {
    this.#missed = missed.filter(({ field }) => field === undefined);
    this.#addresses = addresses;
    this.#lock = lock;
  }

  /** Whether not all items of a kind were read. */
  hasSome(kind: KindName): boolean {
    return this.#missed.some((one) => one.kind === kind);
  }

  /** Whether an item of the files may be among those that were not read. */
  mayHave({ kind, address }: Pick<DesiredItem, 'kind' | 'address'>): boolean {
    return this.#missed.some(({ kind: of, within }) => {
      if (of !== kind || within === undefined) return of === kind;
      const around = this.#addresses.get(`${within.kind} ${within.id}`);
      return around?.split('/')[1] === address.split('/')[1];
    });
  }

  /** Whether a live item may be one of the files under another name, since something beside it was not read. */
  isBeside({ kind, parent }: LiveItem): boolean {
    return this.#missed.some(({ kind: of, within }) => {
      if (of !== kind || within === undefined) return of === kind;
      let around = parent;
      while (around !== undefined && !(around.kind === within.kind && around.id === within.id))
        around = around.parent;
      return around !== undefined;
    });
  }

  /** The address that the lock has for an item that was not read. */
  addressOf(kind: KindName, id: string): Address | undefined {
    if (this.#lock === undefined || !this.hasSome(kind)) return undefined;
    this.#locked ??= new Map(
      Object.entries(this.#lock.items).map(([address, entry]) => [
        `${address.slice(0, address.indexOf('/'))} ${entry.id}`,
        address as Address,
      ]),
    );
    return this.#locked.get(`${kind} ${id}`);
  }
}

/** What was not read, each sentence once. */
export function sentencesOf({ missed }: Pick<Live, 'missed'>): string[] {
  return [...new Set(missed.map(({ message }) => message))];
}
