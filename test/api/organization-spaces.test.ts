import { expect, it } from 'vitest';
import { once } from '../../src/api/organization-spaces.js';
import type { Space } from '../../src/api/resources/spaces.js';

async function* pages(...ids: string[][]) {
  for (const page of ids) yield { items: page.map((id) => ({ id }) as Space) };
}

async function read(most: number | undefined, ...ids: string[][]) {
  const out: string[] = [];
  for await (const { items, next } of once(pages(...ids), most)) {
    out.push(items.map(({ id }) => id).join(' ') + (next === undefined ? '' : ' …'));
  }
  return out;
}

it('lists each space once', async () => {
  expect(await read(undefined, ['a', 'b'], ['b'], ['c', 'a'])).toEqual(['a b', 'c']);
});

it.each([
  [1, ['a …']],
  [2, ['a b …']],
  [3, ['a b', 'c']],
  [4, ['a b', 'c']],
])('says whether more is left after %i', async (most, shown) => {
  expect(await read(most, ['a', 'b'], ['b'], ['c', 'a'], ['b'])).toEqual(shown);
});
