import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { listCollectionSpaces, listCollections } from '../../src/api/resources/collections.js';
import { setSpaceFields, updateCustomField } from '../../src/api/resources/custom-fields.js';
import { operations } from '../../src/api/resources/index.js';
import { deleteTeamMember, setTeamMember, updateMember } from '../../src/api/resources/members.js';
import { listSiteSpaces, moveSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { deleteSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { ruleOf } from '../../src/jobs/undo-rules.js';
import { seedId } from '../sandbox/client.js';
import { expectUndone, idsOf, type JobWorld, openJobWorld, told } from './job-world.js';
import { changes, orders } from './undo-changes.js';

/** For every operation: what undo claims is what the platform then shows. */

let world: JobWorld;

beforeAll(async () => {
  world = await openJobWorld();
});

afterAll(() => world.close());

/** Refused in the seed `tiny`, or done with sources that it does not have. */
const refused = ['content.import', 'change-request-content.import'];

/** What is undone in part, or not at all; all else exactly. */
const inexact = {
  'best-effort': [
    ...['teams.delete', 'saml.delete', 'translations.delete', 'custom-fields.update'],
    ...['custom-fields.delete', 'openapi.set', 'openapi.delete', 'collections.delete'],
    ...['collections.move', 'collections.transfer', 'spaces.move', 'spaces.transfer'],
    ...['change-requests.create', 'sections.create', 'section-groups.create', 'section-groups.delete'],
    ...['site-spaces.delete'],
  ],
  none: [
    ...['orgs.ping', 'invites.delete', 'members.delete', 'members.link-sso'],
    ...['comments.delete', 'comment-replies.create', 'change-requests.merge', 'change-requests.pull'],
    ...[
      'change-request-comments.delete',
      'change-request-comment-replies.create',
      'sites.delete',
      'sections.delete',
    ],
  ],
};

const changing = operations.filter(({ method }) => method !== 'GET');

const cases = changing.filter((op) => !refused.includes(op.id)).map((op) => [op.id, op] as const);

/** Everything the platform holds, without times and numbers of positions; and its orders. */
async function all() {
  const inOrg = { organizationId: seedId('org acme') };
  const collections = await idsOf(world, listCollections, inOrg);
  const spacesIn = collections.map((collectionId) => [listCollectionSpaces, { collectionId }] as const);
  const lists = [...spacesIn, ...orders].map(([op, path]) => idsOf(world, op, path).catch(() => []));
  return { state: withoutPositions(world.state()), lists: [collections, ...(await Promise.all(lists))] };
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
    await world.control.reset();
    const input = (await changes[id]?.(world)) ?? {};
    const isExact = !Object.values(inexact).flat().includes(id);
    // A deleted copy stays in the trash.
    const before = isExact && id !== 'spaces.duplicate' ? await all() : undefined;
    const ran = await world.run(op, [input]);
    expect(told(ran)).toEqual(['ok']);
    const forecast = ruleOf(op).forecast(input, ran.job.items[0]?.before);
    const undone = await world.undo(ran.job);
    const [item] = undone.items;
    expect([item?.undo, item?.why]).toEqual([forecast.undo, forecast.why]);
    expect(inexact['best-effort'].includes(id)).toBe(item?.undo === 'best-effort');
    expect(inexact.none.includes(id)).toBe(item?.undo === 'none');
    const last = undone.results.at(-1);
    expect(told(undone)).toEqual(undone.results.map(() => 'ok'));
    if (item?.undo === 'none') expect(undone.results).toEqual([]);
    if (item?.undo === 'best-effort') {
      expect(last?.restored).toBe('part');
      expect(last?.notRestored).toContain(item.why);
    }
    if (item?.undo === 'exact') {
      expect([last?.restored, last?.notRestored]).toEqual(['whole', undefined]);
      if (before !== undefined) expect(await all()).toEqual(before);
    }
  });
});

beforeAll(async () => {
  world = await openJobWorld();
});

afterAll(() => world.close());

const inOrg = { organizationId: seedId('org acme') };

const welcome = { spaceId: seedId('space welcome') };

const user = (name: string) => ({ userId: seedId(`user ${name}`) });

const members = (names: string[], body?: object): LooseInput[] =>
  names.map((name) => ({ path: { ...inOrg, ...user(name) }, ...(body && { body }) }));

const inTeam = (names: string[], body?: object): LooseInput[] =>
  names.map((name) => ({
    path: { ...inOrg, teamId: seedId('team writers'), ...user(name) },
    ...(body && { body }),
  }));

const exactly: [string, AnyOperation, LooseInput[]][] = [
  ['roles of members, of a guest too', updateMember, members(['bruno', 'chiara', 'goran'], { role: 'read' })],
  ['a role to none', updateMember, members(['bruno'], { role: null })],
  [
    'one member twice',
    updateMember,
    [...members(['farah'], { role: 'edit' }), ...members(['farah'], { role: 'review' })],
  ],
  ['a member into a team, another role in it', setTeamMember, inTeam(['bruno', 'deniz'], { role: 'owner' })],
  ['members out of a team', deleteTeamMember, inTeam(['chiara', 'deniz'])],
  [
    'the title of a custom field',
    updateCustomField,
    [{ path: { ...inOrg, fieldName: 'owner-team' }, body: { title: 'Who' } }],
  ],
  [
    'a text and a list of custom fields that had no value',
    setSpaceFields,
    [{ path: welcome, body: { values: { 'owner-team': { value: 'Docs' }, topics: { value: ['api'] } } } }],
  ],
  ['the emoji of a space', updateSpace, [{ path: welcome, body: { emoji: '🦊' } }]],
  ['an emoji to an icon', updateSpace, [{ path: welcome, body: { icon: 'https://icons.example/x.png' } }]],
  [
    'deleted spaces',
    deleteSpace,
    ['welcome', 'guide', 'api'].map((name) => ({ path: { spaceId: seedId(`space ${name}`) } })),
  ],
];

describe('undo restores exactly', () => {
  it.each(exactly)('%s', (_, op, inputs) => expectUndone(world, op, inputs));

  it('many moves of one list, from the last to the first', async () => {
    const spaces = ['welcome', 'guide', 'api', 'handbook'].map((name) => seedId(`space ${name}`));
    const { id: siteId } = await world.client.call(createSite, { path: inOrg, body: { spaces } });
    const help = { ...inOrg, siteId };
    const order = await idsOf(world, listSiteSpaces, help);
    expect(order).toHaveLength(4);
    const [first = '', second = '', third = '', last = ''] = order;
    const move = (siteSpaceId: string, side: 'before' | 'after', siteSpace: string) => ({
      path: { ...help, siteSpaceId },
      body: { position: { [side]: { type: 'site-space', siteSpace } } },
    });
    const { job } = await world.run(moveSiteSpace, [
      move(last, 'before', first),
      move(first, 'after', third),
      move(second, 'after', first),
      move(last, 'after', second),
    ]);
    expect(await idsOf(world, listSiteSpaces, help)).not.toEqual(order);
    expect(told(await world.undo(job))).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await idsOf(world, listSiteSpaces, help)).toEqual(order);
  });
});
