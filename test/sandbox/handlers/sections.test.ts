import { describe, expect, test } from 'vitest';
import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  removeSectionFromGroup,
  updateSection,
} from '../../../src/api/resources/sections.js';
import { deleteSiteSpace } from '../../../src/api/resources/site-spaces.js';
import { updateSite } from '../../../src/api/resources/sites.js';
import { deleteSpace, getSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { eachTest } from '../each-test.js';
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
    const { items, count } = await world.admin.ok(listSections, { path: world.docs });
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
    const { items } = await world.as('read').ok(listSections, { path: world.docs });
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
    expect((await world.admin.ok(createSection, { path: world.docs, body })).path).toBe('api-2');
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
    expect(await world.admin.refused(createSection, { path: site, body })).toEqual({
      status: 409,
      message: `Space ${body.spaceId} is already on this site.`,
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
    const changed = await world.admin.ok(updateSection, { path, body: set });
    expect(changed).toMatchObject(set);
    expect(await world.admin.ok(updateSection, { path, body: {} })).toEqual(changed);
    const nulls = { condition: null, icon: null, description: null };
    const cleared = await world.admin.ok(updateSection, { path, body: nulls });
    for (const field of Object.keys(nulls)) expect(cleared).not.toHaveProperty(field);
    expect((await world.sections(world.docs))[1]).toEqual(cleared);
  });

  test('chooses the default site space of the section, which must be in it', async () => {
    const path = await section('Guides');
    const board = await world.addSpace(world.docs, 'Board Notes', path.siteSectionId);
    const body = { defaultSiteSpace: board.id };
    const changed = await world.admin.ok(updateSection, { path, body });
    expect(changed.siteSpaces.map((row) => [row.title, row.default])).toEqual([
      ['Product Guide', false],
      ['Board Notes', true],
    ]);
    await world.admin.refuses(409, updateSection, { path: await section('API'), body });
    const unknown = { path, body: { defaultSiteSpace: 'nothing' } };
    await world.admin.refuses(404, updateSection, unknown);
  });

  test('refuses a path of another section, not its own', async () => {
    const path = await section('Guides');
    expect(await world.admin.refused(updateSection, { path, body: { path: 'api' } })).toEqual({
      status: 409,
      message: 'The path "api" is already in use.',
    });
    expect((await world.admin.ok(updateSection, { path, body: { path: 'guides' } })).path).toBe('guides');
  });
});

describe('a deleted section', () => {
  test('removes its site spaces; the spaces stay', async () => {
    await world.admin.ok(deleteSection, { path: await section('API') });
    expect(titles(await world.siteSpaces(world.docs))).toEqual(['Welcome', 'Product Guide']);
    const spaceId = world.space('API Reference');
    expect((await world.admin.ok(getSpace, { path: { spaceId } })).title).toBe('API Reference');
  });

  test('passes the default on to the next one, the last one to the first', async () => {
    await world.admin.ok(deleteSection, { path: await section('Home') });
    expect(await byDefault()).toEqual(['Guides']);
    const { siteSectionId } = await section('API');
    await world.admin.ok(updateSite, { path: world.docs, body: { defaultSiteSection: siteSectionId } });
    await world.addSection(world.docs, 'Board Notes');
    await world.admin.ok(deleteSection, { path: await section('API') });
    expect(await byDefault()).toEqual(['Board Notes']);
    await world.admin.ok(deleteSection, { path: await section('Board Notes') });
    expect(await byDefault()).toEqual(['Guides']);
    const handbook = await world.addSection(world.docs, 'Engineering Handbook');
    const group = (await world.sections(world.docs))[0]?.sectionGroup ?? '';
    const out = {
      ...world.docs,
      siteSectionGroupId: group,
      siteSectionId: (await section('Guides')).siteSectionId,
    };
    await world.admin.ok(removeSectionFromGroup, { path: out });
    const position = { before: { type: 'site-section' as const, siteSection: out.siteSectionId } };
    const path = { ...world.docs, siteSectionId: handbook.id };
    await world.admin.ok(moveSection, { path, body: { position } });
    expect(titles(await world.sections(world.docs))).toEqual(['Engineering Handbook', 'Guides']);
    expect(await byDefault()).toEqual(['Guides']);
  });

  test('is refused if a published site would have no spaces left', async () => {
    await world.admin.ok(deleteSection, { path: await section('API') });
    await world.admin.ok(deleteSection, { path: await section('Guides') });
    await world.admin.refuses(409, deleteSection, { path: await section('Home') });
    expect(titles(await world.sections(world.docs))).toEqual(['Home']);
  });

  test('can be the last one of an unpublished site', async () => {
    const site = await world.newSite();
    await world.addSection(site, 'Welcome');
    await world.admin.ok(deleteSection, { path: await section('Welcome', site) });
    expect(await world.sections(site)).toEqual([]);
    const added = await world.addSpace(site, 'Welcome');
    expect(added).not.toHaveProperty('section');
  });
});

test('a default section whose spaces are deleted is replaced until they are restored', async () => {
  const spaceId = world.space('Welcome');
  await world.admin.ok(deleteSpace, { path: { spaceId } });
  expect((await world.sections(world.docs))[0]).toMatchObject({ title: 'Home', siteSpaces: [] });
  expect(await byDefault()).toEqual(['Guides']);
  expect(titles(await world.siteSpaces(world.docs, { default: true }))).toEqual(['Product Guide']);
  await world.admin.ok(restoreSpace, { path: { spaceId } });
  expect(await byDefault()).toEqual(['Home']);
});

test('a section keeps at least one space while the site is published', async () => {
  const [row] = (await world.sections(world.docs))[1]?.siteSpaces ?? [];
  const path = { ...world.docs, siteSpaceId: row?.id ?? '' };
  const answer = await world.admin.refused(deleteSiteSpace, { path });
  expect(answer.status).toBe(409);
  expect(answer.message).toContain('delete the section');
});
