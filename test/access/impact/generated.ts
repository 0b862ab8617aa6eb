import { expect } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import { deleteSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { orgId } from '../../organization/generated/rows.js';
import type { World } from '../../organization/generated/world.js';
import { type LinkedOrganization, spaceId, stateOf } from '../generated-links/organization.js';
import { broken, placed, readingOf, writtenAs } from '../generated-links/properties.js';
import { listed, missing, publishedUrls } from './published-urls.js';

/**
 * The impact of deleting spaces, one or two at once, lists exactly the links that a check finds broken afterwards,
 * and exactly the addresses that are published before and not after.
 */
export async function impactIsWhatHappens(world: World, org: LinkedOrganization): Promise<void> {
  world.load(stateOf(org));
  const live = org.spaces.flatMap(({ state }, at) => (state === 'live' ? [at] : []));
  const ids = live.map(spaceId);
  const before = await broken(world);
  const urls = await publishedUrls(world.client, orgId, ids);
  const reading = readingOf(world, false);
  for (const gone of setsOf(live).map((set) => set.map(spaceId))) {
    const things = gone.map((id) => ({ object: 'space' as const, id }));
    const impact = await readImpact(reading, { action: 'delete', things }, { aspects: ['links', 'urls'] });
    expect(impact.unknown).toEqual([]);
    for (const id of gone) await world.client.ok(deleteSpace, { path: { spaceId: id } });
    const references = impact.links.filter(({ via }) => via === 'reference');
    const others = before.filter((one) => !gone.some((id) => one.startsWith(`${id} `)));
    expect(await broken(world)).toEqual([...others, ...placed(references, writtenAs)].sort());
    expect(listed(impact.urls)).toEqual(missing(urls, await publishedUrls(world.client, orgId, ids)));
    for (const id of gone) await world.client.ok(restoreSpace, { path: { spaceId: id } });
  }
  await reading.client.close();
}

/** Each space, and the first two together. */
function setsOf(live: readonly number[]): number[][] {
  const pair = live.slice(0, 2);
  return [...live.map((at) => [at]), ...(pair.length === 2 ? [pair] : [])];
}
