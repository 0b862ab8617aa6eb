import type { Io } from './io.js';

/** The same world with something else in it. Its getters stay getters: each standard stream is made when it is used. */
export function derivedIo(io: Io, more: Partial<Io>): Io {
  return Object.create(Object.getPrototypeOf(io), {
    ...Object.getOwnPropertyDescriptors(io),
    ...Object.getOwnPropertyDescriptors(more),
  });
}
