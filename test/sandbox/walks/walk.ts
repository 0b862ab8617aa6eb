import { describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { operations } from '../../../src/api/resources/index.js';
import { createRandom } from '../../../src/sandbox/seeds/seeding.js';
import { lists } from './lists.js';
import { openWorld, type Walked, type World } from './world.js';

/** A walk through any list, one item at a time, while others are added and removed. */

export const pageOperations = operations.filter(({ returns }) => returns.kind === 'page');

/** Walks each list that often. */
export function holdWalks(runs: number): void {
  describe('a walk while items are added and removed loses and repeats nothing', () => {
    test.each(pageOperations.map((op) => ({ name: op.id, op })))('$name', async ({ op }) => {
      let items = 0;
      for (let run = 0; run < runs; run += 1) items += await holdWalk(op, `${op.id} ${run}`);
      expect(items, 'items seen').toBeGreaterThan(runs);
    });
  });
}

/** @returns how many items the walk saw */
async function holdWalk(op: AnyOperation, seed: string): Promise<number> {
  const world = await openWorld(createRandom(seed));
  try {
    const walked = await (lists[op.id] ?? noList(op))(world);
    const { seen, stayed } = await walk(world, op, walked);
    expect(new Set(seen).size, `${seed} repeats: ${seen.join(' ')}`).toBe(seen.length);
    expect(
      seen.filter((key) => stayed.includes(key)),
      `${seed} loses or reorders`,
    ).toEqual(stayed);
    return seen.length;
  } finally {
    await world.close();
  }
}

function noList({ id }: AnyOperation): never {
  throw new Error(`lists.ts has no ${id}.`);
}

/** What a walk by one saw, and what was in the list from its start to its end, in order. */
async function walk(world: World, op: AnyOperation, { path, query = {}, change }: Walked) {
  const read = (more: object) => page(world, op, path, { ...query, ...more });
  const all = async () => (await read({ limit: 1000 })).keys;
  let stayed = await all();
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more && seen.length < 100; more = cursor !== undefined) {
    const { keys, next } = await read({ limit: 1, ...(cursor !== undefined && { page: cursor }) });
    seen.push(...keys);
    cursor = next;
    for (let count = world.random.below(3); count > 0; count -= 1) {
      await change();
      const now = new Set(await all());
      stayed = stayed.filter((key) => now.has(key));
    }
  }
  return { seen, stayed };
}

async function page(world: World, op: AnyOperation, path: Record<string, string>, query: object) {
  const filled = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  const pairs = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  const response = await world.admin.send('GET', `${filled}?${new URLSearchParams(pairs)}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${op.id}: ${response.status} ${text}`);
  const { items, next } = JSON.parse(text) as { items: Item[]; next?: { page: string } };
  return { keys: items.map(keyOf), next: next?.page };
}

interface Item {
  id?: string;
  page?: { id: string };
  space?: { id: string };
  team?: { id: string };
  organization?: { id: string };
  [key: string]: unknown;
}

/** What tells an item from the others of its list. */
function keyOf(item: Item): string {
  return (
    item.id ??
    item.page?.id ??
    item.team?.id ??
    item.space?.id ??
    item.organization?.id ??
    JSON.stringify(item)
  );
}
