import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openSiteWorld, type SitePath, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

/** The path of a section by its title. */
async function section(title: string, site: SitePath = world.docs) {
  const row = (await world.sections(site)).find((each) => each.title === title);
  if (row === undefined) throw new Error(`There is no section ${title}.`);
  return { ...site, siteSectionId: row.id };
}
const byDefault = async (site: SitePath = world.docs) =>
  titles((await world.sections(site)).filter((row) => row.default));

describe('the list of sections', () => {
  test('has the sections of groups where the group is, each with its site spaces', async () => {
    const { items, count } = await world.admin.ok(ops.listSections, { path: world.docs });
    expect(count).toBe(3);
    expect(items.map((row) => [row.title, row.path, row.default, titles(row.siteSpaces)])).toEqual([
      ['Home', 'home', true, ['Welcome']],
      ['Guides', 'guides', false, ['Product Guide']],
      ['API', 'api', false, ['API Reference']],
    ]);
    const [home, guides, api] = items;
    expect(home).not.toHaveProperty('sectionGroup');
    expect(guides?.sectionGroup).toBe(api?.sectionGroup);
    expect(guides?.description).toBe('How to build with Acme');
    expect(api).toMatchObject({ icon: 'plug', condition: 'visitor.claims.beta' });
    expect(api?.urls?.published).toBe('https://docs.acme.example/api/');
    expect(api?.siteSpaces[0]?.urls?.published).toBe('https://docs.acme.example/api/api/');
    expect(api?.siteSpaces[0]).toMatchObject({ section: api?.id, default: true });
  });

  test('shows a space only to callers who can see it', async () => {
    await world.addSection(world.docs, 'Board Notes');
    const { items } = await world.as('read').ok(ops.listSections, { path: world.docs });
    const [board] = items.find(({ title }) => title === 'Board Notes')?.siteSpaces ?? [];
    expect(board?.title).toBe('Board Notes');
    expect(board).not.toHaveProperty('space');
    const [guide] = items.find(({ title }) => title === 'Guides')?.siteSpaces ?? [];
    expect(guide?.space?.permissions).toMatchObject({ view: true, comment: false });
  });
});

describe('a new section', () => {
  test('goes to the end, with its space as default, title and path from the space', async () => {
    const made = await world.addSection(world.docs, 'Board Notes');
    expect(made).toMatchObject({ title: 'Board Notes', path: 'board-notes', default: false });
    expect(made.siteSpaces.map((row) => [row.title, row.path, row.default, row.section])).toEqual([
      ['Board Notes', 'board-notes', true, made.id],
    ]);
    expect(titles(await world.sections(world.docs))).toEqual(['Home', 'Guides', 'API', 'Board Notes']);
    expect((await world.site(world.docs)).siteSpaces).toBe(4);
  });

  test('with a title makes its path from that; a path that is taken gets a number', async () => {
    const body = { spaceId: world.space('Board Notes'), title: 'Ápi!' };
    expect((await world.admin.ok(ops.createSection, { path: world.docs, body })).path).toBe('api-2');
  });

  test('on a site with spaces at its root gathers them in a first, default section', async () => {
    const site = await world.newSite('Welcome', 'Product Guide');
    const made = await world.addSection(site, 'Board Notes');
    expect(made.default).toBe(false);
    const sections = await world.sections(site);
    expect(sections.map((row) => [row.title, row.default, titles(row.siteSpaces)])).toEqual([
      ['Welcome', true, ['Welcome', 'Product Guide']],
      ['Board Notes', false, ['Board Notes']],
    ]);
    expect(titles(await world.siteSpaces(site, { default: true }))).toEqual(['Welcome']);
  });

  test('on an empty site is the default one', async () => {
    expect((await world.addSection(await world.newSite(), 'Welcome')).default).toBe(true);
  });

  test('is refused for a space that the site has, and changes nothing', async () => {
    const site = await world.newSite('Welcome');
    const body = { spaceId: world.space('Welcome') };
    expect(await world.admin.refused(ops.createSection, { path: site, body })).toEqual({
      status: 409,
      message: `space ${body.spaceId} is already on this site`,
    });
    expect(await world.sections(site)).toEqual([]);
  });
});

