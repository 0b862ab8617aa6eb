import { prepare } from '../../api/client.js';
import type { Reads } from '../../jobs/request.js';

/** Reads of which each is sent once, however often it is asked for. */
export function remembered(reads: Reads): Reads {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const found = (known.get(key) as Promise<T> | undefined) ?? read();
    known.set(key, found);
    return found;
  };
  return {
    one: (op, input) => once(`one ${prepare(op, input).path}`, () => reads.one(op, input)),
    all: (op, input) => once(`all ${prepare(op, input).path}`, () => reads.all(op, input)),
  };
}
