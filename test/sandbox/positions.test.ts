import { expect, test } from 'vitest';
import { lastPosition, positionAt, positionBetween, positionFrom } from '../../src/sandbox/positions.js';
import { createRandom } from '../../src/sandbox/seeds/seeding.js';

test('insertions, deletions and groups that dissolve keep every position and the order', () => {
  const random = createRandom('positions');
  let list: string[] = [];
  for (let step = 0; step < 3000; step += 1) {
    const at = random.below(list.length + 1);
    const choice = random.below(10);
    const here = list[at];
    if (choice < 6) list.splice(at, 0, positionBetween(list[at - 1], here));
    else if (choice < 7) list.push(lastPosition(list.map((position) => ({ position }))));
    else if (here !== undefined && choice < 9) list = list.filter((position) => position !== here);
    else if (here !== undefined) {
      const inner = [positionAt(0), positionAt(1), positionBetween(positionAt(0), positionAt(1))].sort();
      list.splice(at, 1, ...inner.map((position) => positionFrom(here, position)));
    }
    if (step % 100 !== 0) continue;
    expect([...new Set(list)].sort()).toEqual(list);
    const nested = list.filter((position, index) => list[index + 1]?.startsWith(`${position}/`));
    expect(nested, 'what a group holds sorts before all that follow the group').toEqual([]);
  }
});

test.each([
  ['before the same item', (list: string[]) => positionBetween(list.at(-1), positionAt(9))],
  ['after the same item', (list: string[]) => positionBetween(positionAt(0), list.at(-1))],
  ['at the start', (list: string[]) => positionBetween(undefined, list.at(-1))],
  ['at the end', (list: string[]) => positionBetween(list.at(-1), undefined)],
])('a thousand insertions %s stay short', (_, next) => {
  const list: string[] = [];
  for (let count = 0; count < 1000; count += 1) list.push(next(list.length === 0 ? [positionAt(5)] : list));
  expect(new Set(list).size).toBe(1000);
  expect(Math.max(...list.map(({ length }) => length))).toBeLessThan(250);
});