describe('a change of a section', () => {
  test('sets what is given; null removes; what is left out stays', async () => {
    const path = await section('Guides');
    const set = {
      title: 'How-tos',
      path: 'how',
      condition: 'visitor.claims.beta',
      icon: 'book',
      description: 'All',
    };
    const changed = await world.admin.ok(ops.updateSection, { path, body: set });
    expect(changed).toMatchObject(set);
    expect(await world.admin.ok(ops.updateSection, { path, body: {} })).toEqual(changed);
    const nulls = { condition: null, icon: null, description: null };
    const cleared = await world.admin.ok(ops.updateSection, { path, body: nulls });
    for (const field of Object.keys(nulls)) expect(cleared).not.toHaveProperty(field);
    expect((await world.sections(world.docs))[1]).toEqual(cleared);
  });

  test('chooses the default site space of the section, which must be in it', async () => {
    const path = await section('Guides');
    const board = await world.addSpace(world.docs, 'Board Notes', path.siteSectionId);
    const body = { defaultSiteSpace: board.id };
    const changed = await world.admin.ok(ops.updateSection, { path, body });
    expect(changed.siteSpaces.map((row) => [row.title, row.default])).toEqual([
      ['Product Guide', false],
      ['Board Notes', true],
    ]);
    await world.admin.refuses(409, ops.updateSection, { path: await section('API'), body });
    const unknown = { path, body: { defaultSiteSpace: 'nothing' } };
    await world.admin.refuses(404, ops.updateSection, unknown);
  });

  test('refuses a path of another section, not its own', async () => {
    const path = await section('Guides');
    expect(await world.admin.refused(ops.updateSection, { path, body: { path: 'api' } })).toEqual({
      status: 409,
      message: 'the path "api" is already in use',
    });
    expect((await world.admin.ok(ops.updateSection, { path, body: { path: 'guides' } })).path).toBe('guides');
  });
});

describe('a deleted section', () => {
  test('removes its site spaces; the spaces stay', async () => {
    await world.admin.ok(ops.deleteSection, { path: await section('API') });
    expect(titles(await world.siteSpaces(world.docs))).toEqual(['Welcome', 'Product Guide']);
    const spaceId = world.space('API Reference');
    expect((await world.admin.ok(ops.getSpace, { path: { spaceId } })).title).toBe('API Reference');
  });

  test('passes the default on to the next one, the last one to the first', async () => {
    await world.admin.ok(ops.deleteSection, { path: await section('Home') });
    expect(await byDefault()).toEqual(['Guides']);
    const { siteSectionId } = await section('API');
    await world.admin.ok(ops.updateSite, { path: world.docs, body: { defaultSiteSection: siteSectionId } });
    await world.addSection(world.docs, 'Board Notes');
    await world.admin.ok(ops.deleteSection, { path: await section('API') });
    expect(await byDefault()).toEqual(['Board Notes']);
    await world.admin.ok(ops.deleteSection, { path: await section('Board Notes') });
    expect(await byDefault()).toEqual(['Guides']);
    const handbook = await world.addSection(world.docs, 'Engineering Handbook');
    const group = (await world.sections(world.docs))[0]?.sectionGroup ?? '';
    const out = {
      ...world.docs,
      siteSectionGroupId: group,
      siteSectionId: (await section('Guides')).siteSectionId,
    };
    await world.admin.ok(ops.removeSectionFromGroup, { path: out });
    const position = { before: { type: 'site-section' as const, siteSection: out.siteSectionId } };
    const path = { ...world.docs, siteSectionId: handbook.id };
    await world.admin.ok(ops.moveSection, { path, body: { position } });
    expect(titles(await world.sections(world.docs))).toEqual(['Engineering Handbook', 'Guides']);
    expect(await byDefault()).toEqual(['Guides']);
  });

  test('is refused if a published site would have no spaces left', async () => {
    await world.admin.ok(ops.deleteSection, { path: await section('API') });
    await world.admin.ok(ops.deleteSection, { path: await section('Guides') });
    await world.admin.refuses(409, ops.deleteSection, { path: await section('Home') });
    expect(titles(await world.sections(world.docs))).toEqual(['Home']);
  });

  test('can be the last one of an unpublished site', async () => {
    const site = await world.newSite();
    await world.addSection(site, 'Welcome');
    await world.admin.ok(ops.deleteSection, { path: await section('Welcome', site) });
    expect(await world.sections(site)).toEqual([]);
    const added = await world.addSpace(site, 'Welcome');
    expect(added).not.toHaveProperty('section');
  });
});

