import { describe, expect, test } from 'vitest';
import { getSite, updateSite } from '../../../src/api/resources/sites.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { openSiteWorld, titles } from './site-world.js';

const world = eachTest(openSiteWorld);

const path = () => ({ organizationId: world.organizationId });
const create = (body: { title?: string; type?: 'basic' | 'premium' | 'ultimate'; spaces?: string[] }) => {
  world.outside.ms += 1;
  return world.admin.ok(ops.createSite, { path: path(), body });
};
const list = (query = {}) => world.admin.ok(ops.listSites, { path: path(), query });

describe('a new site', () => {
  test('is basic, public, without spaces, and not published', async () => {
    const site = await create({});
    const { organizationId } = path();
    expect(site).toEqual({
      object: 'site',
      id: site.id,
      type: 'basic',
      title: 'Untitled site',
      visibility: 'public',
      published: false,
      siteSpaces: 0,
      createdAt: '2026-01-05T09:00:00.001Z',
      adaptiveContent: { enabled: false },
      urls: {
        location: `https://api.sandbox.example/v1/orgs/${organizationId}/sites/${site.id}`,
        app: `https://app.sandbox.example/o/${organizationId}/sites/${site.id}`,
      },
    });
    expect(await world.admin.ok(ops.getSite, { path: { organizationId, siteId: site.id } })).toEqual(site);
  });

  test.each([
    ['basic', false],
    ['premium', true],
    ['ultimate', true],
  ] as const)('of the type %s has sections and customization: %s', async (type, paid) => {
    const { id: siteId, features } = await create({ type, spaces: [world.space('Welcome')] });
    const sections = [{ id: 'sites-sections', plan: 'basic', frozen: false }];
    expect(features).toEqual(paid ? sections : undefined);
    const [row] = await world.siteSpaces({ ...path(), siteId });
    expect(row?.hasAdvancedCustomizationFeature).toBe(paid);
  });

  test('takes spaces in the order given; the first is the default', async () => {
    const site = await world.newSite('Board Notes', 'Welcome');
    expect((await world.site(site)).siteSpaces).toBe(2);
    const siteSpaces = await world.siteSpaces(site);
    expect(siteSpaces.map((row) => [row.title, row.path, row.default])).toEqual([
      ['Board Notes', 'board-notes', true],
      ['Welcome', 'welcome', false],
    ]);
    expect(siteSpaces[0]).not.toHaveProperty('section');
  });

  test('empty makes a new, empty space of which the caller is admin', async () => {
    const { id: siteId } = await world.as('create').ok(ops.createSite, {
      path: path(),
      body: { title: 'Fresh Docs', spaces: 'empty' },
    });
    const [row] = await world.siteSpaces({ ...path(), siteId });
    expect(row).toMatchObject({ title: 'Fresh Docs', path: 'fresh-docs', default: true });
    const space = await world.as('create').ok(ops.getSpace, { path: { spaceId: row?.space?.id ?? '' } });
    expect(space).toMatchObject({ title: 'Fresh Docs', visibility: 'private', permissions: { admin: true } });
    expect((await world.admin.ok(ops.listPages, { path: { spaceId: space.id } })).pages).toEqual([]);
  });

  test('sample makes a new space with pages and files', async () => {
    const body = { title: 'Sample Docs', spaces: 'sample' as const };
    const { id: siteId, siteSpaces } = await world.admin.ok(ops.createSite, { path: path(), body });
    expect(siteSpaces).toBe(1);
    const [row] = await world.siteSpaces({ ...path(), siteId });
    const spaceId = row?.space?.id ?? '';
    const { pages } = await world.admin.ok(ops.listPages, { path: { spaceId } });
    expect(titles(pages)).toEqual(['Welcome', 'Getting started', 'Guides', 'FAQ']);
    expect((await world.admin.ok(ops.listFiles, { path: { spaceId } })).count).toBe(2);
  });

  test('is refused with a space that is unknown, or twice the same', async () => {
    const tried = (spaces: string[]) =>
      world.admin.refused(ops.createSite, { path: path(), body: { spaces } });
    expect(await tried(['nothing'])).toEqual({ status: 404, message: 'space "nothing" not found' });
    const welcome = world.space('Welcome');
    expect((await tried([welcome, welcome])).status).toBe(409);
    expect((await list()).count).toBe(1);
  });
});

