import { expect, test } from 'vitest';
import { Tasks } from '../../src/snapshot/tasks.js';

const turn = () => new Promise<void>((done) => setImmediate(done));

test('runs so many at once, and the urgent ones first, also those that tasks find', async () => {
  const tasks = new Tasks(2);
  const begun: string[] = [];
  let [now, most] = [0, 0];
  const task =
    (name: string, finds: () => void = () => {}) =>
    async () => {
      begun.push(name);
      now += 1;
      most = Math.max(most, now);
      await turn();
      finds();
      now -= 1;
    };
  tasks.add(task('a', () => tasks.add(task('d'), true)));
  tasks.add(task('b', () => tasks.add(task('e'), true)));
  tasks.add(task('c'));
  tasks.add(task('f'));
  await tasks.ended();
  expect(begun).toEqual(['a', 'b', 'd', 'e', 'c', 'f']);
  expect(most).toBe(2);
});

test('after a failure nothing new begins; what runs ends first', async () => {
  const tasks = new Tasks(2);
  const ended: string[] = [];
  tasks.add(async () => {
    throw new Error('first');
  });
  tasks.add(async () => {
    await turn();
    await turn();
    ended.push('second');
    throw new Error('second');
  });
  tasks.add(async () => void ended.push('third'));
  await expect(tasks.ended()).rejects.toThrow('first');
  expect(ended).toEqual(['second']);
});

test('has ended where there was nothing to do', async () => {
  await new Tasks(8).ended();
});
