import type { Lock } from '../../plans/lock.js';
import type { LockChange } from '../../plans/plan.js';
import type { Kind } from '../kind.js';
import type { Address, KindName, LiveItem } from '../model.js';
import { type AddressOf, readableHashes, valueHash } from '../value.js';
import { placeEntry } from './orders.js';
import { parentEntry } from './three-way.js';

/** Items that left the files and are still on the platform: pull leaves them out, and their entries follow the platform. */
export class LeftItems {
  readonly #addresses = new Map<LiveItem, Address>();
  readonly #byId = new Map<string, Address>();

  add(live: LiveItem, address: Address): void {
    this.#addresses.set(live, address);
    this.#byId.set(`${live.kind} ${live.id}`, address);
  }

  get addresses(): readonly Address[] {
    return [...this.#addresses.values()];
  }

  readonly addressOf: AddressOf = (kind, id) => this.#byId.get(`${kind} ${id}`);

  /** The entries of the lock as the platform has the items now. */
  entries(lock: Lock | undefined, kindOf: (name: KindName) => Kind, addressOf: AddressOf): LockChange[] {
    return [...this.#addresses].flatMap(([live, item]) => {
      const { id, applied = {} } = lock?.items[item] ?? {};
      if (id !== live.id) return [];
      const kind = kindOf(live.kind);
      const { [placeEntry]: place } = applied;
      const now = {
        ...readableHashes(kind, live, addressOf),
        ...(kind.order !== undefined && { [parentEntry]: parentHash(live, addressOf) }),
        ...(place !== undefined && { [placeEntry]: place }),
      };
      return [{ item, to: { id: live.id, applied: now } }];
    });
  }
}

function parentHash({ parent }: LiveItem, addressOf: AddressOf): string {
  if (parent === undefined) return valueHash(null);
  return valueHash(addressOf(parent.kind, parent.id) ?? `id:${parent.id}`);
}
