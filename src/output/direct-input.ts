import type { Input } from '../base/io.js';
import { kindOf } from './direct-output.js';

/**
 * Standard input. Most runs only ask whether it is a terminal, and the runtime's stream is slow to make: for a file or
 * a pipe it is made by whatever else is asked of it.
 * @param runtimes gives the runtime's stream
 */
export function openInput(runtimes: () => Input): Input {
  if (kindOf(0) === undefined) return runtimes();
  let stream: Input | undefined;
  const opened = (): Input => (stream ??= runtimes());
  return new Proxy({} as Input, {
    get(_, name) {
      if (name === 'isTTY') return undefined;
      const value: unknown = Reflect.get(opened(), name);
      return typeof value === 'function' ? value.bind(opened()) : value;
    },
    set: (_, name, value) => Reflect.set(opened(), name, value),
    has: (_, name) => Reflect.has(opened(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(opened()),
  });
}
