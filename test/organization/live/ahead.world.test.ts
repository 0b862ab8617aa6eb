import { expect, test } from 'vitest';
import { sendAhead } from '../../../src/organization/live/ahead.js';
import { outlineReading } from '../../../src/organization/live/first-requests.js';
import { kindNames } from '../../../src/organization/model.js';
import { gateAhead, sendFirst } from '../../../src/snapshot/ahead.js';
import { outlineSpaces } from '../../../src/snapshot/first-requests.js';
import { allSpaces } from '../../../src/snapshot/spaces.js';
import { eachTest } from '../../sandbox/each-test.js';
import { type LiveWorld, openLiveWorld } from './live-world.js';

const world: LiveWorld = eachTest(() => openLiveWorld('tiny'));

async function sentAlone(names: readonly string[]): Promise<string[]> {
  const from = world.sent.length;
  await world.read((kind, field) => field === undefined && names.includes(kind));
  return world.sent.slice(from).sort();
}

test('what is sent ahead for any kind is what reading it sends, once', async () => {
  const { client, organizationId, sent } = world;
  const outline = await outlineReading();
  for (const names of [...kindNames.map((name) => [name]), kindNames]) {
    const alone = await sentAlone(names);
    const from = sent.length;
    sendAhead(client, outline, organizationId, new Set(names));
    expect(await sentAlone(names), names.join()).toEqual(sent.slice(from).sort());
    expect(sent.slice(from).sort(), names.join()).toEqual(alone);
  }
});

test('what items of lists ask for is outlined, too', async () => {
  const { first } = await outlineReading();
  const each = first.flatMap((request) => request.each.map(({ path }) => path));
  expect(each).toContain('/v1/orgs/THE-ORGANIZATION/teams/THE-ITEM/members?limit=1000');
  expect(each).toContain('/v1/collections/THE-ITEM/spaces?limit=1000');
});

test('what is sent ahead for all spaces is what reading them sends, once', async () => {
  const { client, organizationId, sent } = world;
  const { signal } = new AbortController();
  const read = async (own = client) => {
    const from = sent.length;
    await allSpaces({ client: own, organizationId, concurrency: 8, signal }, ({ id }) => id);
    return sent.slice(from).sort();
  };
  const alone = await read();
  const from = sent.length;
  sendFirst(client, await outlineSpaces(), organizationId);
  await read(gateAhead(client)?.client);
  expect(sent.slice(from).sort()).toEqual(alone);
  expect((await outlineSpaces()).flatMap(({ each }) => each)).toHaveLength(2);
});