describe('the list of sites', () => {
  test('filters by title, space and published, and pages', async () => {
    const help = await create({ title: 'Help Center', spaces: [world.space('Welcome')] });
    await create({ title: 'Other' });
    expect(titles((await list()).items)).toEqual(['Acme Docs', 'Help Center', 'Other']);
    expect(titles((await list({ title: 'CENTER' })).items)).toEqual(['Help Center']);
    expect(titles((await list({ published: true })).items)).toEqual(['Acme Docs']);
    expect(titles((await list({ published: false })).items)).toEqual(['Help Center', 'Other']);
    expect(titles((await list({ space: world.space('Welcome') })).items)).toEqual([
      'Acme Docs',
      'Help Center',
    ]);
    expect((await list({ space: 'nothing' })).items).toEqual([]);
    const first = await list({ limit: 1 });
    expect(first.count).toBe(3);
    const second = await list({ limit: 1, page: first.next?.page ?? '' });
    expect(second.items).toEqual([help]);
    const pages = await world.admin.all(ops.listSites, { path: path(), query: { limit: 2 } });
    expect(titles(pages)).toEqual(['Acme Docs', 'Help Center', 'Other']);
  });
});

describe('a deleted site', () => {
  test("is removed; its spaces stay; it is no longer the organization's default", async () => {
    const { organizationId, siteId } = world.docs;
    const body = { defaultContent: { type: 'site' as const, site: siteId } };
    await world.admin.ok(ops.updateOrg, { path: { organizationId }, body });
    await world.admin.ok(ops.deleteSite, { path: world.docs });
    await world.admin.refuses(404, ops.getSite, { path: world.docs });
    await world.admin.refuses(404, ops.deleteSite, { path: world.docs });
    expect((await list()).items).toEqual([]);
    expect((await world.admin.ok(ops.getSpace, { path: { spaceId: world.space('Welcome') } })).title).toBe(
      'Welcome',
    );
    expect(await world.admin.ok(ops.getOrg, { path: { organizationId } })).not.toHaveProperty(
      'defaultContent',
    );
  });
});

describe('a space of a site', () => {
  test('leaves it when deleted, and comes back to its place when restored', async () => {
    const site = await world.newSite('Welcome', 'Board Notes', 'Product Guide');
    const before = await world.siteSpaces(site);
    const spaceId = world.space('Welcome');
    await world.admin.ok(ops.deleteSpace, { path: { spaceId } });
    expect(titles(await world.siteSpaces(site))).toEqual(['Board Notes', 'Product Guide']);
    expect(titles(await world.siteSpaces(site, { default: true }))).toEqual(['Board Notes']);
    expect((await world.site(site)).siteSpaces).toBe(2);
    expect((await list({ space: spaceId })).items).toEqual([]);
    await world.admin.ok(ops.restoreSpace, { path: { spaceId } });
    expect(await world.siteSpaces(site)).toEqual(before);
  });

  test('leaves it for good when transferred to another organization', async () => {
    const site = await world.newSite('Welcome', 'Board Notes');
    const { items } = await world.admin.ok(ops.listOrgs, {});
    const organization = items.find(({ title }) => title === 'Acme Labs')?.id ?? '';
    const spaceId = world.space('Welcome');
    await world.admin.ok(ops.transferSpace, { path: { spaceId }, body: { organization } });
    expect(titles(await world.siteSpaces(site))).toEqual(['Board Notes']);
    expect(titles(await world.siteSpaces(site, { default: true }))).toEqual(['Board Notes']);
  });
});

describe('who may', () => {
  test('add a space: anyone who sees it', async () => {
    const hidden = { path: path(), body: { spaces: [world.space('Board Notes')] } };
    await world.as('create').refuses(404, ops.createSite, hidden);
  });
});