test('a default section whose spaces are deleted is replaced until they are restored', async () => {
  const spaceId = world.space('Welcome');
  await world.admin.ok(ops.deleteSpace, { path: { spaceId } });
  expect((await world.sections(world.docs))[0]).toMatchObject({ title: 'Home', siteSpaces: [] });
  expect(await byDefault()).toEqual(['Guides']);
  expect(titles(await world.siteSpaces(world.docs, { default: true }))).toEqual(['Product Guide']);
  await world.admin.ok(ops.restoreSpace, { path: { spaceId } });
  expect(await byDefault()).toEqual(['Home']);
});

test('a section keeps at least one space while the site is published', async () => {
  const [row] = (await world.sections(world.docs))[1]?.siteSpaces ?? [];
  const path = { ...world.docs, siteSpaceId: row?.id ?? '' };
  const answer = await world.admin.refused(ops.deleteSiteSpace, { path });
  expect(answer.status).toBe(409);
  expect(answer.message).toContain('delete the section');
});

const groups = (site: SitePath = world.docs) => world.admin.all(ops.listSectionGroups, { path: site });
const order = async () => titles(await world.sections(world.docs));

async function group(title: string) {
  const row = (await groups()).find((each) => each.title === title);
  if (row === undefined) throw new Error(`There is no group ${title}.`);
  return { ...world.docs, siteSectionGroupId: row.id };
}
async function sectionId(title: string): Promise<string> {
  return (await world.sections(world.docs)).find((row) => row.title === title)?.id ?? '';
}
const create = (body: { title: string; icon?: string | null; sections?: string[] }) =>
  world.admin.ok(ops.createSectionGroup, { path: world.docs, body });

describe('section groups', () => {
  test('are listed with their sections in order', async () => {
    const { items, count } = await world.admin.ok(ops.listSectionGroups, { path: world.docs });
    expect(count).toBe(1);
    expect(items.map((row) => [row.title, row.icon, titles(row.sections)])).toEqual([
      ['Developers', 'code', ['Guides', 'API']],
    ]);
    expect(items[0]?.sections[0]?.sectionGroup).toBe(items[0]?.id);
    expect(await groups(await world.newSite())).toEqual([]);
  });
});

describe('a new section group', () => {
  test('without sections is the last', async () => {
    const made = await create({ title: 'More' });
    expect(made).toEqual({ object: 'site-section-group', id: made.id, title: 'More', sections: [] });
    expect(titles(await groups())).toEqual(['Developers', 'More']);
  });

  test('takes sections in the order given, out of other groups too, and the place of the first', async () => {
    const sections = [await sectionId('API'), await sectionId('Home')];
    const made = await create({ title: 'More', icon: 'plus', sections });
    expect([made.icon, titles(made.sections)]).toEqual(['plus', ['API', 'Home']]);
    expect((await groups()).map((row) => [row.title, titles(row.sections)])).toEqual([
      ['More', ['API', 'Home']],
      ['Developers', ['Guides']],
    ]);
    expect(await order()).toEqual(['API', 'Home', 'Guides']);
  });

  test('is refused with an unknown section, and nothing is created', async () => {
    const body = { title: 'More', sections: [await sectionId('API'), 'nothing'] };
    await world.admin.refuses(404, ops.createSectionGroup, { path: world.docs, body });
    expect(titles(await groups())).toEqual(['Developers']);
  });
});

test('a change sets title and icon; null removes the icon; what is left out stays', async () => {
  const path = await group('Developers');
  const changed = await world.admin.ok(ops.updateSectionGroup, {
    path,
    body: { title: 'Build', icon: 'hammer' },
  });
  expect([changed.title, changed.icon, titles(changed.sections)]).toEqual([
    'Build',
    'hammer',
    ['Guides', 'API'],
  ]);
  expect(await world.admin.ok(ops.updateSectionGroup, { path, body: {} })).toEqual(changed);
  expect(await world.admin.ok(ops.updateSectionGroup, { path, body: { icon: null } })).not.toHaveProperty(
    'icon',
  );
  await world.admin.refuses(400, ops.updateSectionGroup, { path, body: { title: '' } });
});

