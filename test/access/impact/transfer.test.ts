import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Affected, Impact } from '../../../src/access/impact/change.js';
import { rankOf } from '../../../src/access/levels.js';
import { roles } from '../../../src/api/shapes.js';
import { collectionId, openTransferWorld, spaceId, type TransferWorld } from './transfer-world.js';

let world: TransferWorld;
beforeEach(async () => {
  world = await openTransferWorld();
});
afterEach(() => world.close());

const space = (name: string): Affected => ({ object: 'space', id: spaceId(name) });
const collection = (name: string): Affected => ({ object: 'collection', id: collectionId(name) });

const all = ['welcome', 'guide', 'api', 'handbook', 'board'].map(spaceId);
const rankIn = (held: ReadonlyMap<string, string>, key: string) =>
  rankOf(roles.find((role) => role === held.get(key)) ?? null);

/** What was there before, and is not there afterwards. */
function gone(before: Iterable<string>, after: { has(key: string): boolean }): string[] {
  return [...before].filter((key) => !after.has(key)).sort();
}

function idsOf({ dependents }: Impact, kind: Impact['dependents'][number]['kind']): string[] {
  return dependents.flatMap((one) => (one.kind === kind ? [one.id] : [])).sort();
}

describe('everything that an impact calls lost is lost by the transfer, and nothing else', () => {
  test.each<[string, Affected[]]>([
    ['a private space', [space('board')]],
    ['a space out of its collection', [space('api')]],
    ['a published space', [space('guide')]],
    ['a space inside two collections', [space('handbook')]],
    ['a space at the top level', [space('welcome')]],
    ['several spaces', [space('welcome'), space('api'), space('board')]],
    ['a collection with everything in it', [collection('product')]],
    ['a collection inside another', [collection('internal')]],
    [
      'a collection, and what goes with it anyway',
      [collection('product'), space('api'), collection('internal')],
    ],
  ])('%s', async (_, things) => {
    const impact = await world.impact(things, { aspects: ['urls', 'dependents', 'people'] });
    const before = {
      roles: await world.roles(),
      values: await world.values(all),
      sites: await world.siteSpaces(),
    };
    await world.transfer(impact.things);
    const after = {
      roles: await world.roles(),
      values: await world.values(all),
      sites: await world.siteSpaces(),
    };

    const changes = new Map(impact.people.map((one) => [`${one.person.id} ${one.space.id}`, one]));
    for (const key of new Set([...before.roles.keys(), ...after.roles.keys()])) {
      const [then, now] = [rankIn(before.roles, key), rankIn(after.roles, key)];
      const change = changes.get(key);
      if (change === undefined) {
        // Who is a member of the target alone is counted, not listed.
        if (then === 0 && now > 0) expect(idsOf(impact, 'access')).toContain(key.split(' ')[1]);
        else expect([key, now]).toEqual([key, then]);
        continue;
      }
      expect([key, rankOf(change.from)]).toEqual([key, then]);
      expect(now).toBeGreaterThanOrEqual(rankOf(change.to));
      expect(now).toBeLessThanOrEqual(rankOf(change.most ?? change.to));
      if (change.certain) expect([key, now]).not.toEqual([key, then]);
    }

    const changed = [...before.values].filter(([key, value]) => after.values.get(key) !== value);
    expect(idsOf(impact, 'field-value')).toEqual(changed.map(([key]) => key).sort());
    const detached = idsOf(impact, 'site-space').filter((id) => before.sites.has(id));
    expect(detached).toEqual(gone(before.sites, after.sites));
    expect(impact.unknown).toEqual([]);
  });
});
