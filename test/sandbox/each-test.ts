import { afterEach, beforeEach } from 'vitest';

/** Opens a sandbox before each test and closes it afterwards. The result always stands for the current one. */
export function eachTest<World extends { close(): Promise<void> }>(open: () => Promise<World>): World {
  let current: World | undefined;
  beforeEach(async () => {
    current = await open();
  });
  afterEach(() => current?.close());
  return new Proxy({} as World, { get: (_, key) => Reflect.get(current ?? {}, key) });
}
