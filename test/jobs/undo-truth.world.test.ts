import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCollectionSpaces, listCollections } from '../../src/api/resources/collections.js';
import { operations } from '../../src/api/resources/index.js';
import { ruleOf } from '../../src/jobs/undo-rules.js';
import { seedId } from '../sandbox/client.js';
import { idsOf, type JobWorld, openJobWorld } from './job-world.js';
import { changes, orders } from './undo-changes.js';

/** For every operation: what undo claims is what the platform then shows. */

let world: JobWorld;
beforeEach(async () => {
  world = await openJobWorld();
});
afterEach(() => world.close());

/** Refused in the seed `tiny`, or done with sources that it does not have. */
const refused = ['content.import', 'change-request-content.import'];

const changing = operations.filter(({ method }) => method !== 'GET');
const cases = changing.filter((op) => !refused.includes(op.id)).map((op) => [op.id, op] as const);

/** Everything the platform holds, without times and numbers of positions; and its orders. */
async function all() {
  const inOrg = { organizationId: seedId('org acme') };
  const collections = await idsOf(world, listCollections, inOrg);
  const lists: string[][] = [collections];
  for (const collectionId of collections)
    lists.push(await idsOf(world, listCollectionSpaces, { collectionId }).catch(() => []));
  for (const [op, path] of orders) lists.push(await idsOf(world, op, path).catch(() => []));
  return { state: withoutPositions(world.state()), lists };
}

function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'position');
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutPositions(part)]));
}

describe('what undo claims is what a read shows', () => {
  it('for every operation', () => {
    expect(Object.keys(changes).sort()).toEqual(changing.map(({ id }) => id).sort());
  });

  it.each(cases)('%s', async (id, op) => {
    const input = (await changes[id]?.(world)) ?? {};
    const before = await all();
    const { job, results } = await world.run(op, [input]);
    expect(results.map(({ status, failure }) => failure?.message ?? status)).toEqual(['ok']);
    const forecast = ruleOf(op).forecast(input, job.items[0]?.before);
    const undone = await world.undo(job);
    const [item] = undone.items;
    expect([item?.undo, item?.why]).toEqual([forecast.undo, forecast.why]);
    const last = undone.results.at(-1);
    const told = undone.results.map(({ status, failure }) => failure?.message ?? status);
    expect(told).toEqual(undone.results.map(() => 'ok'));
    if (item?.undo === 'none') expect(undone.results).toEqual([]);
    if (item?.undo === 'best-effort') {
      expect(last?.restored).toBe('part');
      expect(last?.notRestored).toContain(item.why);
    }
    if (item?.undo === 'exact') {
      expect([last?.restored, last?.notRestored]).toEqual(['whole', undefined]);
      // A deleted copy stays in the trash.
      if (id !== 'spaces.duplicate') expect(await all()).toEqual(before);
    }
  });
});
