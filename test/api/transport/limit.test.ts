import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Limit } from '../../../src/api/transport/limit.js';

test('rings once the last time that was set is over', async () => {
  const [early, late] = [vi.fn(), vi.fn()];
  const limit = new Limit();
  limit.set(20, early);
  limit.set(60, late);
  await wait(40);
  expect(late).not.toHaveBeenCalled();
  await wait(60);
  expect(early).not.toHaveBeenCalled();
  expect(late).toHaveBeenCalledTimes(1);
});

test('rings sooner if it is told so', async () => {
  const [over, later] = [vi.fn(), vi.fn()];
  const limit = new Limit();
  limit.set(10_000, later);
  limit.set(10, over);
  await wait(50);
  expect(over).toHaveBeenCalledTimes(1);
  expect(later).not.toHaveBeenCalled();
});

test('that may be late is due at its time', async () => {
  const over = vi.fn();
  const limit = new Limit();
  limit.set(80, () => {});
  limit.set(10, over, true);
  expect(limit.isDue).toBe(false);
  await wait(30);
  expect([limit.isDue, over.mock.calls.length]).toEqual([true, 0]);
  await wait(100);
  expect(over).toHaveBeenCalledTimes(1);
});

test('that was cleared rings no more, until it is set', async () => {
  const over = vi.fn();
  const limit = new Limit();
  limit.set(10, over);
  limit.clear();
  limit.refresh();
  await wait(40);
  expect([over.mock.calls.length, limit.isDue]).toEqual([0, false]);
  limit.set(10, over);
  await wait(40);
  expect(over).toHaveBeenCalledTimes(1);
});

test('begins anew', async () => {
  const over = vi.fn();
  const limit = new Limit();
  limit.set(60, over);
  await wait(40);
  limit.refresh();
  await wait(40);
  expect(over).not.toHaveBeenCalled();
  await wait(60);
  expect(over).toHaveBeenCalledTimes(1);
});
