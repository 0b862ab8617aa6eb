import { expect, test } from 'vitest';
import type { Field } from '../../../src/organization/kind.js';
import { atCreation, bodyOf } from '../../../src/organization/kinds/bodies.js';
import { kindOf } from '../../../src/organization/kinds/index.js';
import type { DesiredItem, KindName } from '../../../src/organization/model.js';
import { seedId } from '../../sandbox/client.js';
import { eachTest } from '../../sandbox/each-test.js';
import { type LiveWorld, openLiveWorld } from '../live/live-world.js';
import { named, pathOf, ref, send } from './requests.js';

const world: LiveWorld = eachTest(() => openLiveWorld('tiny'));

const item = (address: string, parent?: string, fields: Record<string, unknown> = {}) => {
  const [kind, ...rest] = address.split('/');
  return { kind, key: rest.at(-1), address, parent, fields } as unknown as DesiredItem;
};

/** Creates an item as a plan does: what the creation takes, then the rest. */
async function create(
  wanted: DesiredItem,
  ids: Record<string, string>,
  path: Record<string, string> = {},
  below: DesiredItem[] = [],
) {
  const kind = kindOf(wanted.kind);
  const context = {
    children: () => below,
    idOf: (address: string) => ids[address],
    item: () => undefined,
    liveChildren: () => [],
  };
  const entries = Object.entries(wanted.fields).map(
    ([key, value]) => [kind.fields.find((one) => one.key === key) as Field, value] as const,
  );
  const first = entries.filter(([field, value]) => atCreation(kind, field, value));
  const { op, more, id = 'id' } = kind.create ?? {};
  const body = Object.assign(
    {},
    more?.(wanted, context),
    ...first.map(([field, value]) => bodyOf(field, value)),
  );
  const made = (await send(world, op, { organizationId: world.organizationId, ...path }, body)) as
    | Record<string, string>
    | undefined;
  const own: Record<string, string> = {
    organizationId: world.organizationId,
    ...path,
    [kind.parameter]: made?.[id] ?? path[kind.parameter] ?? '',
  };
  const rest = entries.filter((entry) => !first.includes(entry));
  const later = rest.filter(([field]) => field.setBy === undefined);
  if (later.length > 0)
    await send(
      world,
      kind.update,
      own,
      Object.assign({}, ...later.map(([field, value]) => bodyOf(field, value))),
    );
  for (const [field, value] of rest)
    if (field.setBy) await send(world, field.setBy.op, own, field.setBy.body(value));
  return own[kind.parameter] ?? '';
}