describe('a change of a site', () => {
  const update = (body: object, site = world.docs) => world.admin.ok(updateSite, { path: site, body });

  test('sets title, visibility, basename and adaptive content, and leaves the rest', async () => {
    const before = await world.site(world.docs);
    const body = {
      title: 'Docs',
      visibility: 'unlisted',
      basename: 'all',
      adaptiveContent: { enabled: false },
    };
    expect(await update(body)).toEqual({ ...before, ...body });
    expect(await world.site(world.docs)).toEqual({ ...before, ...body });
    expect(await update({})).toEqual({ ...before, ...body });
  });

  test('sets and removes the proxy, and the published URL follows', async () => {
    const { id, urls } = await world.site(world.docs);
    const proxied = await update({ proxy: 'www.acme.example/docs' });
    expect(proxied.proxy).toEqual({
      origin: 'www.acme.example/docs',
      target: `https://proxy.sandbox.example/sites/${id}`,
    });
    expect(proxied.urls?.published).toBe('https://www.acme.example/docs/');
    const plain = await update({ proxy: null });
    expect(plain).not.toHaveProperty('proxy');
    expect(plain.urls).toEqual(urls);
  });

  test('refuses a basename or proxy that another site has', async () => {
    const other = await world.newSite('Welcome');
    expect(await world.admin.refused(updateSite, { path: other, body: { basename: 'docs' } })).toEqual({
      status: 409,
      message: 'another site has the basename "docs"',
    });
    await update({ proxy: 'www.acme.example/docs' });
    await world.admin.refuses(409, updateSite, { path: other, body: { proxy: 'www.acme.example/docs' } });
    expect((await update({ basename: 'docs', proxy: 'www.acme.example/docs' })).basename).toBe('docs');
  });

  test('chooses the default section, and a default site space within it', async () => {
    const [, guides] = await world.sections(world.docs);
    await world.addSpace(world.docs, 'Board Notes', guides?.id);
    const board = (await world.siteSpaces(world.docs)).find(({ title }) => title === 'Board Notes');
    await world.admin.refuses(409, updateSite, { path: world.docs, body: { defaultSiteSpace: board?.id } });
    await update({ defaultSiteSection: guides?.id, defaultSiteSpace: board?.id });
    const sections = await world.sections(world.docs);
    expect(sections.filter((row) => row.default).map(({ title }) => title)).toEqual(['Guides']);
    expect(titles(await world.siteSpaces(world.docs, { default: true }))).toEqual(['Board Notes']);
  });

  test('chooses the default site space at the root of a site without sections', async () => {
    const site = await world.newSite('Welcome', 'Board Notes');
    const [, board] = await world.siteSpaces(site);
    await update({ defaultSiteSpace: board?.id ?? '' }, site);
    expect(titles(await world.siteSpaces(site, { default: true }))).toEqual(['Board Notes']);
    expect(titles(await world.siteSpaces(site))).toEqual(['Welcome', 'Board Notes']);
  });
});

test('a share link is visible only to users who manage sites', async () => {
  const site = await world.admin.ok(updateSite, { path: world.docs, body: { visibility: 'share-link' } });
  expect(site.urls?.published).toMatch(/^https:\/\/docs\.acme\.example\/\w{20}\/$/);
  const seenAs = async (name: string) =>
    (await world.as(name).ok(getSite, { path: world.docs })).urls?.published;
  expect(await seenAs('create')).toBe(site.urls?.published);
  expect(await seenAs('review')).toBeUndefined();
  expect(await seenAs('guest')).toBeUndefined();
});

const published = (query: { shareKey?: string } = {}) =>
  world.admin.ok(ops.getPublishedSite, { path: world.docs, query });

describe('a published site', () => {
  test('shows the site, its sections and its appearance', async () => {
    const site = await published();
    expect(site.object).toBe('published-content-site');
    expect(site.site).toEqual(await world.site(world.docs));
    expect(site.structure).toEqual({ type: 'sections', structure: await world.sections(world.docs) });
    expect(site.customizations.site).toMatchObject({
      title: 'Acme Docs',
      internationalization: { locale: 'en' },
      styling: { theme: 'clean', primaryColor: { light: '#346DDB', dark: '#346DDB' } },
    });
  });

  test('leaves out a section whose spaces are deleted', async () => {
    await world.admin.ok(ops.deleteSpace, { path: { spaceId: world.space('Product Guide') } });
    const { structure } = await published();
    expect(titles(structure.structure as { title: string }[])).toEqual(['Home', 'API']);
  });

  test('is 404 unless it is published, and for an unknown site', async () => {
    const path = await world.newSite('Welcome');
    expect(await world.admin.refused(ops.getPublishedSite, { path })).toEqual({
      status: 404,
      message: `site ${path.siteId} is not published`,
    });
    const unknown = { ...path, siteId: 'nothing' };
    await world.admin.refuses(404, ops.getPublishedSite, { path: unknown });
  });
});

