import { describe, expect, test } from 'vitest';
import {
  addSectionToGroup,
  createSectionGroup,
  deleteSection,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSectionGroup,
} from '../../../src/api/resources/sections.js';
import { eachTest } from '../each-test.js';
import { openSiteWorld, type SitePath, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

const groups = (site: SitePath = world.docs) => world.admin.all(listSectionGroups, { path: site });
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
  world.admin.ok(createSectionGroup, { path: world.docs, body });

describe('section groups', () => {
  test('are listed with their sections in order', async () => {
    const { items, count } = await world.admin.ok(listSectionGroups, { path: world.docs });
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
    await world.admin.refuses(404, createSectionGroup, { path: world.docs, body });
    expect(titles(await groups())).toEqual(['Developers']);
  });
});

test('a change sets title and icon; null removes the icon; what is left out stays', async () => {
  const path = await group('Developers');
  const changed = await world.admin.ok(updateSectionGroup, {
    path,
    body: { title: 'Build', icon: 'hammer' },
  });
  expect([changed.title, changed.icon, titles(changed.sections)]).toEqual([
    'Build',
    'hammer',
    ['Guides', 'API'],
  ]);
  expect(await world.admin.ok(updateSectionGroup, { path, body: {} })).toEqual(changed);
  expect(await world.admin.ok(updateSectionGroup, { path, body: { icon: null } })).not.toHaveProperty('icon');
  await world.admin.refuses(400, updateSectionGroup, { path, body: { title: '' } });
});

describe('sections of a group', () => {
  test('are added at its end, once, and leave any other group', async () => {
    const path = await group('Developers');
    const home = await sectionId('Home');
    const grown = await world.admin.ok(addSectionToGroup, { path, body: { sectionId: home } });
    expect(titles(grown.sections)).toEqual(['Guides', 'API', 'Home']);
    const again = { path, body: { sectionId: await sectionId('Guides') } };
    expect(await world.admin.ok(addSectionToGroup, again)).toEqual(grown);
    const other = await create({ title: 'More' });
    const more = { ...world.docs, siteSectionGroupId: other.id };
    const taken = await world.admin.ok(addSectionToGroup, { path: more, body: { sectionId: home } });
    expect(titles(taken.sections)).toEqual(['Home']);
    expect(await order()).toEqual(['Guides', 'API', 'Home']);
  });

  test('stay on the site when removed, directly after the group', async () => {
    const path = await group('Developers');
    await world.addSection(world.docs, 'Board Notes');
    const removed = { ...path, siteSectionId: await sectionId('Guides') };
    await world.admin.ok(removeSectionFromGroup, { path: removed });
    expect(await order()).toEqual(['Home', 'API', 'Guides', 'Board Notes']);
    expect((await world.sections(world.docs))[2]).not.toHaveProperty('sectionGroup');
    await world.admin.refuses(404, removeSectionFromGroup, { path: removed });
  });

  test('leave it when they are deleted', async () => {
    await world.admin.ok(deleteSection, { path: { ...world.docs, siteSectionId: await sectionId('API') } });
    expect((await groups()).map((row) => titles(row.sections))).toEqual([['Guides']]);
  });
});

test('a deleted group leaves its sections where it was, in their order', async () => {
  await world.addSection(world.docs, 'Board Notes');
  const path = await group('Developers');
  await world.admin.ok(deleteSectionGroup, { path });
  expect(await groups()).toEqual([]);
  const sections = await world.sections(world.docs);
  expect(titles(sections)).toEqual(['Home', 'Guides', 'API', 'Board Notes']);
  for (const row of sections) expect(row).not.toHaveProperty('sectionGroup');
  await world.admin.refuses(404, deleteSectionGroup, { path });
});

describe('a move of a group', () => {
  test('goes between sections and groups, and takes its sections along', async () => {
    await world.addSection(world.docs, 'Board Notes');
    const home = { type: 'site-section' as const, id: await sectionId('Home') };
    const board = { type: 'site-section' as const, id: await sectionId('Board Notes') };
    const path = await group('Developers');
    const move = (position: { before?: typeof home; after?: typeof home }) =>
      world.admin.ok(moveSectionGroup, { path, body: { position } });
    expect((await move({ before: home })).title).toBe('Developers');
    expect(await order()).toEqual(['Guides', 'API', 'Home', 'Board Notes']);
    await move({ after: board });
    expect(await order()).toEqual(['Home', 'Board Notes', 'Guides', 'API']);
    await move({ after: home, before: board });
    expect(await order()).toEqual(['Home', 'Guides', 'API', 'Board Notes']);
    const more = await create({ title: 'More' });
    const other = { type: 'site-section-group' as const, id: more.id };
    await world.admin.ok(moveSectionGroup, { path, body: { position: { after: other } } });
    expect(titles(await groups())).toEqual(['More', 'Developers']);
    expect(await order()).toEqual(['Home', 'Board Notes', 'Guides', 'API']);
  });

  test('is refused next to a section in a group, itself, an unknown one, or two that are apart', async () => {
    const board = await world.addSection(world.docs, 'Board Notes');
    const path = await group('Developers');
    const refused = async (position: object) =>
      (await world.admin.refused(moveSectionGroup, { path, body: { position } })).status;
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
