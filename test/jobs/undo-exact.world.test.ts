import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { setSpaceFields, updateCustomField } from '../../src/api/resources/custom-fields.js';
import { deleteTeamMember, setTeamMember, updateMember } from '../../src/api/resources/members.js';
import { listSiteSpaces, moveSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { deleteSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { seedId } from '../sandbox/client.js';
import { expectUndone, idsOf, type JobWorld, openJobWorld, told } from './job-world.js';

/** Changes of several items, and special ones, and their undo; undo-truth has one change for every operation. */

let world: JobWorld;
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

const cases: [string, AnyOperation, LooseInput[]][] = [
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
  it.each(cases)('%s', (_, op, inputs) => expectUndone(world, op, inputs));

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