test('each kind that has a creation is created with all its fields', async () => {
  const ids: Record<string, string> = {
    'spaces/board': seedId('space board'),
    'spaces/handbook': seedId('space handbook'),
  };
  const flat: [string, Record<string, unknown>][] = [
    ['fields/status', { type: 'select', title: 'Status', options: ['draft', 'final'] }],
    ['teams/editors', { title: 'Editors' }],
    ['collections/goods', { title: 'Goods', description: 'All', default_level: 'none' }],
    ['openapi/orders', { url: 'https://api.acme.example/public-api/openapi.json' }],
    ['translations/manuals', { title: 'Manuals' }],
    ['saml/partners', { label: 'Partners', default_role: 'guest', default_team: seedId('team writers') }],
    [
      'sites/portal',
      {
        type: 'ultimate',
        title: 'Portal',
        visibility: 'unlisted',
        basename: 'portal',
        adaptive_content: true,
      },
    ],
  ];
  for (const [address, fields] of flat) ids[address] = await create(item(address, undefined, fields), ids);
  ids['collections/inner'] = await create(
    item('collections/inner', 'collections/goods', { title: 'Inner' }),
    ids,
  );
  const teamId = ids['teams/editors'] ?? '';
  await create(item('memberships/editors/goran@acme.example', 'teams/editors', { role: 'owner' }), ids, {
    teamId,
    userId: seedId('user goran'),
  });
  const site = { siteId: ids['sites/portal'] ?? '' };
  const first = item('site-spaces/portal/board', 'sections/portal/start');
  const start = item('sections/portal/start', 'sites/portal', {
    title: 'Start here',
    path: 'start',
    condition: 'visitor.claims.beta',
  });
  ids[start.address] = await create(start, ids, site, [first]);
  await create(item('site-spaces/portal/handbook', start.address, { path: 'book' }), ids, site);
  await create(item('groups/portal/all', 'sites/portal', { title: 'All', icon: 'star' }), ids, site);
  const live = await world.read();
  const shown = (kind: KindName, title: string) => named(live, kind, title)?.fields;
  expect(shown('fields', 'Status')).toMatchObject({ type: 'select', options: ['draft', 'final'] });
  expect(shown('collections', 'Goods')).toMatchObject({ description: 'All', default_level: 'none' });
  expect(named(live, 'collections', 'Inner').parent?.title).toBe('Goods');
  expect(shown('openapi', 'orders')?.url).toContain('public-api');
  expect(shown('saml', 'Partners')).toMatchObject({
    default_role: 'guest',
    default_team: ref('teams', 'team writers'),
  });
  expect(shown('sites', 'Portal')).toMatchObject({
    type: 'ultimate',
    basename: 'portal',
    adaptive_content: true,
  });
  const owner = live.items.get('memberships')?.find(({ parent }) => parent?.title === 'Editors');
  expect([owner?.title, owner?.fields.role]).toEqual(['goran@acme.example', 'owner']);
  expect(shown('sections', 'Start here')).toMatchObject({ path: 'start', condition: 'visitor.claims.beta' });
  const spaces = live.items.get('site-spaces')?.filter(({ parent }) => parent?.title === 'Start here');
  expect(spaces?.map(({ title, fields }) => [title, fields.path])).toEqual([
    ['Board Notes', 'board-notes'],
    ['Engineering Handbook', 'book'],
  ]);
  expect(shown('groups', 'All')).toEqual({ title: 'All', icon: 'star' });
});

test('each order is changed by its move, and sections enter and leave groups', async () => {
  const places = async (kind: KindName) =>
    ((await world.read()).items.get(kind) ?? [])
      .map((one) => `${one.parent?.title ?? ''} ${one.index} ${one.title}`)
      .sort();
  const move = async (
    kind: KindName,
    title: string,
    before: readonly [KindName, string] | undefined,
    parent?: string | null,
  ) => {
    const live = await world.read();
    const { op, neighbour, parent: into } = kindOf(kind).order ?? {};
    const beside = before && { position: { before: neighbour?.(before[0], named(live, ...before).id) } };
    await send(world, op, pathOf(world, named(live, kind, title)), {
      ...(parent !== undefined && into?.(parent)),
      ...beside,
    });
  };
  await move('collections', 'Internal', ['collections', 'Product']);
  expect(await places('collections')).toEqual([' 0 Internal', ' 1 Product']);
  await move('spaces', 'API Reference', ['spaces', 'Product Guide']);
  await move('spaces', 'Welcome', ['spaces', 'Engineering Handbook'], seedId('collection internal'));
  expect(await places('spaces')).toEqual([
    ...[' 0 Board Notes', 'Internal 0 Welcome', 'Internal 1 Engineering Handbook'],
    ...['Product 0 API Reference', 'Product 1 Product Guide'],
  ]);
  await move('groups', 'Developers', ['sections', 'Home']);
  await move('sections', 'API', ['sections', 'Guides']);
  expect(await places('sections')).toEqual(['Acme Docs 1 Home', 'Developers 0 API', 'Developers 1 Guides']);
  const { enter, leave } = kindOf('sections').order ?? {};
  const live = await world.read();
  const [home, api, group] = [
    named(live, 'sections', 'Home'),
    named(live, 'sections', 'API'),
    named(live, 'groups', 'Developers'),
  ];
  await send(
    world,
    enter?.op,
    { ...pathOf(world, home), [kindOf('groups').parameter]: group.id },
    enter?.body(home.id),
  );
  await send(world, leave?.op, pathOf(world, api));
  expect(await places('sections')).toEqual(['Acme Docs 1 API', 'Developers 0 Guides', 'Developers 1 Home']);
  expect(kindOf('sections').order?.neighbour('groups', 'x')).toBeUndefined();
});
