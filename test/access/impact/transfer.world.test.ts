import { describe, expect, test } from 'vitest';
import type { Affected, Impact } from '../../../src/access/impact/shapes.js';
import { rankOf } from '../../../src/access/levels.js';
import { createOpenApiSpec } from '../../../src/api/resources/openapi.js';
import { createSite, listSites, updateSite } from '../../../src/api/resources/sites.js';
import { roles } from '../../../src/api/shapes.js';
import { seedId } from '../../sandbox/client.js';
import { acme, collectionId, labs, spaceId, transferWorldOfFile } from './transfer-world.js';

/** What an impact says of a transfer is what the transfer does. */

const world = await transferWorldOfFile();
const space = (name: string): Affected => ({ object: 'space', id: spaceId(name) });
const collection = (name: string): Affected => ({ object: 'collection', id: collectionId(name) });

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
    ['a space inside two collections', [space('handbook')]],
    ['several spaces', [space('welcome'), space('api'), space('board')]],
    ['a collection with everything in it', [collection('product')]],
    ['a collection inside another', [collection('internal')]],
    ['a collection, and what goes with it', [collection('product'), space('api'), collection('internal')]],
  ])('%s', async (_, things) => {
    const impact = await world.impact(things);
    const before = await world.found();
    await world.transfer(impact.things);
    const after = await world.found();

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

    const breaks = impact.links.filter(({ via, status }) => via === 'reference' && status !== 'broken');
    const told = breaks.map(({ from, to }) => `${from.space.id} ${from.page?.id} → /spaces/${to.space}`);
    expect(told.length).toBeGreaterThan(0);
    expect(told.sort()).toEqual(gone(after.broken, before.broken));
    // Nobody loses a grant who has none.
    expect(impact.dependents.filter(({ what }) => what.startsWith('The null grant'))).toEqual([]);
    expect(impact.unknown).toEqual([]);
  });
});

test('the visibility of a space that leaves its collection, and of none that goes with it', async () => {
  const told = async (...things: Affected[]) =>
    (await world.impact(things, { aspects: ['dependents'] })).irreversible.filter((one) =>
      one.includes('in-collection'),
    );
  expect(await told(space('api'), space('guide'))).toEqual([
    'The visibility of 1 space changes from in-collection to private; the API cannot set it back.',
  ]);
  expect(await told(collection('product'))).toEqual([]);
});

test('what has to be set up again finds its name taken in the target', async () => {
  const { admin } = world.sandbox;
  const path = { organizationId: labs };
  await admin.ok(createOpenApiSpec, { path, body: { slug: 'public-api', source: { text: '{}' } } });
  const { dependents } = await world.impact([collection('product')], { aspects: ['dependents'] });
  const told = dependents.flatMap(({ kind, title, what }) => (kind === 'clash' ? [[title, what]] : []));
  expect(told).toEqual([
    ['Product', 'Acme Labs already has a collection called Product.'],
    ['public-api', 'Acme Labs already has an OpenAPI spec called public-api.'],
    [
      'Acme Docs',
      'The site stays in Acme Docs and keeps docs.acme.example, which no site of Acme Labs can have meanwhile.',
    ],
  ]);
  const others = dependents.filter(({ kind }) => kind === 'spec' || kind === 'change-request');
  expect(others.map(({ title, what }) => [title, what])).toEqual([
    ['Better words', '#1 of Product Guide (draft by Ada Okafor) goes to Acme Labs with the space.'],
    ['public-api', '1 page is made from it; it stays in Acme Docs, where later versions are added.'],
  ]);
});

test('a basename is taken where a site of the target has it', async () => {
  const { admin } = world.sandbox;
  const [site] = await admin.all(listSites, { path: { organizationId: acme } });
  const made = await admin.ok(createSite, { path: { organizationId: labs }, body: { title: 'Labs' } });
  const body = { basename: 'handbook' };
  await admin.ok(updateSite, { path: { organizationId: acme, siteId: site?.id ?? '' }, body });
  await admin.ok(updateSite, { path: { organizationId: labs, siteId: made.id }, body });
  const { dependents } = await world.impact([space('guide')], { aspects: ['dependents'] });
  expect(dependents.map(({ what }) => what)).toContain('Acme Labs already has a site called handbook.');
});

describe('what the token may not read is unknown, and nothing is claimed about it', () => {
  const offline = ['dependents', 'people'] as const;

  test.each([
    ['the members of the target', '/v1/orgs/LABS/members', 'members'],
    ['its custom fields', '/v1/orgs/LABS/custom-fields', 'custom-fields'],
    ['its collections', '/v1/orgs/LABS/collections', 'collections'],
    ['the values of a space', '/v1/spaces/*/custom-fields', 'custom-field-values'],
    ['its change requests', '/v1/spaces/*/change-requests', 'draft-change-requests'],
    ['the spaces of a member', '/v1/orgs/*/members/*/spaces', 'member-spaces'],
  ])('%s', async (_, path, kind) => {
    world.control.faults.add({ match: `GET ${path.replace('LABS', labs)}`, status: 403 });
    const impact = await world.impact([space('guide')], { aspects: offline });
    expect(impact.unknown.map((one) => one.kind)).toContain(kind);
    const claims = {
      members: impact.people.length + idsOf(impact, 'grant').length + idsOf(impact, 'access').length,
      'custom-fields': idsOf(impact, 'field-value').length,
      collections: idsOf(impact, 'clash').filter((id) => id === spaceId('guide')).length,
      'custom-field-values': idsOf(impact, 'field-value').length,
      'draft-change-requests': 0,
      'member-spaces': impact.people.length + idsOf(impact, 'grant').length,
    };
    expect(claims[kind as keyof typeof claims]).toBe(0);
  });

  test('a list of spaces in a transferred collection', async () => {
    const path = `/v1/collections/${collectionId('product')}/spaces`;
    world.control.faults.add({ match: `GET ${path}`, status: 403 });
    const impact = await world.impact([collection('product')], { aspects: ['people'] });
    expect(impact.unknown).toMatchObject([{ kind: 'collection', id: collectionId('product') }]);
    expect(impact.people.map((one) => one.space.title)).not.toContain('Product Guide');
  });
});

describe('what the platform would refuse', () => {
  const aspects = ['dependents'] as const;

  test('a token that is not an administrator of both', async () => {
    const impact = await world.impact([space('guide')], { aspects, client: world.as('review') });
    expect(impact.dependents.find(({ kind }) => kind === 'refusal')?.what).toBe(
      'The platform will refuse it: this token is not an administrator of Acme Docs or Acme Labs.',
    );
    const own = await world.impact([space('guide')], { aspects });
    expect(idsOf(own, 'refusal')).toEqual([]);
  });

  test.each([
    ['an unknown organization', 'nowhere', 'not_found'],
    ['an organization that the token does not see', seedId('org globex'), 'not_found'],
    ['the organization that it is in', acme, 'same_organization'],
  ])('%s', async (_, to, code) => {
    await expect(world.impact([space('guide')], { aspects, to })).rejects.toMatchObject({ code });
  });

  test('things that are not there, are elsewhere, or cannot be transferred', async () => {
    const refused = (...things: Affected[]) => expect(world.impact(things, { aspects })).rejects;
    await refused({ object: 'space', id: 'nothing' }).toMatchObject({ kind: 'not-found' });
    await refused(space('board'), { object: 'site', id: 's1' }).toMatchObject({ code: 'not_transferable' });
    await world.transfer([space('board')]);
    await refused(space('board')).toMatchObject({ code: 'wrong_org' });
  });
});