describe('a site published by share link', () => {
  async function shareKey(): Promise<string> {
    const site = await world.admin.ok(ops.updateSite, {
      path: world.docs,
      body: { visibility: 'share-link' },
    });
    return site.urls?.published?.split('/').at(-2) ?? '';
  }

  test('resolves published URLs only with its key', async () => {
    const key = await shareKey();
    const base = `https://docs.acme.example/${key}/`;
    const opened = await published({ shareKey: key });
    expect(opened.site.urls?.published).toBe(base);
    const query = { shareKey: key };
    const sections = await world.admin.ok(ops.listSections, { path: world.docs, query });
    expect(sections.items[0]?.urls).toEqual({ published: `${base}home/` });
    const siteSpaces = await world.admin.ok(ops.listSiteSpaces, { path: world.docs, query });
    expect(siteSpaces.items[0]?.urls).toEqual({ published: `${base}home/welcome/` });
    const space = await world.admin.ok(ops.getSpace, { path: { spaceId: world.space('Welcome') }, query });
    expect(space.urls?.published).toBe(`${base}home/welcome/`);
  });

  test.each([{}, { shareKey: 'wrong' }, { shareKey: '' }])(
    'tells no published URL with %j',
    async (query) => {
      await shareKey();
      const { site, structure } = await published(query);
      expect(site.urls).not.toHaveProperty('published');
      for (const row of structure.structure) expect(row).not.toHaveProperty('urls');
      const { items } = await world.admin.ok(ops.listSiteSpaces, { path: world.docs, query });
      for (const row of items) expect(row).not.toHaveProperty('urls');
      const space = await world.admin.ok(ops.getSpace, { path: { spaceId: world.space('Welcome') }, query });
      expect(space.urls).not.toHaveProperty('published');
    },
  );

  test('keeps its key when it is closed and opened again', async () => {
    const key = await shareKey();
    await world.admin.ok(ops.updateSite, { path: world.docs, body: { visibility: 'public' } });
    expect((await published({ shareKey: key })).site.urls?.published).toBe('https://docs.acme.example/');
    expect(await shareKey()).toBe(key);
  });
});

const urlOf = async (title: string) =>
  (await world.admin.ok(ops.getSpace, { path: { spaceId: world.space(title) } })).urls?.published;

test('a space on a published site has its published URL', async () => {
  expect(await urlOf('Welcome')).toBe('https://docs.acme.example/home/welcome/');
  expect(await urlOf('Board Notes')).toBeUndefined();
  await world.newSite('Board Notes');
  expect(await urlOf('Board Notes')).toBeUndefined();
});

test('a space shows its address on a site as the site, its section or its path there changes', async () => {
  const path = world.docs;
  expect(await urlOf('Welcome')).toBe('https://docs.acme.example/home/welcome/');
  await world.admin.ok(ops.updateSite, { path, body: { proxy: 'acme.example/docs' } });
  expect(await urlOf('Welcome')).toBe('https://acme.example/docs/home/welcome/');
  const [row] = await world.siteSpaces(path);
  const inSite = { ...path, siteSpaceId: row?.id ?? '' };
  await world.admin.ok(ops.updateSiteSpace, { path: inSite, body: { path: 'start' } });
  expect(await urlOf('Welcome')).toBe('https://acme.example/docs/home/start/');
  const [section] = await world.sections(path);
  const inSection = { ...path, siteSectionId: section?.id ?? '' };
  await world.admin.ok(ops.updateSection, { path: inSection, body: { path: 'first' } });
  expect(await urlOf('Welcome')).toBe('https://acme.example/docs/first/start/');
  await world.admin.ok(ops.updateSite, { path, body: { visibility: 'share-link' } });
  expect(await urlOf('Welcome')).toBeUndefined();
});
