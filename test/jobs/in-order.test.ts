import { expect, it } from 'vitest';
import { runInOrder } from '../../src/jobs/in-order.js';
import { settled } from '../fake-io.js';

/** Actions that a test ends. */
function workshop(count: number) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const act = (index: number) =>
    new Promise<string>((resolve) => {
      begun.push(index);
      ends.set(index, () => resolve(`r${index}`));
    });
  return { begun, act, end: (index: number) => ends.get(index)?.(), count };
}

async function collect<T>(results: AsyncIterable<T>, into: T[]): Promise<void> {
  for await (const result of results) into.push(result);
}

it('yields results in input order, and starts the next item whenever one ends', async () => {
  const { begun, act, end } = workshop(6);
  const results: string[] = [];
  const all = collect(runInOrder(6, act, { concurrency: 3 }), results);
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  end(2);
  end(1);
  await settled();
  // The first one is slow: the others do not wait for it.
  expect({ begun, results }).toEqual({ begun: [0, 1, 2, 3, 4], results: [] });
  end(0);
  await settled();
  expect(results).toEqual(['r0', 'r1', 'r2']);
  for (const index of [3, 4]) end(index);
  await settled();
  end(5);
  await all;
  expect(results).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']);
});

it('runs items with the same key one after the other', async () => {
  const { begun, act, end } = workshop(3);
  const results: string[] = [];
  const keyOf = (index: number) => (index === 1 ? undefined : 'same');
  const all = collect(runInOrder(3, act, { concurrency: 8, keyOf }), results);
  await settled();
  expect(begun).toEqual([0, 1]);
  end(0);
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  for (const index of [1, 2]) end(index);
  await all;
});

it('starts nothing new once its reader stops, and ends after the running items', async () => {
  const { begun, act, end } = workshop(10);
  const results = runInOrder(10, act, { concurrency: 2 });
  const first = results.next();
  await settled();
  end(0);
  expect(await first).toEqual({ done: false, value: 'r0' });
  let over = false;
  const leaving = results.return(undefined).then(() => {
    over = true;
  });
  await settled();
  expect(over).toBe(false);
  for (const index of begun) end(index);
  await leaving;
  expect(begun).toEqual([0, 1, 2]);
});

it('throws the error of an action when its turn comes', async () => {
  const bug = new TypeError('a bug');
  const results = runInOrder(3, async (index) => (index === 1 ? Promise.reject(bug) : index), {
    concurrency: 3,
  });
  expect(await results.next()).toEqual({ done: false, value: 0 });
  await expect(results.next()).rejects.toBe(bug);
});

it('starts the next item as soon as an action is free, and waits for the rest of the action', async () => {
  const { begun, act, end } = workshop(3);
  const frees: (() => void)[] = [];
  const results: string[] = [];
  const all = collect(
    runInOrder(
      3,
      (index, free) => {
        frees.push(free);
        return act(index);
      },
      { concurrency: 1 },
    ),
    results,
  );
  await settled();
  expect(begun).toEqual([0]);
  frees[0]?.();
  await settled();
  expect({ begun, results }).toEqual({ begun: [0, 1], results: [] });
  end(0);
  await settled();
  // The end of one that was free already makes no more room.
  expect({ begun, results }).toEqual({ begun: [0, 1], results: ['r0'] });
  end(1);
  await settled();
  end(2);
  await all;
});

it('gives the place of an item that waits to the next one, and lets the earliest go first once it need not wait', async () => {
  const { begun, act, end } = workshop(7);
  const after = (index: number) => (index === 1 || index === 2 ? [0] : undefined);
  const all = collect(runInOrder(7, act, { concurrency: 2, after }), []);
  await settled();
  expect(begun).toEqual([0, 3]);
  end(3);
  await settled();
  expect(begun).toEqual([0, 3, 4]);
  end(0);
  await settled();
  end(4);
  await settled();
  // Their turn has come, so they go before those that are further on.
  expect(begun).toEqual([0, 3, 4, 5, 1]);
  for (const index of [5, 1, 2, 6]) {
    end(index);
    await settled();
  }
  await all;
  expect(begun).toEqual([0, 3, 4, 5, 1, 2, 6]);
});

it('begins nothing that waits once its reader stops, and does not wait for it', async () => {
  const { begun, act, end } = workshop(3);
  const results = runInOrder(3, act, {
    concurrency: 1,
    after: (index) => (index > 0 ? [index - 1] : undefined),
  });
  const first = results.next();
  await settled();
  end(0);
  await first;
  const stopped = results.return(undefined);
  await settled();
  end(1);
  await stopped;
  expect(begun).toEqual([0, 1]);
});
