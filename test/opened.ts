import { afterAll, beforeAll } from 'vitest';

/** What the tests of a file share: opened before the first of them, closed after the last. Not there before that. */
export function opened<T extends { close(): unknown }>(open: () => Promise<T>): T {
  let world: T | undefined;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world?.close());
  const now = (): T => {
    if (world === undefined) throw new Error('It is opened before the first test.');
    return world;
  };
  return new Proxy({} as T, {
    get(_, key) {
      const value: unknown = Reflect.get(now(), key);
      // Methods of a class see its private members.
      return typeof value === 'function' ? value.bind(now()) : value;
    },
    set: (_, key, value) => Reflect.set(now(), key, value),
  });
}
