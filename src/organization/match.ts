import type { Lock } from '../plans/lock.js';
import type { Address, Desired, Live, LiveItem } from './model.js';

/** Which item of the files is which of the platform. */
export interface Matched {
  live: ReadonlyMap<Address, LiveItem>;
  /** By kind and id: `teams yX3l…`. */
  address: ReadonlyMap<string, Address>;
  /** Items of which several on the platform could be meant. */
  ambiguous: ReadonlyMap<Address, readonly LiveItem[]>;
}

/** By the lock, else by natural key, else by a title that is unique under its parent. */
export function match(_desired: Pick<Desired, 'items'>, _live: Live, _lock: Lock | undefined): Matched {
  throw new Error('not built yet');
}
