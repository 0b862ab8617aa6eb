import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openSiteWorld, type SitePath, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

/** The path of a site space by its title. */
async function siteSpace(title: string, site: SitePath = world.docs) {
  const row = (await world.siteSpaces(site)).find((each) => each.title === title);
  if (row === undefined) throw new Error(`There is no site space ${title}.`);
  return { ...site, siteSpaceId: row.id };
}

describe('the list of site spaces', () => {
  test('has those of all sections in order, with the space as the caller sees it', async () => {
    const { items, count } = await world.as('comment').ok(ops.listSiteSpaces, { path: world.docs });
    expect(count).toBe(3);
    const sections = await world.sections(world.docs);
    expect(items.map((row) => [row.title, row.path, row.default, row.section])).toEqual([
      ['Welcome', 'welcome', true, sections[0]?.id],
      ['Product Guide', 'guide', false, sections[1]?.id],
      ['API Reference', 'api', false, sections[2]?.id],
    ]);
    expect(items[0]?.urls).toEqual({ published: 'https://docs.acme.example/home/welcome/' });
    const spaceId = items[1]?.space?.id ?? '';
    expect(items[1]?.space).toEqual(await world.as('comment').ok(ops.getSpace, { path: { spaceId } }));
    expect(items[2]?.space?.permissions?.comment).toBe(false);
  });

  test('leaves out a space that the caller cannot see, not the site space', async () => {
    const { items } = await world.as('guest').ok(ops.listSiteSpaces, { path: world.docs });
    expect(items.map((row) => [row.title, row.space?.title])).toEqual([
      ['Welcome', undefined],
      ['Product Guide', 'Product Guide'],
      ['API Reference', undefined],
    ]);
  });

  test('filters by default: true the one of the site, false the others', async () => {
    const path = (await world.sections(world.docs))[1];
    await world.addSpace(world.docs, 'Board Notes', path?.id);
    expect(titles(await world.siteSpaces(world.docs, { default: true }))).toEqual(['Welcome']);
    const others = ['Product Guide', 'Board Notes', 'API Reference'];
    expect(titles(await world.siteSpaces(world.docs, { default: false }))).toEqual(others);
    expect(
      (await world.admin.ok(ops.listSiteSpaces, { path: world.docs, query: { default: false } })).count,
    ).toBe(3);
  });

  test('has no published URLs if the site is not published', async () => {
    const [row] = await world.siteSpaces(await world.newSite('Welcome'));
    expect(row).not.toHaveProperty('urls');
  });

  test('follows the title of the space', async () => {
    const spaceId = world.space('Welcome');
    await world.admin.ok(ops.updateSpace, { path: { spaceId }, body: { title: 'Hello' } });
    expect((await world.siteSpaces(world.docs))[0]).toMatchObject({ title: 'Hello', path: 'welcome' });
  });
});

describe('a space that is added', () => {
  test('goes to the end of the default section unless a section is given', async () => {
    const [home, guides] = await world.sections(world.docs);
    const added = await world.addSpace(world.docs, 'Board Notes');
    expect(added).toMatchObject({
      title: 'Board Notes',
      section: home?.id,
      default: false,
      path: 'board-notes',
    });
    const handbook = await world.addSpace(world.docs, 'Engineering Handbook', guides?.id);
    expect(handbook.section).toBe(guides?.id);
    expect(titles((await world.sections(world.docs))[1]?.siteSpaces ?? [])).toEqual([
      'Product Guide',
      'Engineering Handbook',
    ]);
    expect((await world.site(world.docs)).siteSpaces).toBe(5);
  });

  test('goes to the root of a site without sections', async () => {
    const site = await world.newSite();
    const first = await world.addSpace(site, 'Welcome');
    expect(first).not.toHaveProperty('section');
    expect(first.default).toBe(true);
    expect((await world.addSpace(site, 'Board Notes')).default).toBe(false);
  });

  test('gets a free path: another one with that title gets a number', async () => {
    const site = await world.newSite('Welcome');
    const spaceId = world.space('Board Notes');
    await world.admin.ok(ops.updateSpace, { path: { spaceId }, body: { title: 'Wélcome!' } });
    expect((await world.addSpace(site, 'Board Notes')).path).toBe('welcome-2');
    const other = world.space('Product Guide');
    await world.admin.ok(ops.updateSpace, { path: { spaceId: other }, body: { title: '指南' } });
    expect((await world.addSpace(site, 'Product Guide')).path).toBe('space');
  });

  test('is refused if it is on the site, in any section', async () => {
    const [, guides] = await world.sections(world.docs);
    const body = { spaceId: world.space('Welcome'), sectionId: guides?.id };
    expect(await world.admin.refused(ops.createSiteSpace, { path: world.docs, body })).toEqual({
      status: 409,
      message: `space ${body.spaceId} is already on this site`,
    });
  });
});