describe('sections of a group', () => {
  test('are added at its end, once, and leave any other group', async () => {
    const path = await group('Developers');
    const home = await sectionId('Home');
    const grown = await world.admin.ok(ops.addSectionToGroup, { path, body: { sectionId: home } });
    expect(titles(grown.sections)).toEqual(['Guides', 'API', 'Home']);
    const again = { path, body: { sectionId: await sectionId('Guides') } };
    expect(await world.admin.ok(ops.addSectionToGroup, again)).toEqual(grown);
    const other = await create({ title: 'More' });
    const more = { ...world.docs, siteSectionGroupId: other.id };
    const taken = await world.admin.ok(ops.addSectionToGroup, { path: more, body: { sectionId: home } });
    expect(titles(taken.sections)).toEqual(['Home']);
    expect(await order()).toEqual(['Guides', 'API', 'Home']);
  });

  test('stay on the site when removed, directly after the group', async () => {
    const path = await group('Developers');
    await world.addSection(world.docs, 'Board Notes');
    const removed = { ...path, siteSectionId: await sectionId('Guides') };
    await world.admin.ok(ops.removeSectionFromGroup, { path: removed });
    expect(await order()).toEqual(['Home', 'API', 'Guides', 'Board Notes']);
    expect((await world.sections(world.docs))[2]).not.toHaveProperty('sectionGroup');
    await world.admin.refuses(404, ops.removeSectionFromGroup, { path: removed });
  });

  test('leave it when they are deleted', async () => {
    await world.admin.ok(ops.deleteSection, {
      path: { ...world.docs, siteSectionId: await sectionId('API') },
    });
    expect((await groups()).map((row) => titles(row.sections))).toEqual([['Guides']]);
  });
});

test('a deleted group leaves its sections where it was, in their order', async () => {
  await world.addSection(world.docs, 'Board Notes');
  const path = await group('Developers');
  await world.admin.ok(ops.deleteSectionGroup, { path });
  expect(await groups()).toEqual([]);
  const sections = await world.sections(world.docs);
  expect(titles(sections)).toEqual(['Home', 'Guides', 'API', 'Board Notes']);
  for (const row of sections) expect(row).not.toHaveProperty('sectionGroup');
  await world.admin.refuses(404, ops.deleteSectionGroup, { path });
});

describe('a move of a group', () => {
  test('goes between sections and groups, and takes its sections along', async () => {
    await world.addSection(world.docs, 'Board Notes');
    const home = { type: 'site-section' as const, id: await sectionId('Home') };
    const board = { type: 'site-section' as const, id: await sectionId('Board Notes') };
    const path = await group('Developers');
    const move = (position: { before?: typeof home; after?: typeof home }) =>
      world.admin.ok(ops.moveSectionGroup, { path, body: { position } });
    expect((await move({ before: home })).title).toBe('Developers');
    expect(await order()).toEqual(['Guides', 'API', 'Home', 'Board Notes']);
    await move({ after: board });
    expect(await order()).toEqual(['Home', 'Board Notes', 'Guides', 'API']);
    await move({ after: home, before: board });
    expect(await order()).toEqual(['Home', 'Guides', 'API', 'Board Notes']);
    const more = await create({ title: 'More' });
    const other = { type: 'site-section-group' as const, id: more.id };
    await world.admin.ok(ops.moveSectionGroup, { path, body: { position: { after: other } } });
    expect(titles(await groups())).toEqual(['More', 'Developers']);
    expect(await order()).toEqual(['Home', 'Board Notes', 'Guides', 'API']);
  });

  test('is refused next to a section in a group, itself, an unknown one, or two that are apart', async () => {
    const board = await world.addSection(world.docs, 'Board Notes');
    const path = await group('Developers');
    const refused = async (position: object) =>
      (await world.admin.refused(ops.moveSectionGroup, { path, body: { position } })).status;
    const section = (id: string) => ({ type: 'site-section', id });
    const itself = path.siteSectionGroupId;
    expect(await refused({ after: section(await sectionId('API')) })).toBe(409);
    expect(await refused({ after: { type: 'site-section-group', id: itself } })).toBe(400);
    expect(await refused({ after: section(itself) })).toBe(404);
    expect(await refused({ after: section('nothing') })).toBe(404);
    expect(await refused({ after: { type: 'space', id: board.id } })).toBe(400);
    expect(await refused({ after: section(board.id), before: section(await sectionId('Home')) })).toBe(400);
  });
});