describe('a change of a site space', () => {
  test('sets path and condition; null removes the condition; what is left out stays', async () => {
    const path = await siteSpace('Welcome');
    const body = { path: 'start/here', condition: 'visitor.claims.beta' };
    const changed = await world.admin.ok(ops.updateSiteSpace, { path, body });
    expect(changed).toMatchObject(body);
    expect(changed.urls?.published).toBe('https://docs.acme.example/home/start/here/');
    expect(await world.admin.ok(ops.updateSiteSpace, { path, body: {} })).toEqual(changed);
    const cleared = await world.admin.ok(ops.updateSiteSpace, { path, body: { condition: null } });
    expect(cleared).not.toHaveProperty('condition');
    expect(cleared.path).toBe('start/here');
  });

  test('refuses a path of the same section; another section may have it', async () => {
    const [home] = await world.sections(world.docs);
    await world.addSpace(world.docs, 'Board Notes', home?.id);
    const path = await siteSpace('Board Notes');
    const taken = await world.admin.refused(ops.updateSiteSpace, { path, body: { path: 'welcome' } });
    expect(taken).toEqual({ status: 409, message: 'the path "welcome" is already in use' });
    expect((await world.admin.ok(ops.updateSiteSpace, { path, body: { path: 'guide' } })).path).toBe('guide');
    expect((await world.admin.ok(ops.updateSiteSpace, { path, body: { path: 'guide' } })).path).toBe('guide');
  });
});

describe('a site space that is removed', () => {
  test('leaves the space, which may be added again', async () => {
    const site = await world.newSite('Welcome', 'Board Notes');
    await world.admin.ok(ops.deleteSiteSpace, { path: await siteSpace('Board Notes', site) });
    expect(titles(await world.siteSpaces(site))).toEqual(['Welcome']);
    const spaceId = world.space('Board Notes');
    expect((await world.admin.ok(ops.getSpace, { path: { spaceId } })).title).toBe('Board Notes');
    await world.addSpace(site, 'Board Notes');
  });

  test('hands the default on to the next in order', async () => {
    const site = await world.newSite('Welcome', 'Board Notes', 'Product Guide');
    const shown = async () => titles(await world.siteSpaces(site, { default: true }));
    await world.admin.ok(ops.deleteSiteSpace, { path: await siteSpace('Welcome', site) });
    expect(await shown()).toEqual(['Board Notes']);
    const board = await siteSpace('Board Notes', site);
    const [, guide] = await world.siteSpaces(site);
    const position = { after: { type: 'site-space' as const, siteSpace: guide?.id ?? '' } };
    await world.admin.ok(ops.moveSiteSpace, { path: board, body: { position } });
    expect(await shown()).toEqual(['Board Notes']);
    await world.admin.ok(ops.deleteSiteSpace, { path: board });
    expect(await shown()).toEqual(['Product Guide']);
  });

  test('may be the last one only if the site is not published', async () => {
    const site = await world.newSite('Welcome');
    await world.admin.ok(ops.deleteSiteSpace, { path: await siteSpace('Welcome', site) });
    expect(await world.siteSpaces(site)).toEqual([]);
    const last = await siteSpace('API Reference');
    await world.admin.refuses(409, ops.deleteSiteSpace, { path: last });
    expect((await world.site(world.docs)).siteSpaces).toBe(3);
  });
});
